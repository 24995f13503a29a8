package cli

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
	"cardwright/internal/publish"
)

func generateCommand(a *app) *ucli.Command {
	var o generateOptions
	output := grouped("Output",
		textFlag(&o.trees.Out, "out", "write cards to `DIR` (default: out in the configuration)"),
		textFlag(&o.trees.Private, "private-out", "write extended cards to `DIR`, outside of --out"),
		listFlag(&o.trees.Servers, "server", "also write configuration for `TARGET` (repeatable)", hosting.Targets()...),
		textFlag(&o.trees.ServerDir, "server-dir", "write it to `DIR`, outside of --out (default OUT.server)"),
		textFlag(&o.audit, "audit", "append a line of JSON per card to `FILE`, - for stdout"),
		boolFlag(&o.trees.Force, "force", "overwrite files that cardwright did not write"),
	)
	check := grouped("Check",
		boolFlag(&o.trees.Check, "check", "write nothing; exit 1 when the files on disk differ"),
		boolFlag(&o.watch, "watch", "generate again after every change of a source"),
	)
	selection := grouped("Selection",
		environmentFlag(&a.settings),
		baseURLFlag(&a.settings),
		listFlag(&a.options.Set, "set", "set `KEY=VALUE` in cards, such as version=1.4.0 (repeatable)"),
	)
	cmd := page("generate", slices.Concat(output, check, findingFlags(&a.settings), selection), nil)
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

func runGenerate(ctx context.Context, a *app, o *generateOptions) error {
	switch {
	case o.watch && o.trees.Check:
		return usageError("run --check alone", "--watch writes files, but --check does not")
	case o.audit == "-" && a.Format != "text":
		return usageError("--audit FILE", "--audit - and --format %s cannot both go to stdout", a.Format)
	}
	if err := o.trees.DirFlags.Check(); err != nil {
		return err
	}
	if o.watch {
		return a.follow(ctx, "nothing is written", func(ctx context.Context) error { return generateOnce(ctx, a, o) })
	}
	return generateOnce(ctx, a, o)
}

func generateOnce(ctx context.Context, a *app, o *generateOptions) error {
	out, err := a.build(ctx, func(run *project.Run) error { return prepareRun(a, o, run) })
	switch {
	case err != nil:
		return err
	case out.run.Blocked != nil:
		return out.refuse(out.run.Blocked)
	case out.run.Failed() && out.run.Drift == nil:
		return out.end()
	case o.trees.Check:
		return out.reportDrift(o.update)
	}
	return out.reportWritten(a, o)
}

// build makes the cards of the project. Before that, prepare says what else is asked
// for.
func (a *app) build(ctx context.Context, prepare func(*project.Run) error) (*result, error) {
	p, err := a.openProject()
	if err != nil {
		return nil, err
	}
	made, err := project.Open(p, a.options)
	if err != nil {
		return nil, err
	}
	if made.Config == nil {
		return a.result(made), nil
	}
	if err := prepare(made); err != nil {
		return nil, err
	}
	defer a.showProgress(made.Progress.Line)()
	return a.result(made), made.Make(ctx)
}

// prepareRun says where the trees of a run go, and what it needs to make them.
func prepareRun(a *app, o *generateOptions, run *project.Run) error {
	o.trees.Log = project.Log{Name: o.audit, Stdout: a.Out, Now: now}
	if err := run.SetOutput(o.trees); err != nil {
		return err
	}
	written := []string{o.audit}
	for _, file := range a.Reports {
		written = append(written, file.Name)
	}
	run.IgnoreOutput(written)
	run.Request.Keys = project.RingOf(run.Project, a.options.Getenv).Signing(o.trees.Check)
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
func (out *result) reportWritten(a *app, o *generateOptions) error {
	if err := out.report(project.Members(out.run, project.ChangedCards(out.run))...); err != nil {
		return err
	}
	for _, line := range project.Summary(out.run, o.watched) {
		if o.audit == "-" { // the log is the data
			out.say(line)
		} else {
			out.print(line)
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

// refuse ends a run that cannot write, and says why.
func (out *result) refuse(blocked diag.List) error {
	if len(ofRules(blocked, diag.OutputEnvironment)) > 0 {
		out.run.Found = nil // which compare with cards of another environment
	}
	out.run.Note(blocked)
	return cmp.Or(out.report(project.Members(out.run, nil)...), out.exit())
}

// reportDrift says how the trees on disk differ from what is generated. The command update
// brings them up to date. The verdict is the last line.
func (out *result) reportDrift(update string) error {
	drift, uncompared := out.run.Drift, out.run.Uncompared
	drifted, shown := drift.Findings(), out.run.Found
	if len(drifted) > 0 { // generate and lint report the rest
		shown = ofRules(shown, diag.OutputIgnored, diag.SigningKeyMissing)
	}
	shown = append(slices.Clone(shown), uncompared...).Sorted()
	out.run.Note(append(uncompared, drifted...))
	if err := out.emit(shown, append(project.Members(out.run, drift.Changed()), drift.Members()...)...); err != nil {
		return err
	}
	if out.Format == "text" {
		if _, err := io.WriteString(out.Out, drift.Text(out.style(out.Out))); err != nil {
			return err
		}
		switch {
		case len(drifted) > 0:
			out.say(drift.Verdict(update))
		case uncompared.Worst() != diag.Error:
			out.say(diag.Count(len(out.run.Result.Cards), "card") + ": up to date")
		}
	}
	return out.exit()
}

func ofRules(found diag.List, rules ...diag.RuleID) diag.List {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return !slices.Contains(rules, d.Rule) })
}
