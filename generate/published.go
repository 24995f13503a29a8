package generate

import (
	"io/fs"

	"cardwright/internal/files"
	"cardwright/internal/site"
)

// Published is what earlier runs have published, as found on disk: the public tree and the
// private one, nil where there is none. Nil is for nothing.
type Published struct{ Public, Private fs.FS }

func (p *Published) tree(private bool) fs.FS {
	switch {
	case p == nil:
		return nil
	case private:
		return p.Private
	}
	return p.Public
}

// File returns a file of the public or private tree, nil when there is none.
func (p *Published) File(private bool, path string) []byte {
	tree := p.tree(private)
	if tree == nil {
		return nil
	}
	data, err := files.ReadFile(tree, path, site.MaxFile)
	if err != nil {
		return nil
	}
	return data
}

// Holds reports whether a file of the public or private tree has these bytes. It takes no
// memory for it, which a large card has twice otherwise.
func (p *Published) Holds(private bool, path string, data []byte) bool {
	tree := p.tree(private)
	return tree != nil && files.Holds(tree, path, data)
}
