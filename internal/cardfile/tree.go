package cardfile

import (
	"io/fs"
	"path/filepath"
	"strings"

	"cardwright/internal/discovery"
	"cardwright/internal/paths"
	"cardwright/internal/safefile"
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

// has tells whether anything stands at a path of the command line.
func (r Reader) has(name string) bool {
	in, file, err := r.Open(name)
	if err == nil {
		_, err = fs.Lstat(in, file)
	}
	return err == nil
}

// manifests are the output trees around cards, each read once: what its manifest
// lists, by path.
type manifests map[string]map[string]tree.Entry

// of is what the manifest of the output tree around a card says of it.
func (m manifests) of(r Reader, f File) tree.Entry {
	dir, p, ok := r.OutputTree(f.Name)
	if !ok || f.Name == "-" {
		return tree.Entry{}
	}
	files, read := m[dir]
	if !read {
		if in, file, err := r.Open(filepath.Join(dir, tree.ManifestName)); err == nil {
			files = readManifest(in, file)
		}
		m[dir] = files
	}
	return files[p]
}

// readManifest returns what a manifest lists, nothing if it cannot be read.
// Other commands report its faults.
func readManifest(in fs.FS, file string) map[string]tree.Entry {
	data, err := safefile.ReadFile(in, file, tree.MaxManifest)
	if err != nil {
		return nil
	}
	files, _ := tree.Listing(file, data)
	return files
}

// Lists tells what the manifest in a directory lists: the files of a catalog,
// and others.
func Lists(dir *paths.Dir) (indexes, others bool) {
	if len(dir.Rest) > 0 {
		return false, false
	}
	for p := range readManifest(dir.Root.FS(), tree.ManifestName) {
		p = strings.TrimSuffix(strings.TrimSuffix(p, tree.ETagSuffix), tree.ChecksumSuffix)
		if discovery.IsListing(p) || p == tree.PagePath {
			indexes = true
		} else {
			others = true
		}
	}
	return indexes, others
}
