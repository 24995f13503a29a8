package generate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// link reports a link that is not followed, unless it leads to a file, or
// keeps it for later.
func (w *walker) link(name string) {
	info, err := fs.Stat(w.tree.FS, name)
	switch {
	case err != nil && w.src.FollowSymlinks:
		w.report("source-link", diag.Warning, name, "the link cannot be followed: "+cause(err), "")
	case err != nil:
		w.report("source-link", diag.Info, name, "the link is not followed: "+cause(err), "")
	case !info.IsDir():
	case w.src.FollowSymlinks:
		w.links = append(w.links, name)
	default:
		w.report("source-link", diag.Info, name, "the link to a directory is not followed", "followSymlinks: true on the source follows it")
	}
}

// follow searches the directory that a link leads to.
func (w *walker) follow(name string) {
	target, err := realPath(w.tree.FS, name)
	if err != nil {
		w.report("source-link", diag.Warning, name, "the link cannot be followed: "+cause(err), "")
		return
	}
	if w.visited[target] {
		w.report("source-link", diag.Info, name, fmt.Sprintf("the link leads to %s, which is searched already", diag.Quote(w.tree.Show(target))), "")
		return
	}
	w.search(dir{name: name, real: target})
}

// seen tells whether d was searched before, and notes that it is now.
func (w *walker) seen(d dir) bool {
	if !w.src.FollowSymlinks || d.why != nil {
		return false
	}
	before := w.visited[d.real]
	w.visited[d.real] = true
	return before
}

// errCircle is returned for links that lead to each other.
var errCircle = errors.New("links lead in a circle")

// maxLinks is how many links one path may lead through, as on Linux.
const maxLinks = 40

// realPath returns the path in fsys that name is when every link on the way is
// replaced by what it leads to.
func realPath(fsys fs.FS, name string) (string, error) {
	done, todo := ".", strings.Split(name, "/")
	for links := 0; len(todo) > 0; {
		element := todo[0]
		todo = todo[1:]
		switch element {
		case "", ".":
			continue
		case "..":
			if done == "." {
				return "", source.ErrOutside
			}
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, element)
		info, err := fs.Lstat(fsys, next)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			done = next
			continue
		}
		target, err := fs.ReadLink(fsys, next)
		if err != nil {
			return "", err
		}
		if links++; links > maxLinks {
			return "", errCircle
		}
		if path.IsAbs(target) {
			return "", source.ErrOutside
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return done, nil
}

// cause says in a few words why the file system refused something.
func cause(err error) string {
	var special *source.NotRegularError
	var on *fs.PathError
	switch {
	case errors.As(err, &special):
		return "it is " + special.Kind
	case errors.Is(err, source.ErrOutside):
		return "it leads outside the project"
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrInvalid):
		return "its name is not valid UTF-8"
	case errors.Is(err, syscall.ELOOP):
		return errCircle.Error()
	case errors.As(err, &on):
		return on.Err.Error()
	}
	return err.Error()
}
