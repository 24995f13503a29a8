package cli

import (
	"os"

	"cardwright/internal/cardfile"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/outcome"
	"cardwright/internal/project"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
)

// space is where a run reads and writes.
func (a *app) space() (*workspace.Space, error) { return workspace.Here(a.watcher, a.interrupted) }

// openProject finds the configuration and opens the tree around it.
func (a *app) openProject() (*workspace.Project, error) {
	s, err := a.space()
	if err != nil {
		return nil, err
	}
	p, err := s.OpenProject(a.configFile, !a.alone)
	if err == nil && p.Above && !a.Quiet && a.using != p.Config {
		a.using = p.Config
		a.Talk("using the configuration " + p.Config)
	}
	return p, err
}

// reader reads cards that the command line names.
func (a *app) reader(s *workspace.Space, limits source.Limits) cardfile.Reader {
	return cardfile.NewReader(s, a.In, limits)
}

// hosted is the project around a tree that is there already, and what it says of
// how the tree is hosted.
func (a *app) hosted(o project.Options) (*workspace.Project, *config.Config, hosting.Settings, error) {
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
func (a *app) configured(o *projectOptions) (*outcome.Outcome, error) {
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
