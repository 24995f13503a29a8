package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/internal/watch"
)

// project is the directory tree that a run reads from: the git work tree
// around the configuration, or its directory where there is none. Nothing
// outside of it is read through a link or a path of the configuration.
type project struct {
	root   string // absolute, links resolved
	base   string // absolute directory that paths of the configuration start at
	config string // the configuration as findings show it, "" when there is none
	trees  []generate.Tree
	dirs   []string // absolute root of each tree
	roots  []*source.Root
	// watcher is told what is read, nil when nobody waits for changes.
	watcher *watch.Watcher
}

// close closes the trees. Excerpts can no longer be shown then.
func (p *project) close() {
	for _, r := range p.roots {
		_ = r.Close() // it was only read
	}
}

// configNames are looked for where --config names no file.
var configNames = []string{"cardwright.yaml", "cardwright.yml"}

// openProject finds the configuration and opens the tree around it.
func (a *app) openProject() (*project, error) {
	name, names := a.configFile, []string{a.configFile}
	if name == "" {
		names = configNames
	}
	base, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	for _, n := range names {
		a.watcher.File(filepath.Join(base, filepath.Base(n)))
	}
	if name == "" {
		for _, n := range configNames {
			if _, err := os.Lstat(n); err == nil {
				name = n
				break
			}
		}
	}
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, usageError("", "cannot read %q: %s", name, reason(err))
	}
	p := &project{root: workTree(base), base: base, config: filepath.ToSlash(name), watcher: a.watcher}
	_, err = p.open(p.root, p.show(p.root))
	return p, err
}

// workTree is the nearest directory at or above dir that git works in, or dir.
func workTree(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// open adds a tree; show spells the files in it.
func (p *project) open(dir string, show func(string) string) (generate.Tree, error) {
	root, err := source.OpenRoot(dir)
	if err != nil {
		return generate.Tree{}, fmt.Errorf("opening %s: %w", dir, err)
	}
	tree := generate.Tree{FS: p.watcher.FS(root, dir), Root: ".", Show: show}
	p.trees, p.dirs, p.roots = append(p.trees, tree), append(p.dirs, dir), append(p.roots, root)
	return tree, nil
}

// show spells a file of the tree at dir relative to the working directory.
func (p *project) show(dir string) func(string) string {
	working, err := os.Getwd()
	if err == nil {
		working, err = filepath.EvalSymlinks(working)
	}
	below := "" // where in dir the working directory is, "" when it is elsewhere
	if rel, e := filepath.Rel(dir, working); err == nil && e == nil && filepath.IsLocal(rel) {
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
		if err == nil {
			if rel, err := filepath.Rel(working, full); err == nil {
				full = rel
			}
		}
		return filepath.ToSlash(full)
	}
}

// readConfig reads the configuration, which must lie inside the project.
func (p *project) readConfig(limit int) ([]byte, error) {
	rel, err := filepath.Rel(p.root, filepath.Join(p.base, filepath.Base(p.config)))
	if err != nil {
		return nil, fmt.Errorf("finding the configuration: %w", err)
	}
	data, err := source.ReadFile(p.trees[0].FS, filepath.ToSlash(rel), limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError("cardwright init writes one to start from", "no configuration at %q", p.config)
	}
	if large, ok := errors.AsType[*source.TooLargeError](err); ok {
		return nil, usageError("raise the bound with --limit source=N", "cannot read the configuration %q: it has more than %d bytes", p.config, large.Limit)
	}
	if err != nil {
		return nil, usageError("", "cannot read the configuration %q: %s", p.config, reason(err))
	}
	return data, nil
}

// source finds the path of a source that the configuration names. It must lie
// inside the project: what is read ends up in findings that others can see.
func (p *project) source(name string) (generate.Tree, error) {
	full := filepath.FromSlash(name)
	if !filepath.IsAbs(full) {
		full = filepath.Join(p.base, full)
	}
	rel, err := filepath.Rel(p.root, full)
	if err != nil || !filepath.IsLocal(rel) {
		return generate.Tree{}, errors.New("leads outside the project; give the directory on the command line instead")
	}
	tree := p.trees[0]
	tree.Root = filepath.ToSlash(rel)
	return tree, nil
}

// directory finds a source that was given on the command line. It may be
// anywhere: who typed it meant it.
func (p *project) directory(name string) (generate.Tree, error) {
	full, err := filepath.Abs(name)
	if err == nil {
		full, err = filepath.EvalSymlinks(full)
	}
	if err != nil {
		return generate.Tree{}, err
	}
	if rel, err := filepath.Rel(p.root, full); err == nil && filepath.IsLocal(rel) {
		tree := p.trees[0]
		tree.Root = filepath.ToSlash(rel)
		return tree, nil
	}
	info, err := os.Stat(full)
	if err != nil {
		return generate.Tree{}, err
	}
	root := "."
	if !info.IsDir() {
		full, root = filepath.Split(full)
		name = filepath.Dir(name)
	}
	prefix := filepath.ToSlash(filepath.Clean(name))
	tree, err := p.open(full, func(n string) string { return strings.TrimSuffix(prefix, "/") + "/" + n })
	tree.Root = filepath.ToSlash(root)
	return tree, err
}

// outDir is where the configuration wants the cards, relative to the working
// directory.
func (p *project) outDir(c *config.Config) string {
	out := filepath.FromSlash(c.Out)
	if filepath.IsAbs(out) {
		return out
	}
	return filepath.FromSlash(p.show(p.base)(filepath.ToSlash(out)))
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
		if data, err := source.ReadFile(p.trees[i].FS, filepath.ToSlash(rel), 4<<20); err == nil {
			return lint.Mask(data)
		}
	}
	return nil
}

// outside refuses an output directory that the configuration puts outside of the
// project, be it through a link: who proposes a change of it may not choose
// where on the machine is written.
func (p *project) outside(c *config.Config, out string) diag.List {
	if within(p.root, resolved(out)) {
		return nil
	}
	span := diag.Span{File: p.config}
	if n := c.Node.Get("out"); n != nil {
		span = n.Span
	}
	return diag.List{{
		Rule: "config-value", Severity: diag.Error, Span: span, Pointer: "/out",
		Message: fmt.Sprintf("the output directory %q leads outside the project", filepath.ToSlash(out)),
		Hint:    "choose one inside, or give it on the command line with --out",
	}}
}

// checkOut refuses an output directory inside a directory of skills: the next
// run would read what this one wrote. A source that is the project itself is
// meant to hold the output.
func (p *project) checkOut(c *config.Config, out string, given []string) error {
	target := resolved(out) // once for all: that looks at every directory on the way
	for i := range c.Agents {
		for _, s := range c.Agents[i].Skills.From {
			dir := filepath.Join(p.base, filepath.FromSlash(s.Path))
			if slices.Contains(given, s.Path) {
				dir = s.Path
			}
			if dir = resolved(dir); within(dir, target) && !within(dir, resolved(p.base)) {
				return usageError("choose a directory beside it with --out", "the output directory %s lies inside the skills directory %s", out, s.Path)
			}
		}
	}
	return nil
}
