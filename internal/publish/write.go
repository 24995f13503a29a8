package publish

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"cardwright/internal/files"
	"cardwright/internal/site"
)

// writer makes a directory hold the tree.
type writer struct {
	u   *Update
	ctx context.Context // of the one run that it belongs to
}

// run makes the tree. A killed run has left a manifest that lists all that it may have
// written, so the next one knows these files for ours.
func (w *writer) run() error {
	if err := w.sweep(); err != nil {
		return err
	}
	union := manifestFile(w.u.made.Union(w.u.old))
	if string(union.Data) != string(w.u.onDisk) {
		if err := w.put(&target{file: union, entry: w.u.manifest.entry, mode: w.u.manifest.mode}); err != nil {
			return err
		}
		w.u.onDisk = union.Data
	}
	if err := w.writeFiles(); err != nil {
		return err
	}
	if err := w.removeStale(); err != nil {
		return err
	}
	if string(w.u.manifest.file.Data) != string(w.u.onDisk) {
		return w.put(w.u.manifest)
	}
	return nil
}

// writeFiles writes the files that are missing or differ, turn by turn: a sidecar or a
// list never lies next to a file that is older than itself.
func (w *writer) writeFiles() error {
	for turn := site.ContentTurn; turn <= site.ServerTurn; turn++ {
		var todo []*target
		for _, t := range w.u.targets {
			if t.file.Turn != turn || t.entry == same {
				continue
			}
			if err := w.mkdir(path.Dir(t.file.Path)); err != nil {
				return err
			}
			todo = append(todo, t)
		}
		if err := files.All(todo, w.put); err != nil {
			return err
		}
	}
	return nil
}

// change does something to the file or directory p.
func (w *writer) change(op, p string, do func() error) error {
	err := w.ctx.Err()
	if err != nil {
		err = fmt.Errorf("interrupted: %w", err)
	}
	if err == nil && w.u.o.fault != nil {
		err = w.u.o.fault(op, p)
	}
	if err == nil {
		err = do()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", op, shown(w.u.dir.Name, p), files.Explain(err))
	}
	return nil
}

// put writes one file to a temporary one, and that to its place.
func (w *writer) put(t *target) error {
	mode, kept := fs.FileMode(0o666), fs.FileMode(0)
	if t.entry == differs {
		kept = t.mode
	}
	if w.u.o.Private {
		mode, kept = 0o600, kept&0o700
	}
	err := w.change("writing", t.file.Path, func() error {
		const tries = 20
		err := fs.ErrNotExist
		for i := 0; i < tries && errors.Is(err, fs.ErrNotExist); i++ { // another run may sweep the temporary file
			err = files.Replace(w.u.dir.Root, t.file.Path, t.file.Data, mode, kept)
		}
		return err
	})
	if err == nil && w.u.o.Written != nil {
		w.u.o.Written.Add(1)
	}
	return err
}

// mkdir creates the directory p and those that lead to it, where they are missing.
func (w *writer) mkdir(p string) error {
	if w.u.folder(p).entry == directory {
		return nil
	}
	if err := w.mkdir(path.Dir(p)); err != nil {
		return err
	}
	w.u.folders[p] = folder{reached: p, entry: directory}
	return w.change("creating", p, func() error { return unless(fs.ErrExist, w.u.dir.Root.Mkdir(p, w.u.o.dirMode())) })
}

// sweep removes the temporary files of killed runs.
func (w *writer) sweep() error {
	entries, err := fs.ReadDir(w.u.dir.Root.FS(), ".")
	if err != nil {
		return fmt.Errorf("reading %s: %w", w.u.dir.Name, files.Explain(err))
	}
	for _, e := range entries {
		if files.IsTemp(e.Name()) && e.Type().IsRegular() {
			if err := w.remove(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove removes a file, if it is there.
func (w *writer) remove(p string) error {
	return w.change("removing", p, func() error { return unless(fs.ErrNotExist, w.u.dir.Root.Remove(p)) })
}

// unless returns an error unless it is the expected one.
func unless(expected, err error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// removeStale removes what the tree no longer holds, and the directories that
// this leaves empty.
func (w *writer) removeStale() error {
	for _, t := range w.u.stale {
		if t.removable() {
			if err := w.remove(t.file.Path); err != nil {
				return err
			}
		}
	}
	for _, t := range w.u.stale {
		for dir := path.Dir(t.file.Path); dir != "." && w.prune(dir); dir = path.Dir(dir) {
		}
	}
	return nil
}

// prune removes a directory without files, and reports whether it is gone.
func (w *writer) prune(dir string) bool {
	f := w.u.folder(dir)
	if f.entry != directory || w.change("removing", dir, func() error { return w.u.dir.Root.Remove(dir) }) != nil {
		return f.entry == absent
	}
	w.u.folders[dir] = folder{reached: dir}
	return true
}
