package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/publish"
)

func generateCommand(a *app) *ucli.Command {
	var o generateOptions
	output := grouped("Output",
		textFlag(&o.trees.Out, "out", "write cards to `DIR` (default: out in the configuration)"),
		textFlag(&o.trees.Private, "private-out", "write extended cards to `DIR`, outside of --out"),
		listFlag(&o.trees.Servers, "server", "also write configuration for `TARGET` (repeatable)"),
		textFlag(&o.trees.ServerDir, "server-dir", "write it to `DIR`, outside of --out (default OUT.server)"),
		textFlag(&o.audit, "audit", "append a line of JSON per card to `FILE`, - for stdout"),
		forceFlag(&o.trees.Force),
	)
	check := grouped("Check",
		boolFlag(&o.trees.Check, "check", "write nothing; exit 1 when the files on disk differ"),
		boolFlag(&o.watch, "watch", "generate again after every change of a source"),
	)
	selection := grouped("Selection",
		environmentFlag(&o.run.Environment),
		baseURLFlag(&o.run.BaseURL),
		setFlag(&o.run.Set),
	)
	cmd := page("generate", slices.Concat(output, check, o.findingFlags(), selection), nil)
	cmd.Action = func(c *ucli.Context) error {
		if c.Args().Present() {
			return usageError("name them in cardwright.yaml: skills: {from: [{type: skills, path: skills}]}",
				"generate takes no arguments, not %s", diag.Quote(c.Args().First()))
		}
		o.update = again(a, "generate")
		if slices.ContainsFunc(c.LocalFlagNames(), shapesTree) {
			o.update = "the same command without --check"
		}
		return runGenerate(c.Context, a, &o)
	}
	return cmd
}

// generateOptions are the flags of generate.
type generateOptions struct {
	options
	trees   project.OutputOptions
	audit   string
	watch   bool
	watched bool   // a run of --watch has written
	update  string // the command that writes what --check compares
}

// shapesTree reports whether the tree that generate makes depends on a flag.
func shapesTree(flag string) bool {
	return !slices.Contains([]string{"check", "all", "format", "report", "fail-on", "strict"}, flag)
}

// validate refuses flags that do not go together.
func (o *generateOptions) validate() error {
	switch {
	case o.watch && o.trees.Check:
		return usageError("run --check alone", "--watch writes files, but --check does not")
	case o.audit == "-" && o.Format != "text":
		return usageError("--audit FILE", "--audit - and --format %s cannot both go to stdout", o.Format)
	}
	return o.trees.Places.Check()
}

func runGenerate(ctx context.Context, a *app, o *generateOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	if o.watch {
		return a.follow(ctx, "nothing is written", func(ctx context.Context) error { return generateOnce(ctx, a, o) })
	}
	return generateOnce(ctx, a, o)
}

func generateOnce(ctx context.Context, a *app, o *generateOptions) error {
	out, err := a.build(ctx, &o.options, func(run *project.Run) error { return prepareRun(a, o, run) })
	if err != nil {
		return err
	}
	defer out.run.Workspace.Close()
	switch {
	case out.run.Blocked != nil:
		return out.refuse(out.run.Blocked)
	case out.run.Failed() && out.run.Drift == nil:
		return out.end()
	case o.trees.Check:
		return out.reportDrift(o.update)
	}
	return reportWritten(a, o, out)
}

// build makes the cards of the project. Before that, prepare says what else is asked
// for. The caller closes the run.
func (a *app) build(ctx context.Context, o *options, prepare func(*project.Run) error) (_ *outcome, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p, err := a.openProject()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.Workspace.Close()
		}
	}()
	made, err := project.Open(p, o.run)
	out := &outcome{run: made, console: &a.console, reporting: o.reporting}
	if err != nil || out.run.Config == nil {
		return out, err
	}
	if err := prepare(made); err != nil {
		return nil, err
	}
	stop := a.showProgress(out.run.Progress.Line)
	err = out.run.Make(ctx)
	stop()
	if err != nil {
		return nil, err
	}
	return out, nil
}

// prepareRun says where the trees of a run go, and what it needs to make them.
func prepareRun(a *app, o *generateOptions, run *project.Run) error {
	o.trees.Log = project.Log{Name: o.audit, Stdout: a.Out, Now: a.now}
	if err := run.SetOutput(o.trees); err != nil {
		return err
	}
	written := []string{o.audit}
	for _, file := range o.Reports {
		written = append(written, file.Name)
	}
	run.IgnoreOutput(written)
	run.Request.Keys = project.RingOf(run.Project, os.LookupEnv).Signing(o.trees.Check)
	run.Request.Published = run.Workspace.OnDisk(run.Dirs.Public, run.Dirs.Private)
	if o.trees.Check {
		project.KeepChanged(&run.Request)
	}
	if !o.trees.Check && !o.watch { // drift and work in progress are not compared
		run.Request.Base = run.Request.Published
	}
	return nil
}

// reportWritten says what a run has written.
func reportWritten(a *app, o *generateOptions, out *outcome) error {
	if err := out.report(project.Members(out.run, project.ChangedCards(out.run))...); err != nil {
		return err
	}
	if o.Format == "text" && !a.Quiet {
		say := a.Print
		if o.audit == "-" {
			say = a.talk // the log is the data
		}
		for _, line := range project.Summary(out.run, o.watched) {
			say(line)
		}
	}
	o.watched = o.watch
	for _, t := range out.run.Trees {
		for _, r := range t.Report {
			if r.State != publish.Removed {
				a.watcher.Keep(filepath.Join(t.Dir.Path, filepath.FromSlash(r.Path)))
			}
		}
	}
	return nil
}
