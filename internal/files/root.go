package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// NotRegularError is returned for what is neither a file nor a directory.
type NotRegularError struct {
	Name string
	Kind string // with its article: "a named pipe"
}

func (e *NotRegularError) Error() string {
	return fmt.Sprintf("%q is %s, not a regular file", e.Name, e.Kind)
}

// TooLargeError is returned for a file of more bytes than may be read.
type TooLargeError struct {
	Name  string
	Limit int
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%q is larger than %d bytes", e.Name, e.Limit)
}

// ReadFile reads a file of at most limit bytes. A larger one is not read and
// gives a [*TooLargeError], anything but a file a [*NotRegularError].
func ReadFile(fsys fs.FS, name string, limit int) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &NotRegularError{name, FileKind(info.Mode())}
	case info.Size() > int64(limit):
		return nil, &TooLargeError{name, limit}
	}
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, int64(limit)+1)); err != nil {
		return nil, err
	}
	if data.Len() > limit { // it has grown
		return nil, &TooLargeError{name, limit}
	}
	return data.Bytes(), nil
}

// Holds reports whether a file is there and has these bytes. Of a larger one, or one that
// cannot be read, it says no.
func Holds(fsys fs.FS, name string, data []byte) bool {
	f, err := fsys.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	equal, err := Equal(f, data)
	return err == nil && equal
}

// buffers are of files that are compared.
var buffers sync.Pool

// Equal reports whether data is what a reader begins with.
func Equal(r io.Reader, data []byte) (bool, error) {
	buf, _ := buffers.Get().(*[64 << 10]byte)
	if buf == nil {
		buf = new([64 << 10]byte)
	}
	defer buffers.Put(buf)
	found := buf[:]
	for rest := data; len(rest) > 0; rest = rest[len(found):] {
		found = found[:min(len(found), len(rest))]
		if _, err := io.ReadFull(r, found); err != nil || !bytes.Equal(found, rest[:len(found)]) {
			return false, err
		}
	}
	return true, nil
}

// Root is a directory as an [fs.FS] that does no harm whatever lies in it:
// nothing outside is reached through a link, nor what git keeps in .git, where
// credentials may lie, and a named pipe, which would block for ever, is an error,
// as are sockets and devices. It is safe for concurrent use.
type Root struct {
	root *os.Root
	dir  *os.File // the same directory
}

var (
	_ fs.ReadDirFS  = (*Root)(nil)
	_ fs.ReadLinkFS = (*Root)(nil)
	_ fs.StatFS     = (*Root)(nil)
)

// OpenRoot opens the directory dir. Links in dir itself are followed.
func OpenRoot(dir string) (*Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return newRoot(root)
}

// RootOf is a directory that is open already, which may be closed from now on.
func RootOf(dir *os.Root) (*Root, error) {
	root, err := dir.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return newRoot(root)
}

func newRoot(root *os.Root) (*Root, error) {
	self, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Root{root: root, dir: self}, nil
}

// Close releases the directory. Files that are open stay so.
func (r *Root) Close() error { return errors.Join(r.dir.Close(), r.root.Close()) }

// Open implements [fs.FS]. A path that leads outside gives
// [ErrOutside], one into .git [ErrGit], what is neither file nor directory a [*NotRegularError].
func (r *Root) Open(name string) (fs.File, error) {
	f, err := r.open(name, nonblock)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = &NotRegularError{name, FileKind(info.Mode())}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return examined{f, info}, nil
}

// examined is an open file with what opening it has shown.
type examined struct {
	*os.File
	info fs.FileInfo
}

// Stat implements [fs.File] without another look at the file.
func (f examined) Stat() (fs.FileInfo, error) { return f.info, nil }

// ReadDir implements [fs.ReadDirFS]: the entries of a directory in the order
// of their names, bytewise.
func (r *Root) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := r.open(name, directory)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}

// Stat implements [fs.StatFS].
func (r *Root) Stat(name string) (fs.FileInfo, error) {
	if fs.ValidPath(name) && !inGit(name) {
		if info, err := statBeneath(r.dir, name); err == nil || final(err) {
			return info, at(name, err)
		}
	}
	real, err := r.real(name)
	if err != nil {
		return nil, err
	}
	info, err := r.root.Stat(real)
	return info, outside(name, err)
}

// Lstat implements [fs.ReadLinkFS].
func (r *Root) Lstat(name string) (fs.FileInfo, error) {
	info, err := r.root.Lstat(name)
	return info, outside(name, err)
}

// ReadLink implements [fs.ReadLinkFS]. The target is as it stands in the link; one that
// spells this directory in full is relative to the link.
func (r *Root) ReadLink(name string) (string, error) {
	target, err := r.root.Readlink(name)
	if err == nil && filepath.IsAbs(target) {
		target = r.relative(target, path.Dir(name))
	}
	return target, outside(name, err)
}

// relative returns an absolute path below the directory relative to a slash path in it,
// and any other unchanged.
func (r *Root) relative(target, from string) string {
	home, err := filepath.Abs(r.root.Name())
	if err == nil {
		home, err = filepath.EvalSymlinks(home)
	}
	below, ok := Below(home, target)
	if err != nil || !ok {
		return target
	}
	if rel, err := filepath.Rel(filepath.FromSlash(from), below); err == nil {
		return rel
	}
	return target
}

// open opens a file with a flag that keeps it from waiting.
func (r *Root) open(name string, flag int) (*os.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if !inGit(name) {
		if f, err := openBeneath(r.dir, name, flag); err == nil || final(err) {
			return f, at(name, err)
		}
	}
	real, err := r.real(name)
	if err != nil {
		return nil, err
	}
	f, err := openBeneath(r.dir, real, flag)
	switch {
	case err == nil || final(err):
		return f, at(name, err)
	case errors.Is(err, syscall.ELOOP): // there was no link on this way, and now there is
		return nil, &fs.PathError{Op: "open", Path: name, Err: errSwapped}
	}
	f, err = r.root.OpenFile(real, os.O_RDONLY|flag, 0)
	if err != nil {
		if info, e := r.root.Stat(real); e == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return nil, &NotRegularError{name, FileKind(info.Mode())} // a socket cannot even be opened
		}
		return nil, outside(name, err)
	}
	return f, nil
}

// final reports whether asking in another way would be asking twice: what is missing
// is no link either. A system that forbids a call, as in some containers, says EPERM
// or ENOSYS.
func final(err error) bool {
	return errors.Is(err, fs.ErrNotExist) ||
		Refused(err) && !errors.Is(err, syscall.EPERM) && !errors.Is(err, syscall.ENOSYS)
}

// at returns an error of the system with the name that it is about.
func at(name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

// real returns the name that a name leads to through links.
func (r *Root) real(name string) (string, error) {
	if filepath.Separator == '\\' && strings.Contains(name, `\`) { // names have slashes on every system
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	real, err := Within(r, name)
	if errors.Is(err, ErrOutside) || errors.Is(err, ErrGit) || errors.Is(err, ErrCircle) {
		err = &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return real, err
}

// OpenIn opens the file or directory name below dir for reading. It does not wait
// for the other end of a named pipe, and for no file does it ask the system
// whether waiting is possible, which takes four calls.
func OpenIn(dir *os.Root, name string) (*os.File, error) {
	return dir.OpenFile(name, os.O_RDONLY|nonblock, 0)
}

// outside returns err, or [ErrOutside] for what the standard library says about
// a path that leaves a root: it exports no error to compare with.
func outside(name string, err error) error {
	if err != nil && strings.HasSuffix(err.Error(), "path escapes from parent") {
		return &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
	}
	return err
}

// FileKind names, with its article, what has the given mode and is no regular
// file.
func FileKind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}
