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
	Found    diag.List // switched, sorted

	configFound diag.List // of the configuration itself
}

// Open loads the configuration of a project. Where it has errors, they are all that the
// run has found.
func Open(p *Project, o Options) (*Run, error) {
	if err := o.checkSources(p.Space); err != nil {
		return nil, err
	}
	r := &Run{Project: p, Options: o}
	cfg, found, err := Load(p, o)
	if err != nil {
		return nil, err
	}
	if unread := p.Unread.Findings(); unread != nil {
		found = unread
	}
	r.configFound = found
	if cfg != nil {
		p.Parts = cfg.Files
	}
	if found.Worst() == diag.Error {
		r.Found = found.Sorted()
		return r, nil
	}
	r.Config = cfg
	r.Request = generate.Request{
		Config: cfg, Environment: o.Environment, Strict: o.Strict, Notes: o.FailOn == diag.Info, Open: r.openSource, Progress: &r.Progress.Progress,
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

// Make runs the pipeline.
func (r *Run) Make(ctx context.Context) error {
	r.Request.Ignored = r.ignored()
	result, found, err := generate.Run(ctx, r.Request)
	if err != nil {
		return err
	}
	if r.Lost() {
		return nil
	}
	r.Result = result
	r.Found = r.counted(nil, slices.Concat(r.Found, r.configFound, found))
	return nil
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
