package hosting

import (
	"io/fs"
	"path"
	"testing/fstest"

	"cardwright/internal/site"
)

// Memory returns a tree of files that lies on no disk, for [Handler].
func Memory(files []site.File) fs.FS {
	m := memory{fstest.MapFS{}, map[string]bool{".": true}}
	for _, f := range files {
		m.MapFS[f.Path] = &fstest.MapFile{Data: f.Data}
		for dir := path.Dir(f.Path); !m.dirs[dir]; dir = path.Dir(dir) {
			m.dirs[dir] = true
		}
	}
	return m
}

// memory answers at once for directories and for what is not there, which
// [fstest.MapFS] looks for among all files.
type memory struct {
	fstest.MapFS
	dirs map[string]bool
}

// Open implements [fs.FS].
func (m memory) Open(name string) (fs.File, error) {
	if m.MapFS[name] == nil && !m.dirs[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return m.MapFS.Open(name)
}

// Stat implements [fs.StatFS].
func (m memory) Stat(name string) (fs.FileInfo, error) {
	if m.dirs[name] {
		return fstest.MapFS{name: {Mode: fs.ModeDir | 0o555}}.Stat(name)
	}
	return fs.Stat(struct{ fs.FS }{m}, name)
}
