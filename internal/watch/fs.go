package watch

import (
	"io/fs"
	"path/filepath"
)

// FS returns fsys, which shows the directory at the absolute path dir, in such
// a way that whatever is read through it is watched. For a nil Watcher it is
// fsys itself.
func (w *Watcher) FS(fsys fs.FS, dir string) fs.FS {
	if w == nil {
		return fsys
	}
	return &tree{fsys: fsys, dir: dir, watcher: w}
}

// tree notes what is read of a file system, each time before it is read.
type tree struct {
	fsys    fs.FS
	dir     string
	watcher *Watcher
}

var (
	_ fs.ReadDirFS  = (*tree)(nil)
	_ fs.ReadLinkFS = (*tree)(nil)
	_ fs.StatFS     = (*tree)(nil)
)

func (t *tree) reads(name string, list bool) {
	t.watcher.read(filepath.Join(t.dir, filepath.FromSlash(name)), t.dir, list)
}

// Open implements [fs.FS].
func (t *tree) Open(name string) (fs.File, error) {
	t.reads(name, false)
	return t.fsys.Open(name)
}

// ReadDir implements [fs.ReadDirFS].
func (t *tree) ReadDir(name string) ([]fs.DirEntry, error) {
	t.reads(name, true)
	return fs.ReadDir(t.fsys, name)
}

// Stat implements [fs.StatFS].
func (t *tree) Stat(name string) (fs.FileInfo, error) {
	t.reads(name, false)
	return fs.Stat(t.fsys, name)
}

// Lstat implements [fs.ReadLinkFS].
func (t *tree) Lstat(name string) (fs.FileInfo, error) {
	t.reads(name, false)
	return fs.Lstat(t.fsys, name)
}

// ReadLink implements [fs.ReadLinkFS].
func (t *tree) ReadLink(name string) (string, error) {
	t.reads(name, false)
	return fs.ReadLink(t.fsys, name)
}
