package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
)

func lintCommand(a *app) *ucli.Command {
	var o options
	return page("lint", o.findingFlags(), func(ctx context.Context, args []string) error {
		o.run.Named = args
		return runLint(ctx, a, &o)
	})
}

func runLint(ctx context.Context, a *app, o *options) error {
	if err := o.check(); err != nil {
		return err
	}
	lint := a.lintCards
	if len(o.run.Named) == 0 {
		lint = a.lintProject
	}
	out, err := lint(ctx, o)
	if err != nil {
		return err
	}
	defer func() { out.run.Workspace.Close() }()
	out.Data = true
	return out.end()
}

// lintProject judges the sources and the cards they make.
func (a *app) lintProject(ctx context.Context, o *options) (*outcome, error) {
	return a.build(ctx, o, func(run *project.Run) error {
		run.Request.Notes = true
		var found diag.List
		run.Dirs.Public, found = run.Project.OpenOutput(run.Config)
		run.Note(found)
		run.Request.Base = run.Workspace.OnDisk(run.Dirs.Public, nil)
		return nil
	})
}

// lintCards judges the cards that were named.
func (a *app) lintCards(_ context.Context, o *options) (_ *outcome, err error) {
	p, err := a.space()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	out := a.outcome(o, p, o.run.Named...)
	reader := a.reader(out.run.Workspace)
	reader.Cards = &out.run.Progress.Read
	stop := a.showProgress(out.run.Progress.Line)
	for _, name := range o.run.Named {
		out.run.Found = append(out.run.Found, reader.Lint(name)...)
	}
	stop()
	out.run.Found = out.run.Judged(out.run.Found)
	return out, nil
}
