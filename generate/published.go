package generate

import (
	"io/fs"

	"cardwright/internal/files"
	"cardwright/internal/site"
)

// Published is what earlier runs have published, as found on disk. Nil is for nothing.
type Published struct {
	read  func(private bool, path string) []byte
	holds func(private bool, path string, data []byte) bool
}

// NewPublished returns the files of the public tree and of the private one. A tree is nil
// where there is none.
func NewPublished(public, private fs.FS) *Published {
	of := func(isPrivate bool) fs.FS {
		if isPrivate {
			return private
		}
		return public
	}
	p := &Published{}
	p.read = func(private bool, path string) []byte {
		root := of(private)
		if root == nil {
			return nil
		}
		data, err := files.ReadFile(root, path, site.MaxFile)
		if err != nil {
			return nil
		}
		return data
	}
	p.holds = func(private bool, path string, data []byte) bool {
		root := of(private)
		return root != nil && files.Holds(root, path, data)
	}
	return p
}

// File returns a file of the public or private tree, nil when there is none.
func (p *Published) File(private bool, path string) []byte {
	if p == nil {
		return nil
	}
	return p.read(private, path)
}

// Holds reports whether a file of the public or private tree has these bytes. It takes no
// memory for it, which a large card has twice otherwise.
func (p *Published) Holds(private bool, path string, data []byte) bool {
	return p != nil && p.holds(private, path, data)
}
