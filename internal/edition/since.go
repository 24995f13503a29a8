package edition

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/git"
	"cardwright/internal/paths"
	"cardwright/internal/safefile"
	"cardwright/internal/tree"
)

// Since compares the work tree with a commit. A pull request may have
// changed every file in it, the configuration included, so the commit says as
// well which directories hold cards. Two commits, as in A..B, are compared with
// each other.
func (o Opener) Since(ctx context.Context, rev string, names ...string) (c Compared, err error) {
	start, err := o.workTree()
	if err != nil {
		return c, err
	}
	repo := git.Repository{Root: start.Root, Getenv: o.Getenv}
	from, to, ranged := strings.Cut(rev, "..")
	if ranged {
		from, to = cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD")
	}
	commit, err := repo.Commit(ctx, from)
	later := commit
	if err == nil && ranged {
		later, err = repo.Commit(ctx, to)
	}
	if err != nil {
		return c, gitError(err)
	}
	commits := slices.Compact([]string{commit, later})
	places, trees, tree, err := o.toCompare(ctx, repo, start, commits, names)
	if err != nil {
		return c, err
	}
	if c.Older, err = o.committed(ctx, repo, commit, from, places, tree); err != nil {
		return c, gitError(err)
	}
	if !tree { // a card, or a directory that is gone
		tree = slices.ContainsFunc(c.Older.Files, func(file string) bool { return file != places[0] })
		c.Older.Tree = tree
	}
	switch {
	case ranged:
		if c.Newer, err = o.committed(ctx, repo, later, to, places, tree); err != nil {
			err = gitError(err)
		}
	case tree:
		c.Newer, err = o.now(start, c.Older, places)
	default:
		c.Newer, err = o.Open(names[0])
	}
	if err != nil {
		return c, err
	}
	if tree {
		c.Before, c.After = InPlace(c.Older, c.Newer, trees)
	} else {
		c.Before, c.After = Pair(c.Older, c.Newer)
	}
	return c, nil
}

// toCompare returns the places in the work tree that are compared, whether these are
// directories, and the trees in them: what the configurations of the commits name, or
// the one place that is named instead.
func (o Opener) toCompare(ctx context.Context, repo git.Repository, start workTree, commits, names []string) (
	places []string, trees []Tree, tree bool, err error,
) {
	for _, commit := range commits {
		more, err := o.trees(ctx, repo, commit, start)
		trees = joined(trees, more)
		if err != nil && len(names) == 0 {
			return nil, nil, false, err
		}
		if err != nil {
			break
		}
	}
	if len(names) == 1 {
		place, tree, err := start.place(names[0], paths.Typed)
		return []string{place}, []Tree{{Dir: place, Agents: agentsOf(trees)}}, tree, err
	}
	for _, t := range trees {
		places = append(places, t.Dir)
	}
	return places, trees, true, nil
}

// joined are the trees of both lists, each directory once.
func joined(trees, more []Tree) []Tree {
	for _, t := range more {
		if !slices.ContainsFunc(trees, func(o Tree) bool { return o.Dir == t.Dir }) {
			trees = append(trees, t)
		}
	}
	return trees
}

// gitError makes what git could not answer an error of the command line.
func gitError(err error) error {
	if failed, ok := errors.AsType[*git.Error](err); ok {
		return diag.UsageError(failed.Hint, "%s", failed.Message)
	}
	return err
}

// workTree is the directory that a comparison with a commit starts from, in a
// git work tree.
type workTree struct {
	paths.Project
	config string // slash path of the configuration below the root, "" when there is none
	getenv func(name string) (string, bool)
}

func (o Opener) workTree() (workTree, error) {
	p, err := o.Project()
	if err != nil {
		return workTree{}, err
	}
	defer p.Close()
	w := workTree{Project: p.Project, getenv: o.Getenv}
	if p.Config != "" {
		w.config = p.InTree(p.Config)
	}
	here, err := paths.Around(".")
	if err != nil {
		return w, diag.UsageError("", "cannot find the working directory: %s", safefile.Reason(err))
	}
	w.Base = here.Base
	return w, nil
}

// below returns the slash path of a file below the root of the work tree.
func (w workTree) below(name string) (string, error) {
	rel, err := filepath.Rel(w.Root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", diag.UsageError("run the command in the git work tree of the cards, for example with -C DIR",
			"%s is outside the git work tree %s", diag.Quote(name), diag.Quote(w.Root))
	}
	return filepath.ToSlash(rel), nil
}

// place returns the path of a file or directory in the work tree, and whether it
// is a directory. A link on the way is refused: what lies behind it has no place
// in the commit.
func (w workTree) place(name string, by paths.Author) (file string, dir bool, err error) {
	d, err := w.Output(name, by)
	if link, ok := errors.AsType[*paths.LinkError](err); ok {
		return "", false, diag.UsageError("name the directory that it points to",
			"%s is a symbolic link, which cannot be compared", diag.Quote(filepath.ToSlash(link.Link)))
	}
	if err != nil {
		return "", false, diag.UsageError("run the command in the git work tree of the cards, for example with -C DIR",
			"cannot compare %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	defer d.Close()
	file, err = w.below(d.Path)
	return file, len(d.Rest) == 0, err
}

// trees are the output directories that the configuration names, in the commit
// and now.
func (o Opener) trees(ctx context.Context, repo git.Repository, commit string, w workTree) ([]Tree, error) {
	if w.config == "" && o.ConfigFile == "" {
		w.config, _ = w.below(filepath.Join(w.Base, config.FileNames()[0]))
	}
	if w.config == "" {
		return nil, errNoOut()
	}
	names := []string{w.config}
	if o.ConfigFile == "" {
		names = nil
		for _, name := range config.FileNames() {
			names = append(names, path.Join(path.Dir(w.config), name))
		}
	}
	const limit = 1 << 20
	files, err := repo.Files(ctx, commit, names, limit, func(file string) bool { return slices.Contains(names, file) })
	if err != nil {
		return nil, gitError(err)
	}
	var trees []Tree
	add := func(name string, data []byte, in fs.FS) error {
		t, err := w.tree(name, data, in)
		if err == nil && !slices.ContainsFunc(trees, func(o Tree) bool { return o.Dir == t.Dir }) {
			trees = append(trees, t)
		}
		return err
	}
	for _, name := range names { // the first that there is, as now
		if i := slices.IndexFunc(files, func(f git.File) bool { return f.Path == name }); i >= 0 {
			in, err := committedConfig(ctx, repo, commit, files[i])
			if err != nil {
				return nil, err
			}
			if err := add(name, files[i].Data, in); err != nil {
				return nil, err
			}
			break
		}
	}
	p, err := o.Project()
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if p.Config == "" {
		if trees == nil {
			return nil, errNoOut()
		}
		return trees, nil
	}
	data, err := p.ReadConfig(limit)
	if err != nil {
		return nil, err
	}
	return trees, add(w.config, data, p.Whole.FS)
}

func errNoOut() error {
	return diag.UsageError("cardwright diff --git main dist",
		"there is no cardwright.yaml that names the output directory")
}

// tree is the output directory of a configuration. Faults that do not concern it
// are for generate to report.
func (w workTree) tree(name string, data []byte, in fs.FS) (Tree, error) {
	files := &config.Files{FS: in, Name: name, Show: func(file string) string { return file }}
	cfg, _ := config.Load(data, config.Options{File: name, Getenv: w.getenv, Files: files})
	if cfg == nil {
		return Tree{}, diag.UsageError("run cardwright lint to see what is wrong with it",
			"the configuration %s cannot be read", diag.Quote(name))
	}
	w.Base = filepath.Join(w.Root, filepath.FromSlash(path.Dir(name)))
	place, _, err := w.place(cfg.Out, paths.Committed)
	if err != nil {
		return Tree{}, err
	}
	t := Tree{Dir: place, Agents: map[string]string{}}
	for i := range cfg.Agents {
		t.Agents[cfg.Dir(&cfg.Agents[i])] = cfg.Agents[i].ID
	}
	return t, nil
}

// agentsOf are the agents of trees by their directory, those of the first first.
func agentsOf(trees []Tree) map[string]string {
	all := map[string]string{}
	for _, t := range slices.Backward(trees) {
		maps.Copy(all, t.Agents)
	}
	return all
}

// committed opens a card or directories as they are in a commit. What is not in
// the commit is an edition without cards.
func (o Opener) committed(ctx context.Context, repo git.Repository, commit, rev string, places []string,
	whole bool,
) (*Edition, error) {
	matters := func(file string) bool { return Matters(file) || slices.Contains(places, file) }
	files, err := repo.Files(ctx, commit, places, max(o.Limits.WithDefaults().Card, tree.MaxManifest), matters)
	if err != nil {
		return nil, err
	}
	e := &Edition{
		Tree: whole, Show: func(file string) string { return rev + ":" + file },
		Limits: o.Limits,
	}
	byPath := map[string]git.File{}
	for _, f := range files {
		e.Files = append(e.Files, f.Path)
		byPath[f.Path] = f
	}
	e.Read = func(file string, limit int) ([]byte, error) {
		switch f, ok := byPath[file]; {
		case !ok:
			return nil, fs.ErrNotExist
		case f.Link:
			return nil, &safefile.NotRegularError{Name: file, Kind: "a symbolic link"}
		case f.Size > limit:
			return nil, &safefile.TooLargeError{Name: file, Limit: limit}
		default:
			return f.Data, nil
		}
	}
	return e, nil
}

// now opens directories as they are now. What the commit has is
// looked for at its place even where no search goes.
func (o Opener) now(w workTree, older *Edition, places []string) (*Edition, error) {
	show := o.Space.Show(w.Root)
	all, err := o.Space.Tree(w.Root, show)
	if err != nil {
		return nil, err
	}
	root := all.FS
	e := &Edition{
		Tree: true, Show: show, Limits: o.Limits,
		Read: func(file string, limit int) ([]byte, error) { return safefile.ReadFile(root, file, limit) },
	}
	for _, dir := range places {
		files, err := cardFiles(root, dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, diag.UsageError("", "cannot read %s: %s", diag.Quote(dir), safefile.Reason(err))
		}
		e.Files = append(e.Files, files...)
	}
	for _, file := range older.Files {
		if _, err := fs.Stat(root, file); err == nil {
			e.Files = append(e.Files, file)
		}
	}
	slices.Sort(e.Files)
	e.Files = slices.Compact(e.Files)
	return e, nil
}
