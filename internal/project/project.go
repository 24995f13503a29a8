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
	names := config.FileNames()
	if configFile != "" {
		names = []string{configFile}
		dir, err := p.Workspace.Folder(filepath.Dir(configFile))
		if err == nil {
			p.Workspace.Checkout, err = files.Around(dir.Path)
		}
		if err != nil {
			return nil, diag.UsageError("", "cannot read %q: %s", configFile, files.Reason(err))
		}
	}
	var err error
	p.Whole, err = p.Workspace.tree(p.Workspace.Checkout.Root, p.Workspace.show(p.Workspace.Checkout.Root))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range names {
		s.Watcher.File(filepath.Join(p.Workspace.Checkout.Base, filepath.Base(name)))
		if _, err := fs.Lstat(p.Whole.FS, p.inTree(name)); err == nil || configFile != "" {
			found = append(found, name)
		}
	}
	if len(found) == 0 && above {
		if found = p.above(names); len(found) == 1 {
			if p, err = s.OpenProject(found[0], false); err != nil {
				return nil, err
			}
			p.Above = true
			return p, nil
		}
	}
	switch {
	case len(found) > 1:
		return nil, diag.UsageError("delete one of them, or name one with --config",
			"there are two configurations: %s and %s", filepath.ToSlash(found[0]), filepath.ToSlash(found[1]))
	case len(found) == 1:
		p.Config, p.file = filepath.ToSlash(found[0]), p.inTree(found[0])
	}
	return p, nil
}

// above finds the configurations in the next directory above the working directory
// that has any, up to the root of the project.
func (p *Project) above(names []string) (found []string) {
	up := ""
	top := p.Workspace.Checkout.Root
	for dir := p.Workspace.Checkout.Base; dir != top && files.Inside(top, dir); {
		dir = filepath.Dir(dir)
		up = filepath.Join(up, "..")
		for _, name := range names {
			inTree, err := filepath.Rel(top, filepath.Join(dir, name))
			if err != nil {
				return nil
			}
			p.Workspace.Watcher.File(filepath.Join(dir, name))
			if info, err := fs.Lstat(p.Whole.FS, filepath.ToSlash(inTree)); err == nil && !info.IsDir() {
				found = append(found, filepath.Join(up, name))
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// Configures reports whether a file that findings name is part of the configuration.
func (p *Project) Configures(file string) bool {
	return p != nil && (file == p.Config || slices.Contains(p.Parts, file))
}

// inTree is where a configuration lies in the tree of the project.
func (p *Project) inTree(name string) string {
	rel, err := filepath.Rel(p.Workspace.Checkout.Root, filepath.Join(p.Workspace.Checkout.Base, filepath.Base(name)))
	if err != nil {
		return "" // which no file has
	}
	return filepath.ToSlash(rel)
}

// readConfig reads the configuration, which must lie inside the project.
func (p *Project) readConfig(limit int) ([]byte, error) {
	data, err := files.ReadFile(p.Whole.FS, p.file, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.UsageError("run cardwright init to create one", "no configuration at %q", p.Config)
	}
	if large, ok := errors.AsType[*files.TooLargeError](err); ok {
		return nil, diag.UsageError("",
			"cannot read the configuration %q: it has more than %d bytes", p.Config, large.Limit)
	}
	if err != nil {
		return nil, diag.UsageError("", "cannot read the configuration %q: %s", p.Config, files.Reason(err))
	}
	return data, nil
}

// configFiles is where the configuration finds the files that it names.
func (p *Project) configFiles() *config.Files {
	return &config.Files{FS: p.Whole.FS, Name: p.file, Show: p.Whole.Show}
}

// OpenSource finds the path of a source that the configuration names.
// It must lie inside the project: what is read ends up in findings that others can
// see.
func (p *Project) OpenSource(name string, _ diag.Span) (mapping.Tree, error) {
	_, file, err := p.Workspace.Checkout.Source(name, files.Committed)
	if err != nil {
		return mapping.Tree{}, err
	}
	tree := p.Whole
	tree.Root = file
	return tree, nil
}

// OutDir is where the configuration wants the cards, relative to the working
// directory.
func (p *Project) OutDir(c *config.Config) string {
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
		d.Name = filepath.ToSlash(p.OutDir(c))
		p.Workspace.keep(d.Close)
		return d, nil
	}
	if files.Refused(err) {
		_ = p.Workspace.Unread.note(filepath.ToSlash(p.OutDir(c)), err)
		return nil, p.Workspace.Unread.Findings()
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

// Served is what is in the directory that was named.
func (p *Project) Served(name string) (fs.FS, error) {
	d, err := p.Workspace.Checkout.Input(name, files.Typed)
	if err != nil {
		return nil, err
	}
	p.Workspace.keep(d.Close)
	if len(d.Rest) > 0 {
		return nil, fs.ErrNotExist
	}
	return files.RootOf(d.Root)
}
