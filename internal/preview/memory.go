package preview

import (
	"io/fs"
	"testing/fstest"

	"cardwright/internal/tree"
)

// Memory returns a tree of files that lies on no disk, for [Handler]. Sidecars
// and manifest are among the files where they are wanted.
func Memory(files []tree.File) fs.FS {
	m := fstest.MapFS{}
	for _, f := range files {
		m[f.Path] = &fstest.MapFile{Data: f.Data}
	}
	return m
}
