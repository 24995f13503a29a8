package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"cardwright/internal/files"
	"cardwright/internal/site"
)

// writer makes a surveyed directory hold the tree.
type writer struct {
	*survey
	ctx context.Context // of the one run that it belongs to
}

// run makes the tree. A killed run has left a manifest that lists all that it may have
// written, so the next one knows these files for ours.
func (w *writer) run() error {
	if err := w.sweep(); err != nil {
		return err
	}
	union := manifestFile(w.made.Union(w.old))
	if string(union.Data) != string(w.onDisk) {
		if err := w.put(&target{File: union, place: w.manifest.place, mode: w.manifest.mode}); err != nil {
			return err
		}
		w.onDisk = union.Data
	}
	if err := w.writeFiles(); err != nil {
		return err
	}
	if err := w.removeStale(); err != nil {
		return err
	}
	if string(w.manifest.Data) != string(w.onDisk) {
		return w.put(w.manifest)
	}
	return nil
}

// writeFiles writes the files that are missing or differ, turn by turn: a sidecar or a
// list never lies next to a file that is older than itself.
func (w *writer) writeFiles() error {
	for turn := site.ContentTurn; turn <= site.ServerTurn; turn++ {
		var todo []*target
		for _, t := range w.targets {
			if t.Turn != turn || t.place == same {
				continue
			}
			if err := w.mkdir(path.Dir(t.Path)); err != nil {
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
	if err == nil && w.o.fault != nil {
		err = w.o.fault(op, p)
	}
	if err == nil {
		err = do()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", op, shown(w.dir, p), files.Explain(err))
	}
	return nil
}

// put writes one file to a temporary one, and that to its place.
func (w *writer) put(t *target) error {
	mode, kept := fs.FileMode(0o666), fs.FileMode(0)
	if t.place == differs {
		kept = t.mode
	}
	if w.o.Private {
		mode, kept = 0o600, kept&0o700
	}
	err := w.change("writing", t.Path, func() error {
		const tries = 20
		err := fs.ErrNotExist
		for i := 0; i < tries && errors.Is(err, fs.ErrNotExist); i++ { // another run may sweep the temporary file
			err = files.Replace(w.root, t.Path, t.Data, mode, kept)
		}
		return err
	})
	if err == nil && w.o.Written != nil {
		w.o.Written.Add(1)
	}
	return err
}

// mkdir creates the directory p and those that lead to it, where they are missing.
func (w *writer) mkdir(p string) error {
	if w.folder(p).place == directory {
		return nil
	}
	if err := w.mkdir(path.Dir(p)); err != nil {
		return err
	}
	w.folders[p] = folder{reached: p, place: directory}
	return w.change("creating", p, func() error { return unless(fs.ErrExist, w.root.Mkdir(p, w.o.dirMode())) })
}

// sweep removes the temporary files of killed runs.
func (w *writer) sweep() error {
	entries, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("reading %s: %w", w.dir, files.Explain(err))
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
	return w.change("removing", p, func() error { return unless(fs.ErrNotExist, w.root.Remove(p)) })
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
	for _, t := range w.stale {
		if t.removable() {
			if err := w.remove(t.Path); err != nil {
				return err
			}
		}
	}
	for _, t := range w.stale {
		for dir := path.Dir(t.Path); dir != "."; dir = path.Dir(dir) {
			f := w.folder(dir)
			if f.place == absent {
				continue
			}
			empty := false
			err := w.change("removing", dir, func() error {
				empty = f.place == directory && w.root.Remove(dir) == nil // not one with files in it
				return nil
			})
			if err != nil {
				return err
			}
			if !empty {
				break
			}
			w.folders[dir] = folder{reached: dir}
		}
	}
	return nil
}

// report says what a complete run did.
func (s *survey) report() Report {
	done := map[place]State{absent: Created, differs: Updated, same: Unchanged}
	var report Report
	for _, t := range append(slices.Clone(s.targets), s.manifest) {
		report = append(report, Result{Path: t.Path, State: done[t.place]})
	}
	for _, t := range s.stale {
		if t.removable() {
			report = append(report, Result{Path: t.Path, State: Removed})
		}
	}
	slices.SortFunc(report, func(a, b Result) int { return cmp.Compare(a.Path, b.Path) })
	return report
}
