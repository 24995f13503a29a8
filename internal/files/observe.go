package files

import (
	"io"
	"io/fs"
)

// Observer is notified of reads from a file system. Each function may be nil, and is
// safe for concurrent use.
type Observer struct {
	Before func(name string, list bool) // what is about to be read, or listed
	Failed func(name string, err error) // why something could not be read
}

// FS returns fsys under observation.
func (o Observer) FS(fsys fs.FS) fs.FS { return &observed{fsys, o} }

type observed struct {
	fsys fs.FS
	Observer
}

var (
	_ fs.ReadDirFS  = (*observed)(nil)
	_ fs.ReadLinkFS = (*observed)(nil)
	_ fs.StatFS     = (*observed)(nil)
)

// observe does something with a file, or lists a directory.
func observe[T any](o *observed, name string, list bool, do func(fs.FS, string) (T, error)) (T, error) {
	if o.Before != nil {
		o.Before(name, list)
	}
	value, err := do(o.fsys, name)
	return value, o.failed(name, err)
}

func (o *observed) failed(name string, err error) error {
	if o.Failed != nil && err != nil && err != io.EOF { //nolint:errorlint // which readers return unchanged
		o.Failed(name, err)
	}
	return err
}

// Open implements [fs.FS].
func (o *observed) Open(name string) (fs.File, error) {
	f, err := observe(o, name, false, fs.FS.Open)
	if err != nil || o.Failed == nil {
		return f, err
	}
	return &observedFile{f, name, o}, nil
}

// ReadDir implements [fs.ReadDirFS].
func (o *observed) ReadDir(name string) ([]fs.DirEntry, error) {
	return observe(o, name, true, fs.ReadDir)
}

// Stat implements [fs.StatFS].
func (o *observed) Stat(name string) (fs.FileInfo, error) { return observe(o, name, false, fs.Stat) }

// Lstat implements [fs.ReadLinkFS].
func (o *observed) Lstat(name string) (fs.FileInfo, error) { return observe(o, name, false, fs.Lstat) }

// ReadLink implements [fs.ReadLinkFS].
func (o *observed) ReadLink(name string) (string, error) { return observe(o, name, false, fs.ReadLink) }

type observedFile struct {
	fs.File
	name string
	in   *observed
}

// Stat implements [fs.File].
func (f *observedFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return info, f.in.failed(f.name, err)
}

// Read implements [fs.File].
func (f *observedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	return n, f.in.failed(f.name, err)
}
