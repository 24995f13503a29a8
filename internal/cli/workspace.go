package cli

import (
	"os"

	"cardwright/internal/config"
	"cardwright/internal/files"
	"cardwright/internal/hosting"
	"cardwright/internal/project"
)

// changeDir makes a directory the working directory of this run.
func changeDir(a *app, dir string) error {
	w, err := a.space()
	if err != nil {
		return err
	}
	defer a.close()
	d, err := w.Folder(dir)
	if err == nil {
		err = os.Chdir(d.Path)
	}
	if err != nil {
		return usageError("", "cannot work in %q: %s", dir, files.Reason(err))
	}
	a.workdir = dir
	return nil
}

// space is where the command reads and writes, around the working directory. It is open
// from the first call on.
func (a *app) space() (_ *project.Workspace, err error) {
	if a.workspace == nil {
		a.workspace, err = project.Here(a.watcher)
	}
	return a.workspace, err
}

func (a *app) close() {
	if a.workspace != nil {
		a.workspace.Close()
	}
	a.workspace = nil
}

// openProject finds the configuration and opens the tree around it.
func (a *app) openProject() (*project.Project, error) {
	w, err := a.space()
	if err != nil {
		return nil, err
	}
	p, err := w.OpenProject(a.configFile, true)
	if err == nil && p.Above && !a.Quiet && a.using != p.Config {
		a.using = p.Config
		a.talk("using the configuration " + p.Config)
	}
	return p, err
}

// hosted is the project around a tree that is there already, and what it says about
// how the tree is hosted.
func (a *app) hosted() (p *project.Project, c *config.Config, _ hosting.Settings, err error) {
	if p, err = a.openProject(); err == nil {
		c, err = project.Surroundings(p, a.options)
	}
	if err != nil {
		return nil, nil, hosting.Settings{}, err
	}
	return p, c, project.Hosting(c), nil
}

// reader reads cards that the command line names.
func (a *app) reader(w *project.Workspace) project.Reader {
	return project.Reader{Workspace: w, Stdin: a.In}
}
