package cli

import (
	"context"
	"os"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
	"cardwright/internal/source"
)

// projectOptions are the flags of every command that builds the project.
type projectOptions struct {
	findingOptions
	project.Options
}

func (o *projectOptions) flags() []ucli.Flag {
	o.groups = true
	o.repairs = true
	return append(o.findingOptions.flags(),
		textFlag(&o.OnSkillError, "on-skill-error", "when the texts of a skill have an error, `ACTION` is fail (stop) or "+
			"skip (leave the skill out); overrides skills.onError"),
		boolFlag(&o.all, "all", "print every finding, also those that skills ignore, and every difference"),
		environmentFlag(&o.Environment),
		baseURLFlag(&o.BaseURL),
		setFlag(&o.Set),
		allowEnvFlag(&o.AllowEnv),
		listFlag(&o.Agents, "agent", "only the agent with this `ID`; * stands for any characters (repeatable)"),
		listFlag(&o.Owners, "owner", "only the agents that `NAME` answers for (repeatable)"),
		textFlag(&o.ChangedSince, "changed-since",
			"only agents whose inputs differ from the commit that `REV` and HEAD have in common"),
		listFlag(&o.limits, "limit",
			"raise a limit, `NAME=N`: frontmatter, source, card, nesting, depth, skills (repeatable)"),
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
	settings.Today = a.now()
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
	if run.Unchanged && !a.Quiet {
		a.talk("no agent has changed since " + o.ChangedSince)
	}
	return run, nil
}

// outcomeOf is what a run has found.
func (a *app) outcomeOf(o *projectOptions, run *project.Run) *outcome {
	return outcomeOf(&a.console, o.reporting(), run)
}

// space is where a run reads and writes.
func (a *app) space() (*project.Space, error) {
	s, err := project.Here(a.watcher)
	if err == nil {
		a.unread = s.Unread
	}
	return s, err
}

// openProject finds the configuration and opens the tree around it.
func (a *app) openProject() (*project.Project, error) {
	s, err := a.space()
	if err != nil {
		return nil, err
	}
	p, err := s.OpenProject(a.configFile, !a.alone)
	if err == nil && p.Above && !a.Quiet && a.using != p.Config {
		a.using = p.Config
		a.talk("using the configuration " + p.Config)
	}
	return p, err
}

// reader reads cards that the command line names.
func (a *app) reader(s *project.Space, limits source.Limits) cardfile.Reader {
	return cardfile.NewReader(s, a.In, limits)
}

// hosted is the project around a tree that is there already, and what it says of
// how the tree is hosted.
func (a *app) hosted(o project.Options) (*project.Project, *config.Config, hosting.Settings, error) {
	p, err := a.openProject()
	if err != nil {
		return nil, nil, hosting.Settings{}, err
	}
	o.Getenv = os.LookupEnv
	c, err := project.Surroundings(p, o)
	if err != nil {
		return nil, nil, hosting.Settings{}, err
	}
	return p, c, project.Hosting(c, p.OutDir(c)), nil
}

// configured is the project with its configuration, which a command is about.
func (a *app) configured(o *projectOptions) (*outcome, error) {
	p, err := a.openProject()
	if err != nil {
		return nil, err
	}
	o.format, o.failOn = "text", diag.Error.String()
	run := a.outcome(&o.findingOptions, p.Space, nil)
	run.Project = p
	var found diag.List
	if p.Config == "" {
		err = usageError("run cardwright init to create one", "no cardwright.yaml here")
	}
	if err == nil {
		run.Config, found, err = project.Load(p, o.settings())
	}
	if err != nil {
		p.Close()
	}
	run.Found = found.Sorted()
	return run, err
}
