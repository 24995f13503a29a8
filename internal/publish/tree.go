package publish

import (
	"cmp"
	"slices"

	"cardwright/internal/tree"
	"cardwright/schema"
)

// Tree returns the whole output tree that files make for an environment, "" for none:
// the files themselves, the sidecars of those that ask for them, and the manifest,
// sorted by path bytewise. A file sorts before its sidecars.
func Tree(files []tree.File, environment string) []tree.File {
	all := withSidecars(files)
	return sorted(append(all, manifestFile(tree.Manifest{Environment: environment, Files: tree.Entries(all)})))
}

// withSidecars returns files and their sidecars, sorted by path.
func withSidecars(files []tree.File) []tree.File {
	all := make([]tree.File, 0, 3*len(files)+1)
	for _, f := range files {
		f = f.Hashed()
		all = append(append(all, f), f.SidecarFiles()...)
	}
	return sorted(all)
}

// manifestFile returns the file of a manifest.
func manifestFile(m tree.Manifest) tree.File {
	return tree.File{Path: tree.ManifestName, Data: schema.Write(m.Node())}
}

func sorted(files []tree.File) []tree.File {
	slices.SortStableFunc(files, func(a, b tree.File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}
