package cli

import (
	"context"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/project"
	"cardwright/schema"
)

func (a *app) lintCommand() *ucli.Command {
	var o lintOptions
	cmd := page("lint", append(o.projectFlags(),
		choiceFlag(&o.protocol, "protocol", "protocol", "check against `VERSION` of A2A: "+project.ProtocolNames(),
			schema.Protocols()),
		wordsFlag(&o.only, "only", "only the rule with this `ID` (repeatable, or with commas)"),
		wordsFlag(&o.skip, "skip", "skip the rule with this `ID` (repeatable, or with commas)"),
	), func(ctx context.Context, args []string) error {
		o.Sources = args
		return a.lint(ctx, &o)
	})
	return cmd
}

// lintOptions are the flags of lint.
type lintOptions struct {
	options
	protocol string
	only     []string
	skip     []string
}

func (o *lintOptions) validate() error {
	switch {
	}
	if len(o.Sources) > 0 { // else the project may have policies
		if err := lint.Known(slices.Concat(o.only, o.skip)...); err != nil {
			return err
		}
	}
	return o.check()
}

func (a *app) lint(ctx context.Context, o *lintOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	judge := a.lintCards
	if len(o.Sources) == 0 {
		judge = a.lintProject
	}
	run, err := judge(ctx, o)
	if err != nil {
		return err
	}
	defer func() { run.Close() }()
	if err := lint.Known(project.NotPolicies(run.Config, slices.Concat(o.only, o.skip))...); err != nil {
		return err
	}
	run.Choose(o.only, o.skip)
	run.Data = true
	return run.end()
}

// lintProject judges the sources and the cards they make.
func (a *app) lintProject(ctx context.Context, o *lintOptions) (*outcome, error) {
	return a.build(ctx, &o.options, func(run *project.Run) error {
		run.Request.Notes = true
		var found diag.List
		run.Dirs.Public, found = run.OpenOutput(run.Config)
		run.Note(found)
		run.Request.Base = run.OnDisk(run.Dirs.Public, nil)
		policies := generate.NewPolicySet(run.OpenSource, run.Config.Limits)
		for _, p := range project.Policies(run.Config) {
			found, err := policies.Try(ctx, p)
			if err != nil {
				return err
			}
			run.Found = append(run.Found, found...)
		}
		return nil
	})
}

// lintCards judges the cards that were named.
func (a *app) lintCards(_ context.Context, o *lintOptions) (_ *outcome, err error) {
	forced, _ := schema.ParseProtocol(o.protocol)
	p, err := a.space()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	run := a.outcome(&o.options, p, o.Sources...)
	reader := a.reader(run.Space, o.Limits)
	reader.Cards = &run.Progress.Read
	stop := a.showProgress(run.Progress.Line)
	for _, name := range o.Sources {
		run.Found = append(run.Found, reader.Lint(name, forced)...)
	}
	stop()
	run.Found = run.Judged(run.Found)
	return run, nil
}
