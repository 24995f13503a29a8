package project

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/mapping"
)

// Project is the configuration of a run, and the tree around it: the git work
// tree, or the directory of the configuration where there is none. Nothing outside
// of it is read through a link or a path of the configuration.
type Project struct {
	Workspace *Workspace
	Config    string       // as findings show it, "" when there is none
	Parts     []string     // its files, likewise, once it is loaded
	Above     bool         // the configuration was found in a directory above this one
	Whole     mapping.Tree // the project as a whole
	file      string       // Config, as a path in Whole
}

// OpenProject finds the configuration, which is called configFile where that is not
// "", and opens the tree around it. With above it is looked for in the directories
// above the working directory as well, up to the root of the work tree. Where there are
// two, none is taken: one could be added to replace the other.
func (s *Workspace) OpenProject(configFile string, above bool) (*Project, error) {
	p := &Project{Workspace: s}
	found := []string{configFile}
	var err error
	if configFile == "" {
		found, err = s.findConfig(above)
	}
	if err != nil {
		return nil, err
	}
	switch len(found) {
	case 0:
	case 1:
		dir, err := s.Folder(filepath.Dir(found[0]))
		if err == nil {
			s.Checkout, err = files.Around(dir.Path)
		}
		if err != nil {
			return nil, diag.UsageError("", "cannot read %q: %s", found[0], files.Reason(err))
		}
		s.Watcher.File(filepath.Join(s.Checkout.Base, filepath.Base(found[0])))
		p.Config, p.file = filepath.ToSlash(found[0]), s.below(filepath.Base(found[0]))
		p.Above = configFile == "" && filepath.Dir(found[0]) != "."
	default:
		return nil, diag.UsageError("delete one of them, or name one with --config",
			"there are two configurations: %s and %s", filepath.ToSlash(found[0]), filepath.ToSlash(found[1]))
	}
	p.Whole, err = s.around()
	return p, err
}

// around opens the tree around the working directory, or the configuration.
func (s *Workspace) around() (mapping.Tree, error) {
	root := s.Checkout.Root
	return s.tree(root, at(root), s.show(root))
}

// below is where a file lies in the tree around the working directory.
func (s *Workspace) below(name string) string {
	rel, err := filepath.Rel(s.Checkout.Root, filepath.Join(s.Checkout.Base, name))
	if err != nil {
		return "" // which no file has
	}
	return filepath.ToSlash(rel)
}

// findConfig finds the configurations in the working directory or, with above, in the next
// directory above that has any, up to the root of the tree around.
func (s *Workspace) findConfig(above bool) (found []string, err error) {
	tree, err := s.around()
	if err != nil {
		return nil, err
	}
	for dir, up := s.Checkout.Base, ""; ; dir, up = filepath.Dir(dir), filepath.Join(up, "..") {
		for _, name := range config.FileNames() {
			s.Watcher.File(filepath.Join(dir, name))
			if _, err := fs.Lstat(tree.FS, s.below(filepath.Join(up, name))); err == nil {
				found = append(found, filepath.Join(up, name))
			}
		}
		if found != nil || !above || dir == s.Checkout.Root {
			return found, nil
		}
	}
}

// Configures reports whether a file that findings name is part of the configuration.
func (p *Project) Configures(file string) bool {
	return p != nil && (file == p.Config || slices.Contains(p.Parts, file))
}

// readConfig reads the configuration, which must lie inside the project.
func (p *Project) readConfig(limit int) ([]byte, error) {
	data, err := files.ReadFile(p.Whole.FS, p.file, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.UsageError("run cardwright init to create one", "no configuration at %q", p.Config)
	}
	if err != nil {
		return nil, diag.UsageError("", "cannot read the configuration %q: %s", p.Config, reason(err))
	}
	return data, nil
}

// configFiles is where the configuration finds the files that it names.
func (p *Project) configFiles() *config.Files {
	return &config.Files{FS: p.Whole.FS, Name: p.file, Show: p.Whole.Show}
}

// openSource finds the path of a source that the configuration names.
// It must lie inside the project: what is read ends up in findings that others can
// see.
func (p *Project) openSource(name string) (mapping.Tree, error) {
	_, file, err := p.Workspace.Checkout.Source(name, files.Committed)
	if err != nil {
		return mapping.Tree{}, err
	}
	tree := p.Whole
	tree.Root, tree.Top = file, p.Workspace.Checkout.Root
	return tree, nil
}

// outDir is where the configuration wants the cards, relative to the working
// directory.
func (p *Project) outDir(c *config.Config) string {
	out := filepath.FromSlash(c.Out)
	if filepath.IsAbs(out) {
		return out
	}
	return filepath.FromSlash(p.Workspace.show(p.Workspace.Checkout.Base)(filepath.ToSlash(out)))
}

// OpenOutput opens the output directory that the configuration names, inside the project: a
// pull request must not decide where files are written.
func (p *Project) OpenOutput(c *config.Config) (*files.Dir, diag.List) {
	d, err := p.Workspace.Checkout.Output(c.Out, files.Committed)
	if err == nil {
		d.Name = filepath.ToSlash(p.outDir(c))
		p.Workspace.keep(d.Close)
		return d, nil
	}
	if files.Refused(err) {
		_ = p.Workspace.ReadErrors.note(filepath.ToSlash(p.outDir(c)), err)
		return nil, p.Workspace.ReadErrors.Findings()
	}
	span := diag.Span{File: p.Config}
	if n := c.Node.Get("out"); n != nil {
		span = n.Span
	}
	return nil, diag.List{diag.New(diag.ConfigValue, span, "the output directory %q cannot be used: %s", c.Out,
		files.Reason(err)).
		WithPointer("/out").
		WithHint("choose one inside the project, or give it on the command line with --out")}
}

// checkOut refuses an output directory inside a directory of skills: the next
// run would read what this one wrote. A source that is the project itself is
// meant to hold the output.
func (p *Project) checkOut(c *config.Config, out *files.Dir) error {
	return files.All(c.Agents, func(a config.Agent) error {
		for _, s := range a.Skills.From {
			dir, err := p.Workspace.Checkout.Real(s.Path, files.Committed)
			if files.Refused(err) {
				return diag.UsageError("", "cannot read the source %s: %s", diag.Quote(s.Path), files.Reason(err))
			}
			if err == nil && files.Inside(dir, out.Path) && !files.Inside(dir, p.Workspace.Checkout.Base) {
				return diag.UsageError("choose another directory with --out",
					"the output directory %s is inside the skills directory %s", out.Name, s.Path)
			}
		}
		return nil
	})
}
