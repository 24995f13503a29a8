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
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/tree"
	"cardwright/internal/walk"
)

// Run is a project whose cards are made.
type Run struct {
	*Project
	Options
	Config *config.Config // nil where it has errors
	Dirs   Dirs
	// Request is what the pipeline is asked for.
	Request  generate.Request
	Result   generate.Result
	Progress Progress
	Agents   []string  // ids of those that are made, all when empty
	Found    diag.List // switched, sorted
	Ignored  diag.List // what skills switch off for themselves or is accepted, sorted
	// Unchanged tells that no agent was chosen, because nothing has changed.
	Unchanged bool
	// Stay tells that no card may leave the place where it is published.
	Stay bool
	// Local are errors in files of teams whose agents this run is not about.
	Local diag.List

	// changed are the ids of agents that have changed in a run for all of them, because
	// no output is committed. It is nil for other runs.
	changed     []string
	baseline    *baseline
	configFound diag.List // of the configuration itself
	broken      diag.List // of the files of teams
}

// Open loads the configuration of a project and chooses the agents. Where the
// configuration has errors, they are all that the run has found.
func Open(p *Project, o Options) (*Run, error) {
	if o.ChangedSince != "" && o.chooses() {
		flag := "--agent"
		if len(o.Agents) == 0 {
			flag = "--owner"
		}
		return nil, diag.UsageError("leave one of them out", "%s and --changed-since both choose agents", flag)
	}
	if err := o.checkSources(p.Space); err != nil {
		return nil, err
	}
	r := &Run{Project: p, Options: o}
	cfg, found, err := o.Series.config(r)
	if err != nil {
		return nil, err
	}
	if cfg != nil {
		for _, t := range cfg.Teams { // of which the configuration tells
			p.Unread.forget(t.File)
		}
	}
	if unread := p.Unread.Findings(); unread != nil {
		found = unread
	}
	local, found := divided(found)
	r.configFound, r.broken = found, local
	if cfg != nil {
		p.Parts, p.Reach = cfg.Files, cfg.Reach
	}
	if found.Worst() < diag.Error {
		entries, faults := acceptedBy(p, cfg)
		if faults.Worst() == diag.Error {
			found = faults
		}
		r.baseline = p.baselineOf(entries, o.Today)
	}
	given := o
	if cfg != nil {
		err = o.choose(cfg)
		r.Options = o
	}
	if found.Worst() == diag.Error || err != nil && len(local) > 0 { // a broken file may have that agent
		r.Found = append(found, local...).Sorted()
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.Config, r.Agents = cfg, o.Series.agents(o.Agents)
	r.confine(local)
	r.concern(func(d diag.Diagnostic) bool { return given.mayChoose(d, r.textOf(r.filesOf(d.Team))) })
	r.Request = generate.Request{
		Config: cfg, Strict: o.Strict, Notes: o.FailOn == diag.Info, Open: r.openSource, Progress: &r.Progress.Progress,
		Accept: r.baseline.accept,
	}
	return r, nil
}

// openSource finds a source that the command line or the configuration names.
func (r *Run) openSource(name string, by diag.Span) (walk.Tree, error) {
	if slices.Contains(r.slashed(), name) {
		return r.Given(filepath.FromSlash(name))
	}
	return r.OpenSource(name, by)
}

// IgnoreOutput keeps what the run writes, in its directories and to files, from
// counting as a change where it lies in the directory of a source.
func (r *Run) IgnoreOutput(named []string) {
	for _, dir := range r.Dirs.all() {
		r.Watcher.Ignore(dir.Path)
	}
	for _, name := range named {
		if place, err := r.Real(name, files.Typed); err == nil && name != "" {
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
		if r.Agents = ids; all {
			r.Found, r.Local = append(r.Found, r.Local...), nil
		} else if len(ids) == 0 {
			r.Unchanged = r.Found.Worst() < diag.Error
			r.Found = r.counted(nil, append(r.Found, r.configFound...))
			return nil
		}
	}
	r.Request.Agents = r.Agents
	if r.Series.partial() {
		r.Request.KeepNothing = r.Series.keepNothing
	}
	if !r.Committed {
		r.Request.Unpublishable = r.unpublishable(ctx)
	}
	result, found, err := generate.Run(ctx, r.Request)
	if err != nil {
		return err
	}
	if r.Lost() {
		return nil
	}
	r.Result = result
	r.Result.Public = withCodings(result.Public, r.Config.Compress)
	if len(result.Others) > 0 {
		r.Config.KeepLists()
		r.Local = append(r.Local, result.Others...)
	}
	remain, accepted := r.baseline.apply(slices.Concat(r.Found, r.configFound, found))
	remain = append(remain, r.baseline.stale(r.Request.Notes && len(r.Agents) == 0 && remain.Worst() < diag.Error)...)
	r.Found = r.counted(nil, remain)
	r.Ignored = r.counted(nil, append(accepted, result.Ignored...))
	if r.Stay {
		r.Note(r.moved())
	}
	if r.Series != nil {
		r.Series.keepNothing = result.KeepNothing
	}
	if r.Series != nil || r.changed != nil {
		r.holdBack()
	}
	return nil
}

// publicFiles are those that a project makes, without signatures. Where there are errors,
// these are all that it returns.
func publicFiles(ctx context.Context, p *Project, o Options) ([]tree.File, diag.List, error) {
	r, err := Open(p, o)
	if err == nil && r.Config != nil {
		err = r.Make(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	faults := slices.DeleteFunc(r.Found, func(d diag.Diagnostic) bool { return d.Severity < diag.Error })
	if len(faults) > 0 {
		return nil, faults, nil
	}
	return r.Result.Public, nil, nil
}

// Lost reports whether something could not be read. Then that is all that the run has
// found: what is missing makes every other finding a guess.
func (r *Run) Lost() bool {
	unread := r.Unread.Findings()
	if unread != nil {
		r.Found = unread
	}
	return unread != nil
}

// Judged returns findings sorted, as the configuration and the flags make them count.
func (r *Run) Judged(found diag.List) diag.List {
	if r.Config == nil {
		return r.counted(nil, found)
	}
	return r.counted(r.Config.Rules, found)
}

// counted returns findings sorted, as rules and the flags make them count. Those of
// [generate.Run] count already as the rules of the configuration, or of an agent, say.
func (r *Run) counted(rules map[string]diag.Severity, found diag.List) diag.List {
	return lint.Switches{Rules: rules, Strict: r.Strict}.Apply(found).Sorted()
}

// Choose takes out what rules have found that are not wanted.
func (r *Run) Choose(only, skip []string) {
	chosen := lint.Switches{Only: only, Skip: skip}
	r.Found, r.Ignored = chosen.Apply(r.Found), chosen.Apply(r.Ignored)
}

// Add adds findings, as the configuration and the flags make them count.
func (r *Run) Add(found diag.List) { r.Note(r.Judged(found)) }

// Note adds findings as they are.
func (r *Run) Note(found diag.List) { r.Found = slices.Concat(r.Found, found).Sorted() }

// Failed reports whether the findings reach the level that ends a run.
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
