package cardfile

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// Rewritten is a card that gets another text.
type Rewritten struct {
	File
	Text []byte
}

// Same tells whether the text is that of the card.
func (r Rewritten) Same() bool { return bytes.Equal(r.Text, r.Data) }

// Tree is an output tree with rewritten cards in it.
type Tree struct {
	dir      *paths.Dir
	files    []tree.File
	index    map[string]int // of the files, by path
	old, new [][]byte       // the cards that change
}

// Sort tells rewritten cards in output trees, which open opens, from those that lie
// alone. A tree that is not as its manifest says is a finding.
func (r Reader) Sort(cards []Rewritten, open func(dir string) (*paths.Dir, error)) (trees []Tree, loose []Rewritten,
	found diag.List, err error,
) {
	for _, c := range cards {
		if c.Same() && c.Name != "-" {
			continue
		}
		name, file, ok := r.OutputTree(c.Name)
		i := slices.IndexFunc(trees, func(t Tree) bool { return t.dir.Name == paths.Slash(name) })
		if ok && i < 0 {
			dir, err := open(name)
			if err != nil {
				return nil, nil, nil, err
			}
			t, faults := openTree(dir)
			trees, found = append(trees, t), append(found, faults...)
			i = len(trees) - 1
		}
		if !ok || !trees[i].replace(file, c.Text) {
			loose = append(loose, c)
		}
	}
	return trees, loose, found, nil
}

func openTree(dir *paths.Dir) (Tree, diag.List) {
	t := Tree{dir: dir, index: map[string]int{}}
	var found diag.List
	t.files, found = publish.Verify(dir)
	for i, f := range t.files {
		t.index[f.Path] = i
	}
	return t, found
}

// replace changes the card at p, and the copy for older clients with it. It
// tells whether the tree has the card.
func (t *Tree) replace(p string, text []byte) bool {
	i, ok := t.index[p]
	if !ok {
		return false
	}
	if path.Base(p) != "agent.json" {
		t.old, t.new = append(t.old, t.files[i].Data), append(t.new, text)
	}
	older := path.Join(path.Dir(p), "agent.json")
	j, ok := t.index[older]
	copied := ok && path.Base(p) == "agent-card.json" && bytes.Equal(t.files[i].Data, t.files[j].Data)
	t.files[i].Data = text
	if copied {
		t.replace(older, text)
	}
	return true
}

// Write writes the tree, with what lists the changed cards brought up to date.
func (t *Tree) Write(ctx context.Context) error {
	if err := discovery.Renew(t.files, t.old, t.new); err != nil {
		return err
	}
	_, found, err := publish.Write(ctx, t.dir, t.files, publish.Options{Private: t.private()})
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("writing the card: %s", found[0].Message)
	}
	return err
}

// private tells whether the tree is for its owner only.
func (t *Tree) private() bool {
	info, err := t.dir.Root.Lstat(tree.ManifestName)
	return err == nil && info.Mode().Perm()&0o077 == 0
}
