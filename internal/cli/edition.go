package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/schema"
)

// edition is one side of a comparison: a card, or a tree with cards.
type edition struct {
	files []string // cards and the manifest, slash paths relative to the tree, sorted
	tree  bool     // and not a single card
	read  func(file string, limit int) ([]byte, error)
	show  func(file string) string
	found diag.List // why it cannot be compared
}

// readings are the cards of an edition, by agent.
type readings map[string]*schema.Reading

func (r readings) cards() map[string]*schema.Card {
	cards := make(map[string]*schema.Card, len(r))
	for agent, reading := range r {
		cards[agent] = reading.Card
	}
	return cards
}

// editions finds the two sides that the command line names.
func (a *app) editions(ctx context.Context, o *diffOptions, p *project, names []string) (older, newer *edition, err error) {
	switch {
	case !o.git && len(names) != 2:
		return nil, nil, usageError("cardwright diff old.json new.json, or cardwright diff --git main", "diff needs an old and a new card or directory, not %s", count(len(names), "argument"))
	case !o.git && names[0] == "-" && names[1] == "-":
		return nil, nil, usageError("", "only one of the two can be standard input")
	case !o.git:
		if older, err = a.edition(p, names[0], o.limits); err != nil {
			return nil, nil, err
		}
		if newer, err = a.edition(p, names[1], o.limits); err != nil {
			return nil, nil, err
		}
	case len(names) > 1:
		return nil, nil, usageError("cardwright diff --git main dist", "diff --git takes one card or directory, not %d", len(names))
	case len(names) == 1 && names[0] == "-":
		return nil, nil, usageError("cardwright diff --git main dist", "standard input is in no commit")
	default:
		name, err := a.outName(names)
		if err != nil {
			return nil, nil, err
		}
		if newer, err = a.edition(p, name, o.limits); err != nil {
			return nil, nil, err
		}
		if older, err = committed(ctx, o.rev, name, newer.tree, o.limits); err != nil {
			return nil, nil, err
		}
	}
	if older.tree != newer.tree {
		return nil, nil, usageError("name two cards or two directories", "a card and a directory do not compare")
	}
	return older, newer, nil
}

// outName is the name that was given, or the output directory that the
// configuration names. Nothing else in the configuration matters here.
func (a *app) outName(names []string) (string, error) {
	if len(names) == 1 {
		return names[0], nil
	}
	p, err := a.openProject()
	if err != nil {
		return "", err
	}
	if p.config == "" {
		return "", usageError("cardwright diff --git main dist", "no cardwright.yaml here that names the output directory")
	}
	data, err := p.readConfig(source.Limits{}.WithDefaults().Source)
	if err != nil {
		return "", err
	}
	root, _ := source.ParseYAML(p.config, data, "config-value", source.Limits{})
	out := "dist"
	if n := root.Get("out"); n.Is(source.String) && n.Text != "" {
		out = n.Text
	}
	if filepath.IsAbs(filepath.FromSlash(out)) {
		return out, nil
	}
	return filepath.FromSlash(p.show(p.base)(out)), nil
}

// edition opens a card or a directory that was named on the command line.
func (a *app) edition(p *project, name string, limits source.Limits) (*edition, error) {
	if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
		card, err := a.readCard(p, name, limits)
		if err != nil {
			return nil, err
		}
		return &edition{
			files: []string{card.file()},
			read:  func(string, int) ([]byte, error) { return card.data, nil },
			show:  func(file string) string { return file },
		}, nil
	}
	_, _ = p.directory(name) // so that findings can show the cards
	root, err := source.OpenRoot(name)
	if err != nil {
		return nil, usageError("", "cannot read %s: %s", diag.Quote(name), reason(err))
	}
	e := &edition{
		tree: true,
		read: func(file string, limit int) ([]byte, error) { return source.ReadFile(root, file, limit) },
		show: func(file string) string { return path.Join(filepath.ToSlash(name), file) },
	}
	err = fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", file, err)
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && matters(file):
			e.files = append(e.files, file)
		}
		return nil
	})
	if err != nil {
		return nil, usageError("", "cannot read %s: %s", diag.Quote(name), reason(err))
	}
	slices.Sort(e.files)
	if len(e.files) == 0 {
		e.found = diag.List{unreadable(name, "the directory has no agent-card.json or agent.json in it", "name the card itself, or the output directory of cardwright generate")}
	}
	return e, nil
}

// matters tells whether a file of a tree is a card or the manifest.
func matters(file string) bool {
	return file == publish.ManifestName || slices.Contains(cardNames, path.Base(file))
}

// listed tells whether manifests say whose each card is: in both trees, or in
// the only one that has any.
func listed(older, newer *edition) bool {
	has := func(e *edition) bool { return slices.Contains(e.files, publish.ManifestName) }
	return has(newer) && (has(older) || len(older.files) == 0)
}

// open reads the cards, by the agent that the manifest names or else by where
// they are. What keeps a card from being read is noted.
func (e *edition) open(listed bool, limits source.Limits) readings {
	cards := map[string]string{}
	switch {
	case len(e.files) == 0:
	case !e.tree:
		cards[""] = e.files[0]
	case listed:
		cards = e.listed()
	default:
		cards = e.placed()
	}
	out := readings{}
	for agent, file := range cards {
		if r := e.card(file, limits); r != nil {
			out[agent] = r
		}
	}
	return out
}

// listed returns the card of each agent that the manifest lists.
func (e *edition) listed() map[string]string {
	name := e.show(publish.ManifestName)
	data, err := e.read(publish.ManifestName, publish.MaxManifest)
	if err != nil {
		e.found = append(e.found, unreadable(name, reason(err), ""))
		return nil
	}
	files, found := publish.Listing(name, data)
	e.found = append(e.found, found...)
	cards := map[string]string{}
	for file, listed := range files {
		if isCard(file) {
			cards[listed.Agent] = file
		}
	}
	return cards
}

// isCard tells whether a file of an output tree is a card, and not the copy for
// older clients.
func isCard(file string) bool {
	base := path.Base(file)
	return base != "agent.json" && slices.Contains(cardNames, base)
}

// placed returns the card in each directory. The copy for older clients counts
// only where it is alone.
func (e *edition) placed() map[string]string {
	cards := map[string]string{}
	for _, file := range e.files {
		dir, base := path.Split(file)
		agent := strings.TrimSuffix(strings.TrimSuffix(dir, "/"), ".well-known")
		agent = strings.TrimSuffix(agent, "/")
		switch {
		case base == publish.ManifestName, base == "agent.json" && slices.Contains(e.files, dir+"agent-card.json"):
			continue
		case base == "extended-agent-card.json" && slices.Contains(e.files, dir+"agent-card.json"):
			agent = file
		}
		cards[agent] = file
	}
	return cards
}

// card reads one card, nil where that cannot be done.
func (e *edition) card(file string, limits source.Limits) *schema.Reading {
	data, err := e.read(file, limits.WithDefaults().Card)
	if err != nil {
		e.found = append(e.found, unreadable(e.show(file), reason(err), ""))
		return nil
	}
	r, found := readingOf(e.show(file), data, limits)
	e.found = append(e.found, found...)
	return r
}

// readingOf reads a card, or says why it cannot be read.
func readingOf(name string, data []byte, limits source.Limits) (*schema.Reading, diag.List) {
	root, found := source.ParseJSON(name, data, limits)
	if found.Worst() == diag.Error {
		return nil, found
	}
	r := schema.Read(root, schema.ReadOptions{})
	if r.Card == nil {
		return nil, r.Found
	}
	return r, nil
}
