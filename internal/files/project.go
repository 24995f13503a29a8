package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode"
)

// Why a path is refused.
var (
	ErrOutside  = errors.New("it is outside the project")
	ErrCircle   = errors.New("links lead in a circle")
	ErrGit      = errors.New("it is in a .git directory")
	ErrAbsolute = errors.New("it is absolute")
	ErrSlash    = errors.New("it has a backslash; use slashes")
)

// LinkError is returned for a place to write to that a link leads to.
type LinkError struct {
	Link string // relative to its project, or to a directory that is held
}

func (e *LinkError) Error() string {
	return fmt.Sprintf("%q is a symbolic link, and cardwright does not write through links", filepath.ToSlash(e.Link))
}

// Author says who named a path.
type Author int

// The authors of paths.
const (
	Committed Author = iota // a file of the project: anyone may have proposed it
	Typed                   // the command line, in the system's own spelling
)

// Checkout is a directory tree whose files strangers may have proposed.
type Checkout struct {
	Root string // absolute, links resolved
	Base string // the directory that committed paths start at, as Root
}

// Around returns the project around a directory, to which links are followed:
// the git work tree that it lies in, or else the directory itself.
func Around(dir string) (Checkout, error) {
	base, err := filepath.Abs(dir)
	if err == nil {
		base, err = filepath.EvalSymlinks(base)
	}
	if err != nil {
		return Checkout{}, err
	}
	root, err := workTree(base, "")
	return Checkout{Root: cmp.Or(root, base), Base: base}, err
}

// workTree is the nearest directory at or above dir that git works in, or "". The top is
// taken for one where that is not "", and so is, with an error, a directory whose
// system does not say whether it is: it may be closed to us, as those above often are,
// but not broken.
func workTree(dir, top string) (string, error) {
	for at := dir; at != top; at = filepath.Dir(at) {
		_, err := os.Lstat(filepath.Join(at, ".git"))
		switch {
		case err == nil:
			return at, nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.ENOTDIR):
			return at, err
		case at == filepath.Dir(at):
			return "", nil
		}
	}
	return top, nil
}

// owner is the tree of files that strangers may have proposed in which dir lies,
// or "". The top of a file system is none, though a run may start there.
func (p Checkout) owner(dir string) string {
	top := ""
	if Inside(p.Root, dir) && filepath.Dir(p.Root) != p.Root {
		top = p.Root
	}
	tree, _ := workTree(dir, top)
	return tree
}

// Inside reports whether inner is outer or lies below it. Both are absolute, and no
// link is in them.
func Inside(outer, inner string) bool {
	rel, err := filepath.Rel(outer, inner)
	return err == nil && filepath.IsLocal(rel)
}

// relative returns the path of a file below a directory.
func relative(dir, name string) string {
	if rel, err := filepath.Rel(dir, name); err == nil {
		return rel
	}
	return name
}

// use is what a path is resolved for.
type use int

const (
	reading use = iota
	writing
)

// resolve follows a path to the deepest directory on its way, and returns that
// and the elements below it that are missing or no directory.
func (p Checkout) resolve(name string, by Author, to use) (dir string, rest []string, err error) {
	var allowed []string
	w := walk{lstat: os.Lstat, readlink: os.Readlink, home: p.Root}
	w.inside = func(dir string) bool {
		return !slices.ContainsFunc(allowed, func(top string) bool { return !Inside(top, dir) })
	}
	w.link = func(dir, name string) error {
		owner := p.owner(dir)
		switch {
		case owner == "":
		case to == writing:
			return &LinkError{Link: relative(owner, name)}
		case !slices.Contains(allowed, owner):
			allowed = append(allowed, owner)
		}
		return nil
	}
	var full string
	if by == Committed {
		if full, err = p.below(name); err != nil {
			return "", nil, err
		}
		w.top, w.at, allowed = p.Root, p.Root, []string{p.Root}
	} else if full, err = filepath.Abs(name); err != nil {
		return "", nil, err
	} else {
		w.top = filepath.VolumeName(full) + string(filepath.Separator)
	}
	if err := w.follow(full); err != nil {
		return "", nil, err
	}
	if runtime.GOOS == "windows" { // one spelling for a directory: no short names
		if long, err := filepath.EvalSymlinks(w.at); err == nil {
			w.at = long
		}
	}
	if (by == Committed || to == writing) && p.inGit(w.at, w.rest) {
		return "", nil, ErrGit
	}
	return w.at, w.rest, nil
}

// inGit reports whether elements below a directory lead into a .git directory.
func (p Checkout) inGit(dir string, rest []string) bool {
	if !inGit(filepath.ToSlash(join(dir, rest))) { // as a rule, and nothing has to be looked at
		return false
	}
	if owner := p.owner(dir); owner != "" {
		dir = relative(owner, dir)
	}
	return inGit(filepath.ToSlash(join(dir, rest)))
}

// below returns a committed path relative to the root of the project. Nothing
// is looked at.
func (p Checkout) below(name string) (string, error) {
	switch {
	case strings.Contains(name, `\`):
		return "", ErrSlash
	case path.IsAbs(name), len(name) > 1 && name[1] == ':' && unicode.IsLetter(rune(name[0])):
		return "", ErrAbsolute
	}
	rel, err := filepath.Rel(p.Root, filepath.Join(p.Base, filepath.FromSlash(name)))
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return "", ErrOutside
	case inGit(filepath.ToSlash(rel)):
		return "", ErrGit
	}
	return rel, nil
}

// Source finds what is to be read: a directory tree that holds it, and its slash
// path there. Reading stays in that tree, which is the project for what lies
// inside; so links have not been followed to what is committed. What is not
// there is for whoever opens it to say.
func (p Checkout) Source(name string, by Author) (tree, file string, err error) {
	if by == Committed {
		file, err = p.below(name)
		return p.Root, filepath.ToSlash(file), err
	}
	dir, rest, err := p.resolve(name, by, reading)
	if err != nil {
		return "", "", err
	}
	if tree = dir; Inside(p.Root, dir) {
		tree = p.Root
	}
	file, err = filepath.Rel(tree, join(dir, rest))
	return tree, filepath.ToSlash(file), err
}

// Real returns the absolute path that a path leads to for reading. Where it ends
// there need be nothing.
func (p Checkout) Real(name string, by Author) (string, error) {
	dir, rest, err := p.resolve(name, by, reading)
	return join(dir, rest), err
}

// Open opens a file that the command line names. Unless it lies in a project
// that may be a pipe, too.
func (p Checkout) Open(name string) (*os.File, error) {
	dir, rest, err := p.resolve(name, Typed, reading)
	if err != nil {
		return nil, err
	}
	if p.owner(dir) == "" {
		return os.Open(name) // the system knows pipes that have no other name
	}
	d, err := p.hold(dir, rest)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.open(name)
}

// open opens the file that is left of the way to name.
func (d *Dir) open(name string) (*os.File, error) {
	switch len(d.Rest) {
	case 0:
		return d.Root.Open(".")
	case 1:
		return d.Root.Open(d.Rest[0])
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Input opens a directory to read in. It may be missing.
func (p Checkout) Input(name string, by Author) (*Dir, error) { return p.dir(name, by, reading) }

// Output opens a directory to write in. It may be missing.
func (p Checkout) Output(name string, by Author) (*Dir, error) { return p.dir(name, by, writing) }

// Parent opens the directory of a file to be written, and returns its name there,
// at which anything may stand.
func (p Checkout) Parent(name string) (*Dir, string, error) {
	base := filepath.Base(name)
	if inGit(base) {
		return nil, "", ErrGit
	}
	d, err := p.dir(filepath.Dir(name), Typed, writing)
	return d, base, err
}

func (p Checkout) dir(name string, by Author, to use) (*Dir, error) {
	at, rest, err := p.resolve(name, by, to)
	if err != nil {
		return nil, err
	}
	if p.inGit(at, rest) {
		return nil, ErrGit
	}
	d, err := p.hold(at, rest)
	if err != nil {
		return nil, err
	}
	d.Name = Slash(name)
	return d, nil
}

// hold opens a directory that has no link in its path, from the top of the
// project that it lies in.
func (p Checkout) hold(dir string, rest []string) (*Dir, error) {
	top := cmp.Or(p.owner(dir), dir)
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	way := slices.DeleteFunc(elements(rel), func(e string) bool { return e == "." })
	d := &Dir{Path: join(dir, rest), Root: root, Rest: slices.Concat(way, rest)}
	for range way {
		if err := d.Enter(); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	return d, nil
}

// inGit reports whether a slash path leads into a .git directory, in any spelling
// that some file system holds for it.
func inGit(name string) bool {
	if isASCII(name) && !strings.Contains(strings.ToLower(name), "git") {
		return false // as most are
	}
	for element := range strings.SplitSeq(name, "/") {
		element, _, _ = strings.Cut(element, ":") // a stream of NTFS
		element = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) { // HFS+ ignores them
				return -1
			}
			return r
		}, strings.TrimRight(element, ". "))
		if strings.EqualFold(element, ".git") || strings.EqualFold(element, "git~1") {
			return true
		}
	}
	return false
}

// Slash returns a path of the system as shown.
func Slash(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

// Join returns the slash path of a file in a directory, as [path.Join] does. The
// two slashes before a Windows server stay.
func Join(dir, name string) string {
	joined := path.Join(dir, name)
	if strings.HasPrefix(dir, "//") {
		return "/" + joined
	}
	return joined
}

// Special returns the mode of what a path of the command line leads to, where that is
// neither a file nor a directory.
func Special(name string) (fs.FileMode, bool) {
	info, err := os.Stat(name)
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return 0, false
	}
	return info.Mode(), true
}
