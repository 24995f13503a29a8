package cli

import (
	"os"

	"cardwright/internal/config"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
)

// space is where a run reads and writes.
func (a *app) space() (*project.Workspace, error) {
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
	p, err := s.OpenProject(a.configFile, true)
	if err == nil && p.Above && !a.Quiet && a.using != p.Config {
		a.using = p.Config
		a.talk("using the configuration " + p.Config)
	}
	return p, err
}

// reader reads cards that the command line names.
func (a *app) reader(s *project.Workspace) project.Reader {
	return project.Reader{Workspace: s, Stdin: a.In}
}

// hosted is the project around a tree that is there already, and what it says about
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
	return p, c, project.Hosting(c), nil
}
