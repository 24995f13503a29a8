package publish

import (
	"cmp"
	"slices"

	"cardwright/schema"
)

// ManifestName is the path of the manifest in every output tree.
const ManifestName = "cardwright.manifest.json"

// Tree returns the whole output tree that files make: the files themselves,
// the sidecars of those that ask for them, and the manifest, sorted by path
// bytewise. A file sorts before its sidecars.
func Tree(files []schema.File) []schema.File {
	tree := withSidecars(files)
	return sorted(append(tree, manifestFile(entriesOf(tree))))
}

// withSidecars returns files and their sidecars, sorted by path.
func withSidecars(files []schema.File) []schema.File {
	tree := make([]schema.File, 0, 3*len(files)+1)
	for _, f := range files {
		f = f.Hashed()
		tree = append(append(tree, f), f.SidecarFiles()...)
	}
	return sorted(tree)
}

func sorted(files []schema.File) []schema.File {
	slices.SortStableFunc(files, func(a, b schema.File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}
