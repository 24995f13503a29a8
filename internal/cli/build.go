package cli

import (
	"context"
	"os"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/outcome"
	"cardwright/internal/project"
)

// projectOptions are the flags of every command that builds the project.
type projectOptions struct {
	findingOptions
	project.Options
}

func (o *projectOptions) flags() []ucli.Flag {
	o.groups = true
	return append(o.findingOptions.flags(),
		textFlag(&o.OnSkillError, "on-skill-error", "`ACTION` fail or skip: stop, or leave a skill out, "+
			"when its texts have an error (overrides skills.onError)"),
		boolFlag(&o.all, "all", "print every finding, also those that skills ignore, and every difference"),
		environmentFlag(&o.Environment),
		baseURLFlag(&o.BaseURL),
		setFlag(&o.Set),
		allowEnvFlag(&o.AllowEnv),
		listFlag(&o.Agents, "agent", "only the agent with this `ID` (repeatable)"),
		textFlag(&o.ChangedSince, "changed-since",
			"only agents whose inputs differ from those in `REV`: a commit, branch or tag"),
		cardLimitFlag(&o.limits),
	)
}

// settings are what the flags say of the project.
func (o *projectOptions) settings() project.Options {
	s := o.Options
	s.Strict, s.FailOn, s.Limits, s.Getenv = o.strict, o.threshold(), o.bounds, os.LookupEnv
	return s
}

// build makes the cards of the project. Before that, prepare says what else is asked
// for. The caller closes the run.
func (a *app) build(ctx context.Context, o *projectOptions, prepare func(*project.Run) error) (_ *project.Run,
	err error,
) {
	if err := o.check(); err != nil {
		return nil, err
	}
	settings := o.settings()
	a.alone = len(settings.Described()) > 0
	p, err := a.openProject()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	run, err := project.Open(p, settings)
	if err != nil || run.Config == nil {
		return run, err
	}
	if err := prepare(run); err != nil {
		return nil, err
	}
	stop := a.ShowProgress(run.Progress.Line)
	err = run.Make(ctx)
	stop()
	if err != nil {
		return nil, err
	}
	if run.Unchanged && !a.Quiet {
		a.Talk("no agent has changed since " + o.ChangedSince)
	}
	return run, nil
}

// outcomeOf is what a run has found.
func (a *app) outcomeOf(o *projectOptions, run *project.Run) *outcome.Outcome {
	return outcome.Of(&a.Console, o.reporting(), run)
}
