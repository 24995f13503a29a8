package project

import (
	"errors"
	"hash/maphash"
	"io/fs"
	"path"
	"slices"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// Unread is what a command could not read although it is there, whoever asked for it.
// It is safe for concurrent use.
type Unread struct {
	mu     sync.Mutex
	seed   maphash.Seed
	listed []uint64 // the paths that directories listed, as they are shown, but for links
	found  map[string]diag.Diagnostic
}

// Findings returns an error for everything that could not be read, sorted, nil when
// there is none.
func (u *Unread) Findings() diag.List {
	u.mu.Lock()
	defer u.mu.Unlock()
	var found diag.List
	for _, d := range u.found {
		found = append(found, d)
	}
	return found.Sorted()
}

// forget takes back that a file could not be read, which a run can do without.
func (u *Unread) forget(name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.found, name)
}

// note records why the file that is shown as name could not be read, and returns err.
func (u *Unread) note(name string, err error) error {
	if err == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	var message, hint string
	switch _, known := u.found[name]; {
	case known:
		return err
	case files.Refused(err):
		message = "cannot be read: " + files.Reason(err)
		hint = "check its owner and permissions; nothing is published as long as it cannot be read"
	case errors.Is(err, fs.ErrNotExist) && u.wasThere(name):
		message = "changed while it was read: it was there a moment ago"
		hint = "run the command again when nothing else changes the files"
	default:
		return err
	}
	if u.found == nil {
		u.found = map[string]diag.Diagnostic{}
	}
	u.found[name] = diag.New("input-unreadable", diag.Span{File: name}, "%s %s", diag.Quote(name), message).WithHint(hint)
	return err
}

// wasThere reports whether the directory of a file has listed it, and not as a link,
// which may lead nowhere.
func (u *Unread) wasThere(name string) bool {
	return u.listed != nil && slices.Contains(u.listed, u.path(path.Dir(name), path.Base(name)))
}

// path is what is kept of a path: there may be very many.
func (u *Unread) path(dir, name string) uint64 {
	var h maphash.Hash
	h.SetSeed(u.seed)
	for _, s := range []string{dir, "/", name} {
		_, _ = h.WriteString(s) // which never fails
	}
	return h.Sum64()
}

// list remembers what is in a directory.
func (u *Unread) list(name string, entries []fs.DirEntry) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.listed == nil {
		u.listed, u.seed = []uint64{}, maphash.MakeSeed()
	}
	name = path.Clean(name)
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink == 0 {
			u.listed = append(u.listed, u.path(name, e.Name()))
		}
	}
}

// FS returns fsys, in which files are shown as show spells them, in such a way that
// what cannot be read is noted.
func (u *Unread) FS(fsys fs.FS, show func(name string) string) fs.FS {
	return files.Observer{
		Listed: func(name string, list []fs.DirEntry) { u.list(show(name), list) },
		Failed: func(name string, err error) { _ = u.note(show(name), err) },
	}.FS(fsys)
}
