package files

import (
	"errors"
	"io/fs"
	"os"
	"slices"
)

// Dir is the directory that a path led to when it was opened. It stays that one
// whatever is put in its place. It may be missing still.
type Dir struct {
	Name string   // slash path as shown
	Path string   // absolute, links resolved
	Root *os.Root // the directory, or the deepest one above it that is there
	Rest []string // the elements below Root that are missing or no directory
}

// Close releases the handle. It is harmless for nil.
func (d *Dir) Close() error {
	if d == nil {
		return nil
	}
	return d.Root.Close()
}

// Reached is the slash path, as shown, of the first element of Rest, or of
// the directory itself.
func (d *Dir) Reached() string {
	name := d.Name
	for range len(d.Rest) - 1 {
		name = Join(name, "..")
	}
	return name
}

// ReadFile reads a file in the directory, as [ReadFile] does. In none, and in one that
// is missing, there is no file.
func (d *Dir) ReadFile(name string, limit int) ([]byte, error) {
	if d == nil || len(d.Rest) > 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	root, err := RootOf(d.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return ReadFile(root, name, limit)
}

// Enter goes on to the first directory of Rest, which is there by now.
func (d *Dir) Enter() error {
	next, err := Enter(d.Root, d.Rest[0])
	if err != nil {
		return err
	}
	_ = d.Root.Close() // it was only read
	d.Root, d.Rest = next, d.Rest[1:]
	return nil
}

// Enter opens the directory of that name in a directory, and no other: not even
// what a link leads to that takes its place at this moment.
func Enter(in *os.Root, element string) (*os.Root, error) {
	next, err := in.OpenRoot(element)
	stands, missing := in.Lstat(element)
	switch {
	case missing == nil && isLink(stands):
		err = &LinkError{Link: element}
	case err == nil:
		err = missing
	}
	if err == nil {
		opened, fault := next.Stat(".")
		if fault == nil && stands.IsDir() && os.SameFile(stands, opened) {
			return next, nil
		}
		err = errors.Join(fault, &fs.PathError{Op: "open", Path: element, Err: errSwapped})
	}
	if next != nil {
		_ = next.Close()
	}
	return nil, err
}

var errSwapped = errors.New("something else took its place")

// Contains reports whether other is the directory or lies below it, whether they are there
// already or not. Letter case does not tell directories apart on every system.
func (d *Dir) Contains(other *Dir) bool {
	outer, inner := elements(Fold(d.Path)), elements(Fold(other.Path))
	return len(outer) <= len(inner) && slices.Equal(outer, inner[:len(outer)])
}

// Make makes the directory with that mode less the umask, and those above it that are
// missing.
func (d *Dir) Make(mode fs.FileMode) error {
	for len(d.Rest) > 0 {
		err := d.Root.Mkdir(d.Rest[0], mode)
		if err != nil && !errors.Is(err, fs.ErrExist) { // another run may be faster
			return err
		}
		if err := d.Enter(); err != nil {
			return err
		}
	}
	return nil
}
