package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostLinks bounds the links on one way, as Linux does.
const mostLinks = 40

// walk follows a path one element at a time. Nothing is looked at before it is
// known to be allowed: what an error says about a place outside must not tell
// whether anything is there.
type walk struct {
	// What stands at a path, without following a link there.
	lstat    func(name string) (fs.FileInfo, error)
	readlink func(name string) (string, error)

	top  string   // where absolute paths begin, "" where none lead anywhere
	home string   // an absolute path below it begins there: nothing above it is entered
	at   string   // the directory reached, which has no link in its path
	rest []string // what follows it, and is missing or no directory
	// link is asked about each link, by the directory that it lies in.
	link func(dir, name string) error
	// inside reports whether a directory may be entered.
	inside func(dir string) bool
	links  int
}

// follow walks on along a path that is relative to where the walk is, or absolute.
func (w *walk) follow(name string) error {
	if filepath.IsAbs(name) || filepath.VolumeName(name) != "" || rooted(name) {
		if w.top == "" {
			return ErrOutside
		}
		if rel, ok := Below(w.home, name); ok && w.inside(w.home) {
			w.at, w.rest = w.home, nil
			return w.follow(rel)
		}
		volume := filepath.VolumeName(name)
		if volume == "" {
			volume = filepath.VolumeName(w.top)
		}
		w.top = volume + string(filepath.Separator)
		w.at, w.rest = w.top, nil
		name = strings.TrimPrefix(name, filepath.VolumeName(name))
		if !w.inside(w.at) {
			return ErrOutside
		}
	}
	for _, element := range elements(name) {
		if err := w.step(element); err != nil {
			return err
		}
	}
	return nil
}

// Below returns the path of an absolute one relative to a directory that it spells, and
// reports whether it does so, without a step back.
func Below(dir, name string) (string, bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, err == nil && dir != "" && filepath.IsAbs(name) && filepath.IsLocal(rel) &&
		!slices.Contains(elements(name), "..")
}

// rooted reports whether a path begins at the top of its volume.
func rooted(name string) bool { return name != "" && os.IsPathSeparator(name[0]) }

// elements splits a path of the system.
func elements(name string) []string {
	return strings.FieldsFunc(filepath.ToSlash(name), func(r rune) bool { return r == '/' })
}

func (w *walk) step(element string) error {
	switch {
	case element == ".":
		return nil
	case element == ".." && len(w.rest) > 0:
		w.rest = w.rest[:len(w.rest)-1]
		return nil
	case element == "..":
		if w.at == "." {
			return ErrOutside
		}
		return w.enter(filepath.Dir(w.at))
	case len(w.rest) > 0:
		w.rest = append(w.rest, element)
		return nil
	}
	name := filepath.Join(w.at, element)
	info, err := w.lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.rest = []string{element}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return w.enter(name)
	case !isLink(info):
		w.rest = []string{element}
		return nil
	}
	if w.links++; w.links > mostLinks {
		return ErrCircle
	}
	if err := w.link(w.at, name); err != nil {
		return err
	}
	target, err := w.readlink(name)
	if err != nil {
		return err
	}
	return w.follow(target)
}

func (w *walk) enter(dir string) error {
	if !w.inside(dir) {
		return ErrOutside
	}
	w.at = dir
	return nil
}

// isLink reports whether a file found by Lstat leads elsewhere. On Windows that
// are junctions and other reparse points, too.
func isLink(info fs.FileInfo) bool { return info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

// Within returns the name in a file system that a name leads to, without a link
// in it. What leaves the file system gives [ErrOutside], what lies in a .git
// directory [ErrGit].
func Within(fsys fs.FS, name string) (string, error) {
	w := walk{
		at:       ".",
		lstat:    func(name string) (fs.FileInfo, error) { return fs.Lstat(fsys, filepath.ToSlash(name)) },
		readlink: func(name string) (string, error) { return fs.ReadLink(fsys, filepath.ToSlash(name)) },
		link:     func(string, string) error { return nil },
		inside:   func(string) bool { return true }, // the top is where it ends
	}
	if err := w.follow(filepath.FromSlash(name)); err != nil {
		return "", err
	}
	real := filepath.ToSlash(join(w.at, w.rest))
	if inGit(real) {
		return "", ErrGit
	}
	return real, nil
}

func join(dir string, rest []string) string {
	return filepath.Join(append([]string{dir}, rest...)...)
}
