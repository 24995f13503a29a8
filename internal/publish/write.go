package publish

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"cardwright/internal/files"
)

// writer makes a surveyed directory hold the tree.
type writer struct {
	*survey
	ctx  context.Context // of the one run that it belongs to
	dirs map[string]bool // directories that are known to exist
}

// run makes the tree. A killed run has left a manifest that lists all that it may have
// written, so the next one knows these files for ours.
func (w *writer) run() error {
	if err := w.sweep(); err != nil {
		return err
	}
	union := manifestFile(w.made.Union(w.old))
	if w.changes() && string(union.Data) != string(w.onDisk) {
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

// changes reports whether any file but the manifest is to be written or removed.
func (s *survey) changes() bool {
	return slices.ContainsFunc(s.targets, func(t *target) bool { return t.place != same }) ||
		slices.ContainsFunc(s.stale, func(t *target) bool { return t.removable() })
}

func (t *target) removable() bool { return t.place == differs && !t.kept }

// writeFiles writes the files that are missing or differ, turn by turn: a sidecar or a
// list never stands beside a file that is older than itself.
func (w *writer) writeFiles() error {
	todo := slices.DeleteFunc(slices.Clone(w.targets), func(t *target) bool { return t.place == same })
	slices.SortStableFunc(todo, func(a, b *target) int { return cmp.Compare(a.Turn, b.Turn) })
	for len(todo) > 0 {
		n := slices.IndexFunc(todo, func(t *target) bool { return t.Turn != todo[0].Turn })
		if n < 0 {
			n = len(todo)
		}
		for _, t := range todo[:n] {
			if err := w.mkdir(path.Dir(t.Path)); err != nil {
				return err
			}
		}
		if err := files.All(todo[:n], w.put); err != nil {
			return err
		}
		todo = todo[n:]
	}
	return nil
}

// step comes before each change of the directory.
func (w *writer) step(op, p string) error {
	if err := w.ctx.Err(); err != nil {
		return fmt.Errorf("interrupted: %w", err)
	}
	if w.o.fault == nil {
		return nil
	}
	return w.o.fault(op, p)
}

// failed names the file that an operation failed for.
func (w *writer) failed(doing, p string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", doing, shown(w.dir, p), files.Explain(err))
}

// put writes one file to a temporary one, and that to its place.
func (w *writer) put(t *target) error {
	if err := w.step("write", t.Path); err != nil {
		return w.failed("writing", t.Path, err)
	}
	mode := fs.FileMode(0o666)
	if w.o.Private {
		mode = 0o600
	}
	const tries = 20
	err := fs.ErrNotExist
	for i := 0; i < tries && errors.Is(err, fs.ErrNotExist); i++ { // another run may sweep the temporary file
		err = replace(w.root, t.Path, t.Data, mode, t.keptMode(w.o.Private))
	}
	if err != nil {
		return w.failed("writing", t.Path, err)
	}
	if w.o.Written != nil {
		w.o.Written.Add(1)
	}
	return nil
}

// keptMode returns the permissions of the file that is replaced, 0 for none.
func (t *target) keptMode(private bool) fs.FileMode {
	switch {
	case t.place != differs:
		return 0
	case private:
		return t.mode & 0o700
	}
	return t.mode
}

// replace puts data in the place of the file at name in root, by a temporary file and a
// rename. A new file gets mode less the umask, or exactly the kept permissions. The
// temporary file lies at the root, where [writer.sweep] finds what a killed run has left.
func replace(root *os.Root, name string, data []byte, mode, kept fs.FileMode) error {
	temp := files.TempPrefix + rand.Text() + files.TempSuffix
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && kept != 0 {
		err = f.Chmod(kept)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return nil
}

// sweep removes the temporary files of killed runs.
func (w *writer) sweep() error {
	entries, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		return w.failed("reading", ".", err)
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

// mkdir creates the directory p and those that lead to it, where they are missing.
func (w *writer) mkdir(p string) error {
	if w.dirs[p] || p == "." {
		return nil
	}
	if err := w.mkdir(path.Dir(p)); err != nil {
		return err
	}
	err := w.step("mkdir", p)
	if err == nil {
		err = w.root.Mkdir(p, w.o.dirMode())
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return w.failed("creating", p, err)
	}
	if w.dirs == nil {
		w.dirs = map[string]bool{}
	}
	w.dirs[p] = true
	return nil
}

// remove removes a file or an empty directory, if it is there.
func (w *writer) remove(p string) error {
	err := w.step("remove", p)
	if err == nil {
		err = w.root.Remove(p)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return w.failed("removing", p, err)
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
		if err := w.prune(path.Dir(t.Path)); err != nil {
			return err
		}
	}
	return nil
}

// prune removes the directory p and those above it as far as they are empty.
func (w *writer) prune(p string) error {
	for ; p != "."; p = path.Dir(p) {
		d, err := descend(w.root, p)
		if err != nil {
			return w.failed("reading", p, err)
		}
		empty := d.stands == directory && isEmpty(d.in)
		_ = d.in.Close()
		switch {
		case d.stands == absent:
			continue
		case !empty:
			return nil
		}
		if err := w.remove(p); err != nil {
			return err
		}
	}
	return nil
}

func isEmpty(dir *os.Root) bool {
	entries, err := fs.ReadDir(dir.FS(), ".")
	return err == nil && len(entries) == 0
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
