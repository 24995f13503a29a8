package hosting

import (
	"archive/zip"
	"bytes"
	"io/fs"

	"cardwright/internal/site"
)

// Memory returns a tree of files that lies on no disk, for [Handler]. It is an archive,
// in which a file is found without looking at all of them.
func Memory(files []site.File) fs.FS {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		entry, _ := w.CreateHeader(&zip.FileHeader{Name: f.Path}) // stored, in memory
		_, _ = entry.Write(f.Data)
	}
	_ = w.Close()
	tree, _ := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	return tree
}
