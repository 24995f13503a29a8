package project

import (
	"io/fs"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// ReadErrors is what a command could not read although it is there, whoever asked for it.
// It is safe for concurrent use.
type ReadErrors struct {
	mu    sync.Mutex
	found map[string]diag.Diagnostic
}

// Findings returns an error for everything that could not be read, sorted, nil when
// there is none.
func (u *ReadErrors) Findings() diag.List {
	u.mu.Lock()
	defer u.mu.Unlock()
	var found diag.List
	for _, d := range u.found {
		found = append(found, d)
	}
	return found.Sorted()
}

// note records why the file that is shown as name could not be read, and returns err.
func (u *ReadErrors) note(name string, err error) error {
	if err == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, known := u.found[name]; known || !files.Refused(err) {
		return err
	}
	if u.found == nil {
		u.found = map[string]diag.Diagnostic{}
	}
	u.found[name] = diag.New(diag.InputUnreadable, diag.Span{File: name}, "%s cannot be read: %s", diag.Quote(name),
		files.Reason(err)).WithHint("check its owner and permissions; nothing is published as long as it cannot be read")
	return err
}

// FS returns fsys, in which files are shown as show spells them, in such a way that
// what cannot be read is noted.
func (u *ReadErrors) FS(fsys fs.FS, show func(name string) string) fs.FS {
	return files.Observer{Failed: func(name string, err error) { _ = u.note(show(name), err) }}.FS(fsys)
}
