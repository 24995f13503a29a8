package preview

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"cardwright/internal/tree"
)

// Memory returns a tree of files that lies on no disk, for [Handler]. Sidecars
// and manifest are among the files where they are wanted.
func Memory(files []tree.File) fs.FS {
	m := memory{".": {name: ".", dir: true}}
	for _, f := range files {
		m.add(node{name: path.Base(f.Path), data: f.Data}, path.Dir(f.Path))
	}
	for _, n := range m {
		slices.SortFunc(n.entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return m
}

// memory holds files and directories by their path.
type memory map[string]*node

// node is a file or directory. It tells about itself as [fs.FileInfo] does.
type node struct {
	name    string
	data    []byte
	dir     bool
	entries []fs.DirEntry
}

// add puts a node into a directory, which it makes where it is missing.
func (m memory) add(n node, dir string) {
	parent := m[dir]
	if parent == nil {
		m.add(node{name: path.Base(dir), dir: true}, path.Dir(dir))
		parent = m[dir]
	}
	m[path.Join(dir, n.name)] = &n
	parent.entries = append(parent.entries, fs.FileInfoToDirEntry(&n))
}

// Open implements [fs.FS].
func (m memory) Open(name string) (fs.File, error) {
	n := m[name]
	switch {
	case !fs.ValidPath(name):
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	case n == nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &open{node: n, Reader: bytes.NewReader(n.data)}, nil
}

func (n *node) Name() string     { return n.name }
func (n *node) Size() int64      { return int64(len(n.data)) }
func (*node) ModTime() time.Time { return time.Time{} }
func (n *node) IsDir() bool      { return n.dir }
func (*node) Sys() any           { return nil }

func (n *node) Mode() fs.FileMode {
	if n.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// open is a node that is being read.
type open struct {
	*bytes.Reader
	node     *node
	returned int // entries that [open.ReadDir] has returned
}

func (o *open) Stat() (fs.FileInfo, error) { return o.node, nil }
func (*open) Close() error                 { return nil }

// ReadDir implements [fs.ReadDirFile].
func (o *open) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := o.node.entries[o.returned:]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 {
		rest = rest[:min(n, len(rest))]
	}
	o.returned += len(rest)
	return slices.Clone(rest), nil
}
