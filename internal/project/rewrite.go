package project

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/publish"
	"cardwright/internal/site"
)

// Rewritten is a card that gets another text.
type Rewritten struct {
	Input
	Text []byte
}

// Same reports whether the text is that of the card.
func (r Rewritten) Same() bool { return bytes.Equal(r.Text, r.Data) }

// Changes are rewritten cards that are ready to be written.
type Changes struct {
	space *Workspace
	trees []outputTree
	loose []Rewritten // which lie alone
}

// outputTree is an output tree with rewritten cards in it.
type outputTree struct {
	dir         *files.Dir
	files       []site.File
	environment string         // that they were made for
	index       map[string]int // of the files, by path
}

// Sort tells rewritten cards in output trees from those that lie alone. A tree that
// is not as its manifest says is a finding.
func (r Reader) Sort(cards ...Rewritten) (changes Changes, found diag.List, err error) {
	changes.space = r.space
	for _, c := range cards {
		if c.Same() && c.Name != "-" {
			continue
		}
		name, file, ok := r.outputTree(c.Name)
		i := slices.IndexFunc(changes.trees, func(t outputTree) bool { return t.dir.Name == files.Slash(name) })
		if ok && i < 0 {
			dir, err := r.space.OutputDir("the output tree", name)
			if err != nil {
				return changes, nil, err
			}
			t, faults := openTree(dir)
			changes.trees, found = append(changes.trees, t), append(found, faults...)
			i = len(changes.trees) - 1
		}
		if !ok || !changes.trees[i].replace(file, c.Text) {
			changes.loose = append(changes.loose, c)
		}
	}
	return changes, found, nil
}

// Write puts the cards where they belong: that of standard input to stdout. Sidecars
// go with cards that lie alone where these are published, which sidecars says.
func (c Changes) Write(ctx context.Context, stdout io.Writer, sidecars bool) error {
	for _, card := range c.loose {
		if card.Name == "-" {
			if _, err := stdout.Write(Inert(card.Text)); err != nil {
				return fmt.Errorf("writing the card: %w", err)
			}
			continue
		}
		if _, err := c.space.Write("the card", card.Name, card.Text, sidecars); err != nil {
			return err
		}
	}
	for i := range c.trees {
		if err := c.trees[i].write(ctx); err != nil {
			return err
		}
	}
	return nil
}

func openTree(dir *files.Dir) (outputTree, diag.List) {
	t := outputTree{dir: dir, index: map[string]int{}}
	var found diag.List
	t.files, t.environment, found = publish.Verify(dir)
	for i, f := range t.files {
		t.index[f.Path] = i
	}
	return t, found
}

// replace changes the card at p, and the copy for older clients with it. It
// reports whether the tree has the card.
func (t *outputTree) replace(p string, text []byte) bool {
	i, ok := t.index[p]
	if !ok {
		return false
	}
	older := path.Join(path.Dir(p), "agent.json")
	j, ok := t.index[older]
	copied := ok && path.Base(p) == path.Base(site.CardPath) && bytes.Equal(t.files[i].Data, t.files[j].Data)
	t.files[i].Data = text
	if copied {
		t.replace(older, text)
	}
	return true
}

// write writes the tree.
func (t *outputTree) write(ctx context.Context) error {
	_, found, err := publish.Write(ctx, t.dir, t.files, publish.Options{Environment: t.environment, Private: t.private()})
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("writing the card: %s", found[0].Message)
	}
	return err
}

// private reports whether the tree is for its owner only.
func (t *outputTree) private() bool {
	info, err := t.dir.Root.Lstat(site.ManifestName)
	return err == nil && info.Mode().Perm()&0o077 == 0
}
