package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/mapping"

	"cardwright/internal/cardfile"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/secret"
	"cardwright/internal/source"
	"cardwright/internal/watch"
)

// project is the directory tree that a run reads from: the git work tree
// around the configuration, or its directory where there is none. Nothing
// outside of it is read through a link or a path of the configuration.
type project struct {
	paths.Project
	working string   // the working directory: absolute, links resolved
	config  string   // the configuration as findings show it, "" when there is none
	parts   []string // its files, likewise, once it is loaded
	trees   []mapping.Tree
	dirs    []string // absolute root of each tree
	open    []io.Closer
	// watcher is told what is read, nil when nobody waits for changes.
	watcher *watch.Watcher

	interrupted <-chan struct{} // closed when the user wants the run to end
}

// close closes the trees. Excerpts can no longer be shown then.
func (p *project) close() {
	for _, c := range p.open {
		_ = c.Close() // it was only read, or what was written is safe already
	}
}

// workplace is the project around the working directory, for commands that the
// configuration does not concern.
func (a *app) workplace() (*project, error) {
	around, err := paths.Around(".")
	if err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	return &project{Project: around, working: around.Base, watcher: a.watcher, interrupted: a.interrupted}, nil
}

// openProject finds the configuration and opens the tree around it.
func (a *app) openProject() (*project, error) {
	p, err := a.workplace()
	if err != nil {
		return nil, err
	}
	names := config.FileNames()
	if a.configFile != "" {
		names = []string{a.configFile}
		dir, err := p.folder(filepath.Dir(a.configFile))
		if err == nil {
			p.Project, err = paths.Around(dir.Path)
		}
		if err != nil {
			return nil, usageError("", "cannot read %q: %s", a.configFile, safefile.Reason(err))
		}
	}
	tree, err := p.tree(p.Root, p.show(p.Root))
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Backward(names) {
		a.watcher.File(filepath.Join(p.Base, filepath.Base(name)))
		if _, err := fs.Lstat(tree.FS, p.inProject(name)); err == nil || a.configFile != "" {
			p.config = filepath.ToSlash(name)
		}
	}
	return p, nil
}

// configures tells whether a file that findings name is part of the configuration.
func (p *project) configures(file string) bool {
	return file == p.config || slices.Contains(p.parts, file)
}

// inProject is where a configuration lies in the tree of the project.
func (p *project) inProject(name string) string {
	rel, err := filepath.Rel(p.Root, filepath.Join(p.Base, filepath.Base(name)))
	if err != nil {
		return "" // which no file has
	}
	return filepath.ToSlash(rel)
}

// tree opens a directory, once; show spells the files in it.
func (p *project) tree(dir string, show func(string) string) (mapping.Tree, error) {
	if i := slices.Index(p.dirs, dir); i >= 0 {
		return p.trees[i], nil
	}
	root, err := safefile.OpenRoot(dir)
	if err != nil {
		return mapping.Tree{}, fmt.Errorf("opening %s: %w", dir, err)
	}
	return p.add(root, dir, show), nil
}

func (p *project) add(root *safefile.Root, dir string, show func(string) string) mapping.Tree {
	tree := mapping.Tree{FS: p.watcher.FS(root, dir), Root: ".", Show: show}
	p.trees, p.dirs, p.open = append(p.trees, tree), append(p.dirs, dir), append(p.open, root)
	return tree
}

// show spells a file of the tree at dir relative to the working directory.
func (p *project) show(dir string) func(string) string {
	below := "" // where in dir the working directory is, "" when it is elsewhere
	if rel, err := filepath.Rel(dir, p.working); err == nil && filepath.IsLocal(rel) {
		below = filepath.ToSlash(rel)
	}
	return func(name string) string {
		// As a rule there is no more to do, and that for many files.
		if below != "" && fs.ValidPath(name) {
			if below == "." {
				return name
			}
			if rest, ok := strings.CutPrefix(name, below+"/"); ok {
				return rest
			}
		}
		full := filepath.Join(dir, filepath.FromSlash(name))
		if rel, err := filepath.Rel(p.working, full); err == nil {
			full = rel
		}
		return filepath.ToSlash(full)
	}
}

// readConfig reads the configuration, which must lie inside the project.
func (p *project) readConfig(limit int) ([]byte, error) {
	data, err := safefile.ReadFile(p.trees[0].FS, p.inProject(p.config), limit)
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
	return &config.Files{FS: p.trees[0].FS, Name: p.inProject(p.config), Show: p.trees[0].Show}
}

// source finds the path of a source that the configuration names. It must lie
// inside the project: what is read ends up in findings that others can see.
func (p *project) source(name string) (mapping.Tree, error) {
	_, file, err := p.Source(name, paths.Committed)
	if err != nil {
		return mapping.Tree{}, fmt.Errorf("%w; a directory elsewhere can be given on the command line", err)
	}
	tree := p.trees[0]
	tree.Root = file
	return tree, nil
}

// directory finds a source or a card that was given on the command line. It may
// be anywhere: who typed it meant it.
func (p *project) directory(name string) (mapping.Tree, error) {
	dir, file, err := p.Source(name, paths.Typed)
	if err != nil {
		return mapping.Tree{}, err
	}
	show := p.show(p.Root)
	if dir != p.Root {
		prefix := paths.Slash(name)
		if file != "." {
			prefix = paths.Join(prefix, "..")
		}
		show = func(n string) string { return strings.TrimSuffix(prefix, "/") + "/" + n }
	}
	tree, err := p.tree(dir, show)
	tree.Root = file
	return tree, err
}

// reader reads cards that the command line names, and opens their directories, so
// that findings can show them.
func (a *app) reader(p *project, limits source.Limits) cardfile.Reader {
	return cardfile.Reader{
		Stdin: a.In, Limits: limits,
		Open: func(name string) (fs.FS, string, error) {
			tree, err := p.directory(name)
			return tree.FS, tree.Root, err
		},
		Folder: func(name string) (fs.FS, error) {
			dir, err := p.folder(name)
			if err != nil {
				return nil, err
			}
			return p.files(dir)
		},
	}
}

// has tells whether anything stands at a path of the command line.
func (p *project) has(name string) bool {
	tree, err := p.directory(name)
	if err == nil {
		_, err = fs.Lstat(tree.FS, tree.Root)
	}
	return err == nil
}

// errNoFolder is returned where a directory is looked for, and there is none.
var errNoFolder = errors.New("it is no directory")

// folder opens a directory that was named on the command line, to read in it.
func (p *project) folder(name string) (*paths.Dir, error) {
	d, err := p.Input(name, paths.Typed)
	if err != nil {
		return nil, err
	}
	p.open = append(p.open, d)
	if len(d.Rest) > 0 {
		if _, err := d.Root.Lstat(d.Rest[0]); err != nil {
			return nil, err
		}
		return nil, errNoFolder
	}
	return d, nil
}

// files shows what is in a directory, which is all that can be reached. Findings
// can quote it.
func (p *project) files(d *paths.Dir) (fs.FS, error) {
	if i := slices.Index(p.dirs, d.Path); i >= 0 {
		return p.trees[i].FS, nil
	}
	root, err := safefile.RootOf(d.Root)
	if err != nil {
		return nil, err
	}
	return p.add(root, d.Path, func(file string) string { return paths.Join(d.Name, file) }).FS, nil
}

// outDir is where the configuration wants the cards, relative to the working
// directory.
func (p *project) outDir(c *config.Config) string {
	out := filepath.FromSlash(c.Out)
	if filepath.IsAbs(out) {
		return out
	}
	return filepath.FromSlash(p.show(p.Base)(filepath.ToSlash(out)))
}

// excerpt reads a file that a finding shows, nil when it cannot be shown. Only
// files of the trees that were opened are shown, and no credentials in them.
func (p *project) excerpt(file string) []byte {
	full, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return nil
	}
	for i, dir := range p.dirs {
		rel, err := filepath.Rel(dir, full)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if data, err := safefile.ReadFile(p.trees[i].FS, filepath.ToSlash(rel), 4<<20); err == nil {
			return secret.Mask(data)
		}
	}
	return nil
}

// output opens the output directory that the configuration names, for nobody who
// proposes a change of it may choose where on the machine is written.
func (p *project) output(c *config.Config) (*paths.Dir, diag.List) {
	d, err := p.Output(c.Out, paths.Committed)
	if err == nil {
		d.Name = filepath.ToSlash(p.outDir(c))
		p.open = append(p.open, d)
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

// named opens a directory to write in that a flag names.
func (p *project) named(flag, name string) (*paths.Dir, error) {
	d, err := p.Output(name, paths.Typed)
	if err != nil {
		return nil, unwritable(flag+" "+name, err)
	}
	p.open = append(p.open, d)
	return d, nil
}

// parent opens the directory of a file that a flag names, to write it. Where
// something else than a file has its place nothing is done at all.
func (p *project) parent(flag, name string) (*paths.Dir, string, error) {
	d, base, err := p.Parent(name)
	if err != nil {
		return nil, "", unwritable(flag+" "+name, err)
	}
	p.open = append(p.open, d)
	if info, err := d.Root.Lstat(base); len(d.Rest) == 0 && err == nil && !info.Mode().IsRegular() {
		return nil, "", unwritable(flag+" "+name, &safefile.NotRegularError{Name: base, Kind: safefile.FileKind(info.Mode())})
	}
	return d, base, nil
}

// write writes a file that the command line names, and tells whether that changed
// it.
func (p *project) write(what, name string, data []byte, sidecars bool) (bool, error) {
	dir, base, err := p.parent(what, name)
	if err != nil {
		return false, err
	}
	return publish.WriteFile(dir, base, data, sidecars)
}

// unwritable says why nothing is written to a place.
func unwritable(place string, err error) error {
	hint := ""
	switch _, link := errors.AsType[*paths.LinkError](err); {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s cannot be written: %s", place, safefile.Reason(err))
	case link:
		hint = "name the place that the link leads to"
	}
	return usageError(hint, "%s cannot be written: %s", place, safefile.Reason(err))
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
