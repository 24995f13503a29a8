package cli

import (
	"context"
	"os"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/project"
)

// projectOptions are the flags of every command that builds the project.
type projectOptions struct {
	findingOptions
	project.Options
	limits []string
}

func (o *projectOptions) flags() []ucli.Flag {
	o.groups = true
	return append(o.findingOptions.flags(),
		&ucli.StringFlag{
			Name: "on-skill-error",
			Usage: "when the texts of a skill have an error, `ACTION` fail stops the run, " +
				"skip leaves the skill out (overrides skills.onError)", Destination: &o.OnSkillError,
		},
		&ucli.BoolFlag{
			Name: "all", Usage: "print every finding, also those that skills ignore, and every difference",
			Destination: &o.all,
		},
		&ucli.StringFlag{Name: "env", Usage: "apply the overrides of the environment `NAME`", Destination: &o.Environment},
		&ucli.StringFlag{Name: "base-url", Usage: "`URL` where the output directory is served", Destination: &o.BaseURL},
		&ucli.StringSliceFlag{Name: "set", Usage: "set a card field, `KEY=VALUE`, such as version=1.4.0 (repeatable)"},
		allowEnvFlag(),
		&ucli.StringSliceFlag{Name: "agent", Usage: "only the agent with this `ID` (repeatable)"},
		&ucli.StringFlag{
			Name:  "changed-since",
			Usage: "only agents whose inputs differ from those in `REV`: a commit, branch or tag", Destination: &o.ChangedSince,
		},
		&ucli.StringSliceFlag{
			Name:  "limit",
			Usage: "raise a limit, `NAME=N`: frontmatter, source, card, nesting, depth, skills (repeatable)",
		},
	)
}

func allowEnvFlag() ucli.Flag {
	return &ucli.StringSliceFlag{
		Name:  "allow-env",
		Usage: "let vars read the environment variable `NAME`, although it looks like a secret (repeatable)",
	}
}

// finish takes over what urfave/cli does not put into a destination.
func (o *projectOptions) finish(c *ucli.Context) {
	o.Sources = c.Args().Slice()
	o.Set = c.StringSlice("set")
	o.Agents = c.StringSlice("agent")
	o.limits = c.StringSlice("limit")
	o.AllowEnv = c.StringSlice("allow-env")
}

// settings are what the flags say of the project.
func (o *projectOptions) settings() (project.Options, error) {
	var err error
	s := o.Options
	s.Strict, s.FailOn, s.Getenv = o.strict, o.threshold(), os.LookupEnv
	if s.ChangedSince != "" && len(s.Agents) > 0 {
		return s, usageError("leave one of them out", "--agent and --changed-since both choose agents")
	}
	s.Limits, err = project.ParseLimits(o.limits)
	return s, err
}

// build makes the cards of the project. Before that, prepare says what else is asked
// for. The caller closes the run.
func (a *app) build(ctx context.Context, o *projectOptions, prepare func(*project.Run) error) (_ *project.Run,
	err error,
) {
	if err := o.check(); err != nil {
		return nil, err
	}
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
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
	stop := a.showProgress(run.Progress.Line)
	err = run.Make(ctx)
	stop()
	if err != nil {
		return nil, err
	}
	if run.Unchanged && !a.quiet {
		a.talk("no agent has changed since " + o.ChangedSince)
	}
	return run, nil
}

// outcome is what a run has found.
func (o *projectOptions) outcome(run *project.Run) *outcome {
	out := &outcome{
		options: &o.findingOptions, space: run.Space, project: run.Project, config: run.Config, given: run.Sources,
	}
	out.Found, out.Ignored = run.Found, run.Ignored
	return out
}
