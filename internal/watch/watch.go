package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Editors save in several steps, a few milliseconds apart, and a checkout changes
// thousands of files, some of them later: a change has come when nothing happens for a
// while, or for too long.
const (
	quiet    = 50 * time.Millisecond
	patience = 2 * time.Second
)

// Watcher watches what runs read, one run after the other. A nil Watcher
// watches nothing. It is safe for concurrent use, [Watcher.Wait] aside.
type Watcher struct {
	events *fsnotify.Watcher

	mu      sync.Mutex
	files   map[string]bool // whose content or presence matters
	lists   map[string]bool // directories in which every entry matters
	watched map[string]bool // directories; true for this run's
	kept    map[string]bool // files that were written, and their directories
	gone    bool            // a file that was written is not there any more
	ignored []string
	err     error // the first that kept a directory from being watched
}

// New returns a Watcher, which has to be closed.
func New() (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, unwatchable("files", err)
	}
	w := &Watcher{events: events, watched: map[string]bool{}}
	w.Begin()
	return w, nil
}

// Close ends the watching.
func (w *Watcher) Close() error { return w.events.Close() }

// Begin starts a run: what earlier runs read no longer counts.
func (w *Watcher) Begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files, w.lists, w.kept = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for dir := range w.watched {
		w.watched[dir] = false
	}
	w.gone, w.ignored, w.err = false, nil, nil
}

// Ignore leaves out what lies at or below the places, which are absolute paths,
// though this run reads it.
func (w *Watcher) Ignore(places ...string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ignored = append(w.ignored, places...)
}

// File has the file at an absolute path watched: that it comes or goes, and what
// is in it. Directories on the way to it that are not there are waited for.
func (w *Watcher) File(name string) {
	if w != nil {
		w.read(name, filepath.Dir(name), false)
	}
}

// Keep has the files at absolute paths, which this run wrote, watched for their removal,
// unless the system watches no more directories. A file that is gone before its directory
// is watched has been removed too.
func (w *Watcher) Keep(names ...string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		dir := filepath.Dir(name)
		if w.watched[dir] || w.events.Add(dir) == nil {
			w.watched[dir], w.kept[dir], w.kept[name] = true, true, true
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			w.gone = true
		}
	}
}

// read has a file or directory below top watched, the directories in between
// too, since any of them may be renamed; and, where it is to be listed, its
// entries.
func (w *Watcher) read(name, top string, list bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(name, top)
	if list {
		w.lists[name] = true
		w.add(name)
	}
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, err := filepath.EvalSymlinks(name); err == nil {
			w.note(target, top)
		}
	}
}

func (w *Watcher) note(name, top string) {
	for !w.files[name] {
		w.files[name] = true
		dir := filepath.Dir(name)
		if there := w.add(dir); there && !below(dir, top) {
			return
		}
		name = dir
	}
}

// add has the system watch a directory, and reports whether there is one.
func (w *Watcher) add(dir string) bool {
	if w.watched[dir] || w.ignores(dir) {
		return true
	}
	err := w.events.Add(dir)
	switch {
	case err == nil:
		w.watched[dir] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return false
	case errors.Is(err, fs.ErrPermission): // the run says so where it matters
	case w.err == nil:
		w.err = unwatchable(dir, err)
	}
	return true
}

// unwatchable says why something cannot be watched.
func unwatchable(what string, err error) error {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("watching %s: the system lets a user watch no more: raise ulimit -n on macOS, "+
			"or fs.inotify.max_user_watches and max_user_instances on Linux: %w", what, err)
	}
	return fmt.Errorf("watching %s: %w", what, err)
}

// below reports whether the path name lies below the path of a directory.
func below(name, dir string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

func (w *Watcher) ignores(name string) bool {
	for _, place := range w.ignored {
		if name == place || below(name, place) {
			return true
		}
	}
	return false
}

// Wait ends a run and blocks until something changes that it read, or until
// ctx is done, which is an error as is what keeps files from being watched.
func (w *Watcher) Wait(ctx context.Context) error {
	if err := w.end(); err != nil {
		return err
	}
	var still, late <-chan time.Time
	if w.gone {
		still = time.After(quiet)
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-still:
			return nil
		case <-late:
			return nil
		case e := <-w.events.Events:
			if !w.matters(e) {
				continue
			}
		case err := <-w.events.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) { // so many changes that some are lost
				return unwatchable("files", err)
			}
		}
		still = time.After(quiet)
		if late == nil {
			late = time.After(patience)
		}
	}
}

// end gives up the directories that only earlier runs have read.
func (w *Watcher) end() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for dir, current := range w.watched {
		if !current {
			delete(w.watched, dir)
			_ = w.events.Remove(dir) // it may be gone
		}
	}
	return w.err
}

// matters reports whether what the run has read is another thing now.
func (w *Watcher) matters(e fsnotify.Event) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kept[e.Name] && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)) {
		_, err := os.Lstat(e.Name) // it may have been replaced, by the run itself above all
		return errors.Is(err, fs.ErrNotExist)
	}
	if w.ignores(e.Name) {
		return false
	}
	come := e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	written := come || e.Has(fsnotify.Write)
	return come && w.lists[filepath.Dir(e.Name)] || written && w.files[e.Name]
}
