package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"cardwright/internal/cardfile"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
	"cardwright/mapping"
)

// project is the configuration of a run, and the tree around it: the git work
// tree, or the directory of the configuration where there is none. Nothing outside
// of it is read through a link or a path of the configuration.
type project struct {
	*workspace.Space
	config string       // as findings show it, "" when there is none
	parts  []string     // its files, likewise, once it is loaded
	tree   mapping.Tree // the project as a whole
}

// space is where a run reads and writes.
func (a *app) space() (*workspace.Space, error) { return workspace.Here(a.watcher, a.interrupted) }

// openProject finds the configuration and opens the tree around it.
func (a *app) openProject() (*project, error) {
	space, err := a.space()
	if err != nil {
		return nil, err
	}
	p := &project{Space: space}
	names := config.FileNames()
	if a.configFile != "" {
		names = []string{a.configFile}
		dir, err := p.Folder(filepath.Dir(a.configFile))
		if err == nil {
			p.Project, err = paths.Around(dir.Path)
		}
		if err != nil {
			return nil, usageError("", "cannot read %q: %s", a.configFile, safefile.Reason(err))
		}
	}
	p.tree, err = p.Tree(p.Root, p.Show(p.Root))
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Backward(names) {
		a.watcher.File(filepath.Join(p.Base, filepath.Base(name)))
		if _, err := fs.Lstat(p.tree.FS, p.inProject(name)); err == nil || a.configFile != "" {
			p.config = filepath.ToSlash(name)
		}
	}
	return p, nil
}

// configures tells whether a file that findings name is part of the configuration.
func (p *project) configures(file string) bool {
	return p != nil && (file == p.config || slices.Contains(p.parts, file))
}

// inProject is where a configuration lies in the tree of the project.
func (p *project) inProject(name string) string {
	rel, err := filepath.Rel(p.Root, filepath.Join(p.Base, filepath.Base(name)))
	if err != nil {
		return "" // which no file has
	}
	return filepath.ToSlash(rel)
}

// readConfig reads the configuration, which must lie inside the project.
func (p *project) readConfig(limit int) ([]byte, error) {
	data, err := safefile.ReadFile(p.tree.FS, p.inProject(p.config), limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError("run cardwright init to create one", "no configuration at %q", p.config)
	}
	if large, ok := errors.AsType[*safefile.TooLargeError](err); ok {
		return nil, usageError("raise the limit with --limit source=N", "cannot read the configuration %q: it has more than %d bytes", p.config, large.Limit)
	}
	if err != nil {
		return nil, usageError("", "cannot read the configuration %q: %s", p.config, safefile.Reason(err))
	}
	return data, nil
}

// configFiles is where the configuration finds the files that it names.
func (p *project) configFiles() *config.Files {
	return &config.Files{FS: p.tree.FS, Name: p.inProject(p.config), Show: p.tree.Show}
}

// source finds the path of a source that the configuration names. It must lie
// inside the project: what is read ends up in findings that others can see.
func (p *project) source(name string) (mapping.Tree, error) {
	_, file, err := p.Source(name, paths.Committed)
	if err != nil {
		return mapping.Tree{}, fmt.Errorf("%w; a directory elsewhere can be given on the command line", err)
	}
	tree := p.tree
	tree.Root = file
	return tree, nil
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

// outDir is where the configuration wants the cards, relative to the working
// directory.
func (p *project) outDir(c *config.Config) string {
	out := filepath.FromSlash(c.Out)
	if filepath.IsAbs(out) {
		return out
	}
	return filepath.FromSlash(p.Show(p.Base)(filepath.ToSlash(out)))
}

// output opens the output directory that the configuration names, for nobody who
// proposes a change of it may choose where on the machine is written.
func (p *project) output(c *config.Config) (*paths.Dir, diag.List) {
	d, err := p.Output(c.Out, paths.Committed)
	if err == nil {
		d.Name = filepath.ToSlash(p.outDir(c))
		p.Keep(d)
		return d, nil
	}
	span := diag.Span{File: p.config}
	if n := c.Node.Get("out"); n != nil {
		span = n.Span
	}
	return nil, diag.List{diag.New("config-value", span, "the output directory %q cannot be used: %s", c.Out, safefile.Reason(err)).
		WithPointer("/out").
		WithHint("choose one inside the project, or give it on the command line with --out")}
}

// checkOut refuses an output directory inside a directory of skills: the next
// run would read what this one wrote. A source that is the project itself is
// meant to hold the output.
func (p *project) checkOut(c *config.Config, out *paths.Dir, given []string) error {
	for i := range c.Agents {
		for _, s := range c.Agents[i].Skills.From {
			by := paths.Committed
			if slices.Contains(given, s.Path) {
				by = paths.Typed
			}
			dir, err := p.Real(s.Path, by)
			if err == nil && paths.Inside(dir, out.Path) && !paths.Inside(dir, p.Base) {
				return usageError("choose a directory beside it with --out", "the output directory %s lies inside the skills directory %s", out.Name, s.Path)
			}
		}
	}
	return nil
}
