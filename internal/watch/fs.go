package watch

import (
	"io/fs"
	"path/filepath"

	"cardwright/internal/files"
)

// FS returns fsys, which shows the directory at the absolute path dir, in such
// a way that whatever is read through it is watched, each time before it is read.
// For a nil Watcher it is fsys itself.
func (w *Watcher) FS(fsys fs.FS, dir string) fs.FS {
	if w == nil {
		return fsys
	}
	return files.Observer{Before: func(name string, list bool) {
		w.read(filepath.Join(dir, filepath.FromSlash(name)), dir, list)
	}}.FS(fsys)
}
