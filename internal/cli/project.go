package cli

import (
	"io/fs"

	"cardwright/internal/cardfile"
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
	if err == nil && p.Above && !a.quiet && a.using != p.Config {
		a.using = p.Config
		a.talk("using the configuration " + p.Config)
	}
	return p, err
}

// reader reads cards that the command line names, and opens their directories, so
// that findings can show them.
func (a *app) reader(s *workspace.Space, limits source.Limits) cardfile.Reader {
	return cardfile.Reader{
		Stdin: a.In, Limits: limits,
		Open: func(name string) (fs.FS, string, error) {
			tree, err := s.Given(name)
			return tree.FS, tree.Root, err
		},
		Folder: func(name string) (fs.FS, error) {
			dir, err := s.Folder(name)
			if err != nil {
				return nil, err
			}
			return s.Files(dir)
		},
	}
}
