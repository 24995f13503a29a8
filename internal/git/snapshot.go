package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"cardwright/internal/files"
)

const (
	// mostListed and mostContent limit, in bytes, the list of files in a commit
	// and the content of one file.
	mostListed  = 64 << 20
	mostContent = 64 << 20
)

// Snapshot is the files of a commit, as an [fs.FS] that never leaves it. Only git
// reads their content, when it is asked for. It is safe for concurrent use.
type Snapshot struct {
	entries []entry // sorted by path
	ask     func(args ...string) *exec.Cmd
	changed map[string][]string // answers of Changed

	mutex   sync.Mutex
	content *reader // nil before somebody asks
}

var (
	_ fs.ReadDirFS  = (*Snapshot)(nil)
	_ fs.ReadLinkFS = (*Snapshot)(nil)
	_ fs.StatFS     = (*Snapshot)(nil)
)

// Snapshot lists the files of a commit. The caller closes it.
func (r Repository) Snapshot(ctx context.Context, commit string) (*Snapshot, error) {
	out, err := r.run(ctx, mostListed, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return nil, r.explain(err)
	}
	s := &Snapshot{
		entries: entriesOf(out, 2),
		ask:     func(args ...string) *exec.Cmd { return r.command(ctx, args...) },
		changed: map[string][]string{},
	}
	slices.SortFunc(s.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return s, nil
}

// Close ends the reading of content.
func (s *Snapshot) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.content == nil {
		return nil
	}
	return s.content.close()
}

// Files returns the files at or below the slash paths, links and submodules among them.
func (s *Snapshot) Files(names ...string) []string {
	var files []string
	for _, name := range names {
		for _, e := range s.below(name) {
			files = append(files, e.path)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// below returns the entries at or below a path.
func (s *Snapshot) below(name string) []entry {
	if name == "." {
		return s.entries
	}
	if e, ok := s.entry(name); ok {
		return []entry{e}
	}
	return s.entries[s.find(name+"/"):s.find(name+"0")] // 0 is the character after the slash
}

func (s *Snapshot) entry(name string) (entry, bool) {
	i := s.find(name)
	if i == len(s.entries) || s.entries[i].path != name {
		return entry{}, false
	}
	return s.entries[i], true
}

// find returns the index of the first entry that is not before a path.
func (s *Snapshot) find(name string) int {
	i, _ := slices.BinarySearchFunc(s.entries, name, func(e entry, name string) int { return cmp.Compare(e.path, name) })
	return i
}

// Open implements [fs.FS].
func (s *Snapshot) Open(name string) (fs.File, error) {
	info, err := s.stat("open", name)
	if err != nil || info.IsDir() {
		return open{info: info}, err
	}
	data, err := s.read(info.entry)
	return open{info, bytes.NewReader(data)}, err
}

// ReadDir implements [fs.ReadDirFS].
func (s *Snapshot) ReadDir(name string) ([]fs.DirEntry, error) {
	at, err := s.stat("readdir", name)
	if err != nil || at.mode == submodule {
		return nil, err
	}
	prefix := ""
	if at.path != "." {
		prefix = at.path + "/"
	}
	var list []fs.DirEntry
	for rest := s.below(at.path); len(rest) > 0; {
		first, _, deeper := strings.Cut(strings.TrimPrefix(rest[0].path, prefix), "/")
		child := info{entry: rest[0], from: s}
		skip := 1
		if deeper {
			child.entry = entry{directory, "", prefix + first}
			skip = len(s.below(child.path))
		}
		list, rest = append(list, fs.FileInfoToDirEntry(child)), rest[skip:]
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// Stat implements [fs.StatFS].
func (s *Snapshot) Stat(name string) (fs.FileInfo, error) { return s.stat("stat", name) }

// Lstat implements [fs.ReadLinkFS].
func (s *Snapshot) Lstat(name string) (fs.FileInfo, error) { return s.lstat("lstat", name) }

// ReadLink implements [fs.ReadLinkFS].
func (s *Snapshot) ReadLink(name string) (string, error) {
	at, err := s.lstat("readlink", name)
	if err == nil && at.mode != symlink {
		err = &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return "", err
	}
	target, err := s.read(at.entry)
	return string(target), err
}

// stat finds what a path leads to.
func (s *Snapshot) stat(op, name string) (info, error) {
	if at, err := s.lstat(op, name); err != nil || at.mode != symlink {
		return at, err
	}
	real, err := files.Within(s, name)
	if err != nil {
		return info{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return s.lstat(op, real)
}

// lstat finds what stands at a path, behind links on the way.
func (s *Snapshot) lstat(op, name string) (info, error) {
	if !fs.ValidPath(name) {
		return info{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	if e, ok := s.entry(name); ok {
		return info{e, s}, nil
	}
	if name == "." || len(s.below(name)) > 0 {
		return info{entry{directory, "", name}, s}, nil
	}
	for i := range len(name) {
		if e, ok := s.entry(name[:i]); ok && name[i] == '/' && e.mode == symlink {
			dir, err := files.Within(s, path.Dir(name))
			if err != nil || dir == path.Dir(name) {
				return info{}, &fs.PathError{Op: op, Path: name, Err: cmp.Or(err, fs.ErrNotExist)}
			}
			return s.lstat(op, path.Join(dir, path.Base(name)))
		}
	}
	return info{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

// info describes an entry.
type info struct {
	entry
	from *Snapshot
}

func (i info) Name() string       { return path.Base(i.path) }
func (i info) IsDir() bool        { return i.Mode().IsDir() }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) Sys() any           { return nil }

func (i info) Mode() fs.FileMode {
	switch i.mode {
	case directory, submodule:
		return fs.ModeDir | 0o755
	case symlink:
		return fs.ModeSymlink | 0o777
	}
	return 0o644
}

// Size is the number of bytes of a file, 0 for one that cannot be read.
func (i info) Size() int64 {
	if i.IsDir() {
		return 0
	}
	data, _ := i.from.read(i.entry)
	return int64(len(data))
}

// open is an open file, or a directory without content.
type open struct {
	info
	content *bytes.Reader
}

func (f open) Stat() (fs.FileInfo, error) { return f, nil }
func (f open) Close() error               { return nil }

func (f open) Read(p []byte) (int, error) {
	if f.content == nil {
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: errors.New("is a directory")}
	}
	return f.content.Read(p)
}

// Size needs no other look at the content.
func (f open) Size() int64 {
	if f.content == nil {
		return 0
	}
	return f.content.Size()
}

// reader is a run of git that prints content.
type reader struct {
	cmd    *exec.Cmd
	asks   io.WriteCloser
	prints *bufio.Reader
}

// read returns the content of an entry.
func (s *Snapshot) read(e entry) ([]byte, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.content == nil {
		content, err := start(s.ask("cat-file", "--batch"))
		if err != nil {
			return nil, err
		}
		s.content = content
	}
	data, err := s.content.read(e.id)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: e.path, Err: err}
	}
	return data, nil
}

func start(cmd *exec.Cmd) (*reader, error) {
	asks, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	prints, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &reader{cmd, asks, bufio.NewReader(prints)}, cmd.Start()
}

// lackingError is why a file of a partial clone cannot be read.
type lackingError struct{}

func (lackingError) Error() string {
	return "git does not have its content; fetch the whole commit, without --filter"
}

// Unwrap says that the file is there: it counts as a fault of the disk.
func (lackingError) Unwrap() error { return syscall.EIO }

func (r *reader) read(id string) ([]byte, error) {
	if _, err := fmt.Fprintln(r.asks, id); err != nil {
		return nil, lackingError{} // git has ended, after another one that it could not fetch
	}
	header, err := r.prints.ReadString('\n')
	var size int64
	if _, scanned := fmt.Sscanf(header, id+" blob %d\n", &size); err != nil || scanned != nil {
		return nil, lackingError{}
	}
	if size > mostContent {
		_, err := io.CopyN(io.Discard, r.prints, size+1)
		return nil, cmp.Or(err, fmt.Errorf("it has more than %d bytes", mostContent))
	}
	data := make([]byte, size+1) // and a line feed
	if _, err := io.ReadFull(r.prints, data); err != nil {
		return nil, lackingError{}
	}
	return data[:size], nil
}

func (r *reader) close() error {
	_ = r.asks.Close()
	return r.cmd.Wait()
}
