package cardfile

import (
	"io/fs"
	"path/filepath"

	"cardwright/internal/tree"
)

// OutputTree finds the output tree that a file may belong to: the nearest
// directory above it with a manifest.
func (r Reader) OutputTree(name string) (dir, file string, ok bool) {
	const levels = 12 // OUT/PATH/OF/ID/.well-known/agent-card.json
	dir = filepath.Dir(name)
	for range levels {
		if r.has(filepath.Join(dir, tree.ManifestName)) {
			rel, err := filepath.Rel(dir, name)
			return dir, filepath.ToSlash(rel), err == nil
		}
		dir = filepath.Join(dir, "..")
	}
	return "", "", false
}

// has reports whether anything stands at a path of the command line.
func (r Reader) has(name string) bool {
	in, file, err := r.Open(name)
	if err == nil {
		_, err = fs.Lstat(in, file)
	}
	return err == nil
}
