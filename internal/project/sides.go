package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/files"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// Opener opens the two sides of a comparison.
type Opener struct {
	Reader
	Options Options
	Config  string // the name of the configuration, "" for the usual ones
}

// Compared are the two sides of a comparison, and how they differ: agents, then key sets
// and lists, which a single card does not have.
type Compared struct {
	Older, Newer *Snapshot
	Agents       []diff.Comparison
	after        map[string]*convert.Reading // by agent
}

// Place is where a value of the document of an agent's new card stands, none where there
// is no such card.
func (c Compared) Place(agent, pointer string) diag.Span {
	if card, ok := c.after[agent]; ok {
		return card.Span(pointer)
	}
	return diag.Span{}
}

// Compare compares the two sides that the command line names: each is a card, "-", a tree or
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
	c.Older.rebase(c.Newer.Out)
	c.Newer.rebase(c.Older.Out)
	before, after := c.Older.byDirectory(), c.Newer.byDirectory()
	single := c.Older.Tree != c.Newer.Tree
	if single && (len(before) != 1 || len(after) != 1) {
		return c, diag.UsageError("name two cards or two directories", "a card cannot be compared with several")
	}
	if single || strangers(c.Older, c.Newer, before, after) {
		single, c.Older.Tree = true, false // a path says nothing
		before, after = unnamed(before), unnamed(after)
	} else {
		addLegacy(c.Older, c.Newer, before, after)
	}
	older, _ := c.Older.read(before)
	newer, readings := c.Newer.read(after)
	c.Agents, c.after = diff.Agents(older, newer), readings
	if listings := diff.Listings(c.Older.listings(), c.Newer.listings()); !single && len(listings.Changes) > 0 {
		c.Agents = append(c.Agents, listings)
	}
	return c, nil
}

// strangers reports whether a project and a directory without a configuration have no path of a
// card in common: the ones are below the output directory, and nothing says where the root of
// the others is.
func strangers(older, newer *Snapshot, before, after map[string]string) bool {
	for name := range before {
		if after[name] != "" {
			return false
		}
	}
	return (older.Out == "") != (newer.Out == "") && len(before)*len(after) > 0
}

// unnamed takes the name from a single card.
func unnamed(cards map[string]string) map[string]string {
	for _, file := range cards {
		if len(cards) == 1 {
			return map[string]string{"": file}
		}
	}
	return cards
}

// Open opens one side.
func (o Opener) Open(ctx context.Context, name string) (*Snapshot, error) {
	dir, err := o.Workspace.Folder(name)
	if name != "-" && errors.Is(err, fs.ErrNotExist) && !isURL(name) {
		return nil, diag.UsageError("to compare with a commit, check it out: git worktree add ../before COMMIT",
			"cannot read %s: no such file or directory", diag.Quote(name))
	}
	if name == "-" || err != nil {
		card, err := o.Read(name)
		return &Snapshot{Files: map[string][]byte{card.Path(): card.Data}}, err
	}
	if config := o.configIn(name, dir); config != "" {
		return o.project(ctx, filepath.Join(name, config))
	}
	s, err := o.directory(dir)
	if err == nil && len(s.Files)+len(s.Found) == 0 {
		s.Empty = true
		s.fault("", "the directory has no agent-card.json or agent.json in it",
			"name the card itself, the output directory of cardwright generate, or a project")
	}
	return s, err
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

// directory reads a tree on disk. A directory .well-known is one in the root of its tree.
func (o Opener) directory(dir *files.Dir) (*Snapshot, error) {
	s, in := &Snapshot{Dir: dir.Name, Tree: true, Files: map[string][]byte{}}, ""
	if base := path.Dir(site.CardPath); filepath.Base(dir.Path) == base {
		s.Dir, in = files.Join(dir.Name, ".."), base
	}
	wanted := func(file string) bool { return inSnapshot(path.Join(in, file)) }
	root, err := o.Workspace.Files(dir)
	if err == nil {
		for _, file := range below(root, wanted, func(file string, failed error) {
			err = cmp.Or(err, fmt.Errorf("%s: %w", file, failed))
		}) {
			data, err := files.ReadFile(root, file, source.MaxCard)
			if err != nil {
				s.fault(path.Join(in, file), "cannot be read: "+files.Reason(err), "")
				continue
			}
			s.Files[path.Join(in, file)] = data
		}
	}
	if err != nil {
		return nil, diag.UsageError("", "cannot read %s: %s", diag.Quote(dir.Name), files.Reason(err))
	}
	return s, nil
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
		s, err := o.directory(out)
		if err != nil {
			return nil, err
		}
		if s.Out = path.Clean(run.Config.Out); slices.ContainsFunc(s.names(), isName) {
			return s, nil
		}
	}
	for i := range run.Config.Agents {
		run.Config.Agents[i].Signing = nil
	}
	if err := run.Make(ctx); err != nil {
		return nil, err
	}
	s := &Snapshot{Dir: out.Name, Out: path.Clean(run.Config.Out), Tree: true, Files: map[string][]byte{}}
	s.Found, _ = run.Found.Split(diag.Error)
	for _, f := range run.Result.Public {
		if inSnapshot(f.Path) {
			s.Files[f.Path] = f.Data
		}
	}
	return s, nil
}

// inSnapshot reports whether a file of a tree is compared: a card, a key set or a list.
func inSnapshot(file string) bool { return isName(file) || isList(file) }
