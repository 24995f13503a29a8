package project

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/git"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// since compares the two states that a revision asks for. A pull request may have
// changed every file of the later one, the configuration included, so each state says
// for itself which directory holds its cards. Where the earlier one has a configuration
// and no cards, both are made from their sources.
func (o Opener) since(ctx context.Context, rev string, names ...string) (c Compared, err error) {
	h, err := o.history()
	if err != nil {
		return c, err
	}
	older, newer, err := h.states(ctx, rev)
	if err != nil {
		return c, err
	}
	trees, err := h.trees(older, newer)
	if err != nil && len(names) == 0 {
		return c, err
	}
	places := make([]string, len(trees))
	for i, t := range trees {
		places[i] = t.Dir
	}
	whole := true
	if len(names) == 1 {
		place, dir, err := h.place(names[0], files.Typed)
		if err != nil {
			return c, err
		}
		whole, places, trees = dir, []string{place}, []EditionTree{{Dir: place, Agents: agentsOf(trees)}}
	}
	c.Older = o.committed(older, places)
	if !whole { // a card, or a directory that is gone
		whole = slices.ContainsFunc(c.Older.Files, func(file string) bool { return file != places[0] })
	}
	c.Older.Tree = whole
	switch {
	case len(names) == 0 && len(c.Older.Files) == 0 && older.Config != "":
		return o.made(ctx, h, older, newer, trees)
	case newer.commit != nil:
		c.Newer = o.committed(newer, places)
		c.Newer.Tree = whole
	case whole:
		c.Newer, err = o.now(h.Checkout, c.Older, places)
	default:
		c.Newer, err = o.Open(names[0])
	}
	if err != nil {
		return c, err
	}
	if !whole {
		c.Before, c.After = Pair(c.Older, c.Newer)
		return c, nil
	}
	c.inPlace(trees)
	return c, nil
}

// inPlace matches the cards of both sides.
func (c *Compared) inPlace(trees []EditionTree) {
	if len(trees) == 2 && c.Newer.leaves(trees[0], trees[1]) && c.Older.leaves(trees[1], trees[0]) {
		c.Older = c.Older.moved(trees[0], trees[1])
		trees = trees[1:]
	}
	c.Before, c.After = InPlace(c.Older, c.Newer, trees)
}

// leaves reports whether an edition has no file in a tree but those of another.
func (e *Edition) leaves(t, other EditionTree) bool {
	return !slices.ContainsFunc(e.Files, func(file string) bool {
		_, in := t.below(file)
		_, elsewhere := other.below(file)
		return in && (!elsewhere || len(t.Dir) > len(other.Dir))
	})
}

// moved is the edition with the files of one tree in another.
func (e *Edition) moved(from, to EditionTree) *Edition {
	was := make(map[string]string, len(e.Files))
	out := *e
	out.Files = nil
	for _, file := range e.Files {
		name := file
		if below, ok := from.below(file); ok {
			name = path.Join(to.Dir, below)
		}
		was[name] = file
		out.Files = append(out.Files, name)
	}
	slices.Sort(out.Files)
	out.Read = func(file string, limit int) ([]byte, error) { return e.Read(cmp.Or(was[file], file), limit) }
	out.Show = func(file string) string { return e.Show(cmp.Or(was[file], file)) }
	return &out
}

// gitError makes what git could not answer an error of the command line.
func gitError(err error) error {
	if failed, ok := errors.AsType[*git.Error](err); ok {
		return diag.UsageError(failed.Hint, "%s", failed.Message)
	}
	return err
}

// history is the project whose states are compared.
type history struct {
	*Project
	repo git.Repository
}

// state is one side of a comparison: the project in a commit, or now.
type state struct {
	*Project
	name   string        // of the commit
	commit *git.Snapshot // nil for the work tree
}

func (o Opener) history() (*history, error) {
	p, err := o.Project()
	if err != nil {
		return nil, err
	}
	o.Space.keep(func() error {
		p.Close()
		return nil
	})
	return &history{p, git.Repository{Root: p.Root, Getenv: o.Getenv}}, nil
}

func (h *history) states(ctx context.Context, rev string) (older, newer state, err error) {
	sides, err := h.repo.Sides(ctx, rev)
	if err != nil {
		return older, newer, gitError(err)
	}
	if older, err = h.state(ctx, sides.From, sides.FromName); err != nil {
		return older, newer, err
	}
	newer = state{Project: h.Project}
	if sides.To != "" {
		newer, err = h.state(ctx, sides.To, sides.ToName)
	}
	return older, newer, err
}

func (h *history) state(ctx context.Context, commit, name string) (state, error) {
	s, err := h.repo.Snapshot(ctx, commit)
	if err != nil {
		return state{}, gitError(err)
	}
	h.keep(s.Close)
	return state{h.at(s, func(file string) string { return name + ":" + file }), name, s}, nil
}

// place returns the slash path of a file or directory below the root of the work tree,
// and whether it is a directory. A link on the way is refused: what lies behind it has
// no place in the commit.
func (h *history) place(name string, by files.Author) (file string, dir bool, err error) {
	const hint = "run the command in the git work tree of the cards, for example with -C DIR"
	d, err := h.Output(name, by)
	if link, ok := errors.AsType[*files.LinkError](err); ok {
		return "", false, diag.UsageError("name the directory that it points to",
			"%s is a symbolic link, which cannot be compared", diag.Quote(filepath.ToSlash(link.Link)))
	}
	if err != nil {
		return "", false, diag.UsageError(hint, "cannot compare %s: %s", diag.Quote(name), files.Reason(err))
	}
	defer d.Close()
	rel, err := filepath.Rel(h.Root, d.Path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false, diag.UsageError(hint, "%s is outside the git work tree %s", diag.Quote(d.Path), diag.Quote(h.Root))
	}
	return filepath.ToSlash(rel), len(d.Rest) == 0, nil
}

// trees are the output directories that the configurations of the states name, each
// once.
func (h *history) trees(states ...state) ([]EditionTree, error) {
	var trees []EditionTree
	for _, s := range states {
		if s.Config == "" {
			continue
		}
		t, err := h.tree(s)
		if err != nil {
			return trees, err
		}
		i := slices.IndexFunc(trees, func(o EditionTree) bool { return o.Dir == t.Dir })
		if i < 0 {
			trees = append(trees, t)
			continue
		}
		trees[i].Agents = agentsOf([]EditionTree{trees[i], t})
	}
	if trees == nil {
		return nil, diag.UsageError("cardwright diff --git main dist",
			"there is no cardwright.yaml that names the output directory")
	}
	return trees, nil
}

// tree is the output directory of a configuration. Faults that do not concern it
// are for generate to report.
func (h *history) tree(s state) (EditionTree, error) {
	data, err := s.readConfig(1 << 20)
	if err != nil {
		return EditionTree{}, err
	}
	cfg, _ := config.Load(data, config.Options{File: s.Config, Getenv: h.repo.Getenv, Files: s.configFiles()})
	if cfg == nil {
		return EditionTree{}, diag.UsageError("run cardwright lint to see what is wrong with it",
			"the configuration %s cannot be read", diag.Quote(s.Config))
	}
	place, _, err := h.place(cfg.Out, files.Committed)
	if err != nil {
		return EditionTree{}, err
	}
	t := EditionTree{Dir: place, Agents: map[string]string{}}
	for i := range cfg.Agents {
		t.Agents[cfg.Dir(&cfg.Agents[i])] = cfg.Agents[i].ID
	}
	return t, nil
}

// agentsOf are the agents of trees by their directory, those of the first first.
func agentsOf(trees []EditionTree) map[string]string {
	all := map[string]string{}
	for _, t := range slices.Backward(trees) {
		maps.Copy(all, t.Agents)
	}
	return all
}

// committed opens a card or directories as they are in a commit. What is not in
// the commit is an edition without cards.
func (o Opener) committed(s state, places []string) *Edition {
	found := slices.DeleteFunc(s.commit.Files(places...), func(file string) bool {
		return !matters(file) && !slices.Contains(places, file)
	})
	return &Edition{
		Files: found, Show: s.Whole.Show, Limits: o.Limits,
		Read: func(file string, limit int) ([]byte, error) {
			info, err := s.commit.Lstat(file)
			if err == nil && !info.Mode().IsRegular() {
				err = &files.NotRegularError{Name: file, Kind: files.FileKind(info.Mode())}
			}
			if err != nil {
				return nil, err
			}
			return files.ReadFile(s.commit, file, limit)
		},
	}
}

// now opens directories as they are now. What the commit has is
// looked for at its place even where no search goes.
func (o Opener) now(p files.Checkout, older *Edition, places []string) (*Edition, error) {
	show := o.Space.show(p.Root)
	all, err := o.Space.tree(p.Root, show)
	if err != nil {
		return nil, err
	}
	root := all.FS
	e := &Edition{
		Tree: true, Show: show, Limits: o.Limits,
		Read: func(file string, limit int) ([]byte, error) { return files.ReadFile(root, file, limit) },
	}
	for _, dir := range places {
		cards, err := cardFiles(root, dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, diag.UsageError("", "cannot read %s: %s", diag.Quote(dir), files.Reason(err))
		}
		e.Files = append(e.Files, cards...)
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

// made compares the cards that two states make of their sources.
func (o Opener) made(ctx context.Context, h *history, older, newer state, trees []EditionTree) (c Compared, err error) {
	if c.Older, err = o.make(ctx, h, older); err != nil {
		return c, err
	}
	if c.Newer, err = o.make(ctx, h, newer); err != nil {
		return c, err
	}
	c.Note = "the cards are not committed in " + older.name + ", so both sides are generated from their sources"
	c.inPlace(trees)
	return c, nil
}

// make makes the cards of a state, none where it has no configuration.
func (o Opener) make(ctx context.Context, h *history, s state) (*Edition, error) {
	e := &Edition{Tree: true, Show: s.Whole.Show, Limits: o.Limits}
	if s.Config == "" {
		return e, nil
	}
	t, err := h.tree(s)
	if err != nil {
		return nil, err
	}
	made, found, err := publicFiles(ctx, s.Project, Options{Options: config.Options{Limits: o.Limits, Getenv: o.Getenv}})
	if err != nil {
		return nil, err
	}
	e.Found = found
	content := map[string]tree.File{}
	manifest := tree.File{Path: tree.ManifestName, Data: schema.Write(tree.Manifest{Files: tree.Entries(made)}.Node())}
	for _, f := range append(slices.Clip(made), manifest) {
		if name := path.Join(t.Dir, f.Path); matters(f.Path) {
			e.Files, content[name] = append(e.Files, name), f
		}
	}
	slices.Sort(e.Files)
	e.Read = func(file string, _ int) ([]byte, error) { return content[file].Data, nil }
	return e, nil
}
