package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
)

func lintCommand(a *app) *ucli.Command {
	return page("lint", findingFlags(&a.settings), func(ctx context.Context, args []string) error {
		lint := lintCards
		if len(args) == 0 {
			lint = lintProject
		}
		out, err := lint(ctx, a, args)
		if err != nil {
			return err
		}
		out.Data = true
		return out.end()
	})
}

// lintProject checks the sources and the cards they make.
func lintProject(ctx context.Context, a *app, _ []string) (*result, error) {
	return a.build(ctx, func(run *project.Run) error {
		run.Request.Notes = true
		var found diag.List
		run.Dirs.Public, found = run.Project.OpenOutput(run.Config)
		run.Note(found)
		run.Request.Base = run.Workspace.OnDisk(run.Dirs.Public, nil)
		return nil
	})
}

// lintCards checks the cards that were named.
func lintCards(_ context.Context, a *app, names []string) (*result, error) {
	out, err := a.begin(names...)
	if err != nil {
		return nil, err
	}
	reader := a.reader(out.run.Workspace)
	reader.Cards = &out.run.Progress.Read
	defer a.showProgress(out.run.Progress.Line)()
	for _, name := range names {
		out.run.Found = append(out.run.Found, reader.Lint(name)...)
	}
	out.run.Found = out.run.Counted(out.run.Found)
	return out, nil
}
