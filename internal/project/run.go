package project

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/paths"
	"cardwright/internal/walk"
	"cardwright/internal/workspace"
)

// Run is a project whose cards are made.
type Run struct {
	*workspace.Project
	Options
	Config *config.Config // nil where it has errors
	Dirs   Dirs
	// Request is what the pipeline is asked for.
	Request  generate.Request
	Result   generate.Result
	Progress Progress
	Agents   []string          // ids of those that are made, all when empty
	Owners   map[string]string // who answers for an agent, by its id
	Found    diag.List         // switched, sorted
	Ignored  diag.List         // what skills switch off for themselves, sorted
	// Unchanged tells that no agent was chosen, because nothing has changed.
	Unchanged bool

	configFound diag.List // of the configuration itself
}

// Open loads the configuration of a project and chooses the agents. Where the
// configuration has errors, they are all that the run has found.
func Open(p *workspace.Project, o Options) (*Run, error) {
	if o.ChangedSince != "" && len(o.Agents) > 0 {
		return nil, diag.UsageError("leave one of them out", "--agent and --changed-since both choose agents")
	}
	if err := o.checkSources(p.Space); err != nil {
		return nil, err
	}
	r := &Run{Project: p, Options: o}
	cfg, found, err := o.Series.config(r)
	if err != nil {
		return nil, err
	}
	r.configFound = found
	if cfg != nil {
		p.Parts = cfg.Files
	}
	if found.Worst() < diag.Error {
		if _, faults := Accepted(p, cfg); faults.Worst() == diag.Error {
			found = faults
		}
	}
	if found.Worst() == diag.Error {
		r.Found = found.Sorted()
		return r, nil
	}
	if err := KnownAgents(cfg, o.Agents); err != nil {
		return nil, err
	}
	r.Config, r.Agents, r.Owners = cfg, o.Series.agents(o.Agents), map[string]string{}
	for i := range cfg.Agents {
		r.Owners[cfg.Agents[i].ID] = cfg.Agents[i].Owner
	}
	r.Request = generate.Request{
		Config: cfg, Strict: o.Strict, Notes: o.FailOn == diag.Info, Open: r.openSource, Progress: &r.Progress.Progress,
	}
	return r, nil
}

// openSource finds a source that the command line or the configuration names.
func (r *Run) openSource(name string) (walk.Tree, error) {
	if slices.Contains(r.slashed(), name) {
		return r.Given(filepath.FromSlash(name))
	}
	return r.OpenSource(name)
}

// IgnoreOutput keeps what the run writes, in its directories and to files, from
// counting as a change where it lies in the directory of a source.
func (r *Run) IgnoreOutput(files []string) {
	for _, dir := range r.Dirs.All() {
		r.Watcher.Ignore(dir.Path)
	}
	for _, name := range files {
		if place, err := r.Real(name, paths.Typed); err == nil && name != "" {
			r.Watcher.Ignore(place)
		}
	}
}

// AddTargets adds registries that the cards are judged for.
func (r *Run) AddTargets(names []string) {
	targets := slices.Clone(r.Config.Targets)
	for _, name := range names {
		if !slices.Contains(r.Config.Targets, name) {
			targets = append(targets, name)
		}
	}
	r.Config.Targets = targets
}

// Make runs the pipeline, for the agents that have changed where only these are
// wanted.
func (r *Run) Make(ctx context.Context) error {
	if r.ChangedSince != "" {
		ids, all, err := r.changedSince(ctx, r.ChangedSince)
		if err != nil {
			return err
		}
		r.Agents, r.Unchanged = ids, !all && len(ids) == 0
	}
	if r.Unchanged {
		r.Found = r.Switched(r.configFound)
		return nil
	}
	r.Request.Agents = r.Agents
	result, found, err := generate.Run(ctx, r.Request)
	if err != nil {
		return err
	}
	r.Result = result
	r.Found = r.Switched(slices.Concat(r.Found, r.configFound, found))
	r.Ignored = r.Switched(result.Ignored)
	return nil
}

// Switched returns findings sorted, with the severities that the flags give them.
func (r *Run) Switched(found diag.List) diag.List {
	return lint.Switches{Strict: r.Strict}.Apply(found).Sorted()
}

// Add adds findings, as the configuration and the flags make them count.
func (r *Run) Add(found diag.List) {
	r.Note(lint.Switches{Rules: r.Config.Rules, Strict: r.Strict}.Apply(found))
}

// Note adds findings as they are.
func (r *Run) Note(found diag.List) { r.Found = slices.Concat(r.Found, found).Sorted() }

// Failed tells whether the findings reach the level that ends a run.
func (r *Run) Failed() bool { return r.Found.Worst() >= r.FailOn }

// Progress is what a run has done so far.
type Progress struct {
	generate.Progress
	Sent    atomic.Int64 // requests
	Read    atomic.Int64 // cards of others
	Written atomic.Int64 // files
}

// Line says how far a run is.
func (p *Progress) Line() string {
	var parts []string
	for _, c := range []struct {
		n    int64
		noun string
		done string
	}{
		{p.Sent.Load(), "request", "sent"},
		{p.Read.Load(), "card", "read"},
		{p.Skills.Load(), "skill", "read"},
		{p.Cards.Load(), "card", "made"},
		{p.Written.Load(), "file", "written"},
	} {
		if c.n > 0 {
			parts = append(parts, diag.Count(int(c.n), c.noun)+" "+c.done)
		}
	}
	if len(parts) == 0 {
		return "reading"
	}
	return strings.Join(parts, ", ")
}

// PlaceOf finds where the project says what is on the card of a name, nil where the
// run has not kept exactly one such card.
func (r *Run) PlaceOf(name string) func(pointer string) diag.Span {
	cards := slices.DeleteFunc(slices.Clone(r.Result.Cards),
		func(c generate.Card) bool { return c.Name != name || c.Extended || c.Wire == nil })
	if len(cards) != 1 {
		return nil
	}
	wire := cards[0].Wire
	return func(pointer string) diag.Span { return wire.Below(pointer, wire.Span) }
}
