package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// Opener opens the two sides of a comparison.
type Opener struct {
	Reader
	Options Options
	Config  string // the name of the configuration, "" for the usual ones
}

// Compare opens the two sides that the command line names: each is a card, "-", a tree or
// a project. A card compares with the card of a tree of one agent.
func (o Opener) Compare(ctx context.Context, names []string) (c Compared, err error) {
	switch {
	case len(names) != 2:
		return c, diag.UsageError("cardwright diff OLD NEW", "diff needs an old and a new card, tree or project")
	case names[0] == "-" && names[1] == "-":
		return c, diag.UsageError("", "only one of the two cards can be stdin")
	}
	if c.Older, err = o.Open(ctx, names[0]); err != nil {
		return c, err
	}
	if c.Newer, err = o.Open(ctx, names[1]); err != nil {
		return c, err
	}
	if c.Older.Empty { // and everything is new
		c.Older.Found = nil
	}
	before, after := c.Older.byDirectory(), c.Newer.byDirectory()
	if c.Older.Tree != c.Newer.Tree {
		if len(before) != 1 || len(after) != 1 {
			return c, diag.UsageError("name two cards or two directories", "a card cannot be compared with several")
		}
		before, after = unnamed(before), unnamed(after)
	} else {
		addLegacy(c.Older, c.Newer, before, after)
	}
	c.Before, c.After = c.Older.open(before), c.Newer.open(after)
	return c, nil
}

// unnamed is the name of a single card.
func unnamed(cards map[string]string) map[string]string {
	for _, file := range cards {
		return map[string]string{"": file}
	}
	return cards
}

// Compared are the two sides of a comparison, and their cards by agent.
type Compared struct {
	Older, Newer  *Snapshot
	Before, After Readings
}

// Differences are what differs between the two sides: agents, then key sets and lists,
// which a single card does not have.
func (c Compared) Differences() []diff.Comparison {
	list := diff.Agents(c.Before.sides(c.Older), c.After.sides(c.Newer))
	if c.Older.Tree != c.Newer.Tree {
		return list
	}
	if listings := diff.Listings(c.Older.listings(), c.Newer.listings()); len(listings.Changes) > 0 {
		list = append(list, listings)
	}
	return list
}

// Open opens one side.
func (o Opener) Open(ctx context.Context, name string) (*Snapshot, error) {
	dir, err := o.Workspace.Folder(name)
	if name != "-" && errors.Is(err, fs.ErrNotExist) {
		return nil, diag.UsageError("to compare with a commit, check it out: git worktree add ../before COMMIT",
			"cannot read %s: no such file or directory", diag.Quote(name))
	}
	if name == "-" || err != nil {
		card, err := o.Read(name)
		if err != nil {
			return nil, err
		}
		return &Snapshot{
			Files: []string{card.Path()},
			Read:  func(string, int) ([]byte, error) { return card.Data, nil },
			Show:  func(file string) string { return file },
		}, nil
	}
	if config := o.configIn(name, dir); config != "" {
		return o.project(ctx, filepath.Join(name, config))
	}
	e, err := o.directory(dir)
	if err == nil && len(e.Files) == 0 {
		e.Empty = true
		e.Found = diag.List{diag.New(diag.InputUnreadable, diag.Span{File: filepath.ToSlash(name)},
			"the directory has no agent-card.json or agent.json in it").
			WithHint("name the card itself, the output directory of cardwright generate, or a project")}
	}
	return e, err
}

// isConfig matches what every configuration of ours begins its lines with.
var isConfig = regexp.MustCompile(`(?s)^(.*\n)?version: *1\b(.*\n)agents:`)

// configIn returns the name of the configuration in a directory, "" for none: the one that
// is named, a usual one, or, as a change may rename it, the only one that reads like one.
func (o Opener) configIn(name string, dir *files.Dir) string {
	for _, config := range append([]string{o.Config}, config.FileNames()...) {
		if config != "" && filepath.IsLocal(config) && o.Workspace.Has(filepath.Join(name, config)) {
			return config
		}
	}
	root, err := o.Workspace.Files(dir)
	if err != nil {
		return ""
	}
	names, _ := fs.Glob(root, "*.y*ml") // the pattern is valid
	names = slices.DeleteFunc(names, func(name string) bool {
		data, err := files.ReadFile(root, name, source.MaxSource)
		return err != nil || !isConfig.Match(data)
	})
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// directory opens a tree on disk.
func (o Opener) directory(dir *files.Dir) (*Snapshot, error) {
	root, err := o.Workspace.Files(dir)
	e := &Snapshot{
		Tree: true,
		Read: func(file string, limit int) ([]byte, error) { return files.ReadFile(root, file, limit) },
		Show: func(file string) string { return files.Join(dir.Name, file) },
	}
	if err == nil {
		e.Files, err = cardFiles(root)
	}
	if err != nil {
		return nil, diag.UsageError("", "cannot read %s: %s", diag.Quote(dir.Name), files.Reason(err))
	}
	return e, nil
}

// project opens the output of a project, or what the project would generate where that
// has no card: without signatures, which need a key and mean nothing to clients.
func (o Opener) project(ctx context.Context, configFile string) (*Snapshot, error) {
	p, err := o.Workspace.OpenProject(configFile, false)
	if err != nil {
		return nil, err
	}
	run, err := Open(p, o.Options)
	if err != nil || run.Config == nil {
		return &Snapshot{Tree: true, Found: run.Found}, err
	}
	out, found := p.OpenOutput(run.Config)
	if found.Worst() == diag.Error {
		return &Snapshot{Tree: true, Found: found}, nil
	}
	if len(out.Rest) == 0 {
		if e, err := o.directory(out); err != nil || slices.ContainsFunc(e.Files, IsName) {
			return e, err
		}
	}
	for i := range run.Config.Agents {
		run.Config.Agents[i].Signing = nil
	}
	if err := run.Make(ctx); err != nil {
		return nil, err
	}
	e := &Snapshot{Tree: true, Show: func(file string) string { return files.Join(out.Name, file) }}
	if run.Found.Worst() == diag.Error {
		e.Found = slices.DeleteFunc(run.Found, func(d diag.Diagnostic) bool { return d.Severity < diag.Error })
	}
	data := map[string][]byte{}
	for _, f := range run.Result.Public {
		data[f.Path] = f.Data
		if IsName(f.Path) || isList(f.Path) {
			e.Files = append(e.Files, f.Path)
		}
	}
	slices.Sort(e.Files)
	e.Read = func(file string, _ int) ([]byte, error) { return data[file], nil }
	return e, nil
}

// cardFiles returns the cards, key sets and lists below a directory, sorted.
func cardFiles(root fs.FS) (names []string, err error) {
	wanted := func(file string) bool { return IsName(file) || isList(file) }
	names = below(root, wanted, func(file string, failed error) { err = cmp.Or(err, fmt.Errorf("%s: %w", file, failed)) })
	return names, err
}
