package cli

import (
	"context"
	"os"

	"cardwright/internal/config"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
)

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
	return p, c, project.Hosting(c), nil
}
