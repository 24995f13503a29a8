package project

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/publish"
	"cardwright/internal/report"
)

// Run is a project whose cards are made.
type Run struct {
	Workspace *Workspace
	Project   *Project // nil for what the command line names
	Options   Options
	Config    *config.Config   // nil where it has errors
	Request   generate.Request // what the pipeline is asked for
	Dirs      Dirs             // that the trees go to
	Output    OutputOptions
	Progress  Progress

	Result generate.Result
	Found  diag.List // as they count, sorted

	Trees      []Output      // that were to be written or compared, nil where the findings keep the run from it
	Blocked    diag.List     // why nothing more was written
	Drift      *report.Drift // how those on disk differ
	Uncompared diag.List     // why a place of them could not be compared

	configFound diag.List // of the configuration itself
	finished    bool      // the findings of the stages are in Found
}

// Open loads the configuration of a project. Where it has errors, they are all that the
// run has found.
func Open(p *Project, o Options) (*Run, error) {
	r := &Run{Workspace: p.Workspace, Project: p, Options: o}
	cfg, found, err := Load(p, o)
	if err != nil {
		return nil, err
	}
	if unread := p.Workspace.ReadErrors.Findings(); unread != nil {
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
		Config: cfg, Environment: o.Environment, Strict: o.Strict, Notes: o.FailOn == diag.Info, Open: p.openSource,
		Progress: &r.Progress.Made,
	}
	return r, nil
}

// IgnoreOutput keeps what the run writes, in its directories and to files, from
// counting as a change where it lies in the directory of a source.
func (r *Run) IgnoreOutput(named []string) {
	for _, dir := range r.Dirs.all() {
		r.Workspace.Watcher.Ignore(dir.Path)
	}
	for _, name := range named {
		if place, err := r.Workspace.Checkout.Real(name, files.Typed); err == nil && name != "" {
			r.Workspace.Watcher.Ignore(place)
		}
	}
}

// SetOutput has the run write its trees, or compare them with what is on disk.
func (r *Run) SetOutput(o OutputOptions) (err error) {
	var found diag.List
	if len(o.Servers) == 0 {
		o.Servers = r.Config.Servers
	}
	if r.Dirs, found, err = openDirs(r.Project, r.Config, o.DirFlags); err != nil {
		return err
	}
	r.Note(found)
	if r.Dirs.Public == nil {
		return nil
	}
	if err := r.Project.checkOut(r.Config, r.Dirs.Public); err != nil {
		return err
	}
	r.Output = o
	r.Request.Output = &generate.Output{
		Private: o.Private != "", Configure: r.configure, Publish: r.publish,
	}
	return nil
}

// Make takes the run through its stages.
func (r *Run) Make(ctx context.Context) error {
	r.Request.Ignored = r.ignored()
	if out := r.Request.Output; out != nil {
		ignores, closeFiles, err := r.ignoreLines(r.Dirs.Public)
		if err != nil {
			return err
		}
		defer closeFiles()
		out.Ignores = ignores
	}
	result, found, err := generate.Run(ctx, r.Request)
	if err != nil || r.finished {
		return err
	}
	r.Result = result
	r.count(found)
	return nil
}

// publish is the last stage of a run: it writes the trees or compares them with those on
// disk, unless the findings are why nothing is published.
func (r *Run) publish(ctx context.Context, made generate.Result, found diag.List) (err error) {
	r.Result = made
	if r.count(found); r.Failed() {
		return nil
	}
	if r.Trees, err = r.trees(); err != nil {
		return err
	}
	if r.Output.Check {
		drift, found := driftOf(r, r.Trees)
		r.Drift, r.Uncompared = &drift, found
		return nil
	}
	return r.write(ctx)
}

// write writes all trees or, where something stands in the way of one, none, and records
// the cards.
func (r *Run) write(ctx context.Context) error {
	var updates []*publish.Update
	for _, t := range r.Trees {
		u, found := publish.Begin(t.Dir, t.Files, t.options)
		if u == nil {
			r.Blocked = found
			return nil
		}
		updates = append(updates, u)
	}
	log, err := r.Output.Log.open(r.Workspace, r.Trees)
	if err != nil {
		return err
	}
	for i, t := range r.Trees {
		report, found, err := updates[i].Write(ctx)
		if err != nil {
			return err
		}
		r.Trees[i].Report = report
		if found.Worst() == diag.Error {
			r.Blocked = found
			return nil
		}
		r.Note(found)
		if t.Kind != Public || log == nil {
			continue
		}
		if err := audit(log, r.Output.Log.Now(), r.Result); err != nil {
			return err
		}
	}
	return nil
}

// count adds the findings of the stages. Where something could not be read, that is all
// that the run has found: what is missing makes every other finding a guess.
func (r *Run) count(found diag.List) {
	r.finished = true
	if unread := r.Workspace.ReadErrors.Findings(); unread != nil {
		r.Found = unread
		return
	}
	// The findings of the stages count already as the rules of the configuration, or of an agent, say.
	r.Found = lint.Switches{Strict: r.Options.Strict}.Apply(slices.Concat(r.Found, r.configFound, found)).Sorted()
}

// Counted returns findings sorted, as the configuration and the flags make them count.
func (r *Run) Counted(found diag.List) diag.List {
	switches := lint.Switches{Strict: r.Options.Strict}
	if r.Config != nil {
		switches.Rules = r.Config.Rules
	}
	return switches.Apply(found).Sorted()
}

// Add adds findings, as the configuration and the flags make them count.
func (r *Run) Add(found diag.List) { r.Note(r.Counted(found)) }

// Note adds findings as they are.
func (r *Run) Note(found diag.List) { r.Found = slices.Concat(r.Found, found).Sorted() }

// Failed reports whether the findings reach the level that ends a run.
func (r *Run) Failed() bool { return r.Found.Worst() >= r.Options.FailOn }

// Progress is what a run has done so far.
type Progress struct {
	Made    generate.Progress
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
		{p.Made.Skills.Load(), "skill", "read"},
		{p.Made.Cards.Load(), "card", "made"},
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

// Options say what a run makes of a project.
type Options struct {
	Environment string                           // --env
	BaseURL     string                           // --base-url
	Set         []string                         // --set KEY=VALUE, for every agent
	Getenv      func(name string) (string, bool) // the environment, for vars only
	Named       []string                         // what the command line names: files, directories, patterns, - for stdin
	Strict      bool
	FailOn      diag.Severity // from which findings end the run
}
