package publish

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/parallel"
	"cardwright/internal/tree"
)

const (
	// batchSize is how many files are written before they are put in place.
	batchSize = 128
	// syncers is how many files are on their way to the disk at a time: file
	// systems commit what is asked for together in one go.
	syncers = 16
)

// writer makes a surveyed directory hold the tree.
type writer struct {
	*survey
	disk disk
	made map[string]bool // directories that are known to exist
	// written counts the files that are in place, unless it is nil.
	written *atomic.Int64
	sidecar map[string]bool // whether one stands at a path
}

func newWriter(root *os.Root, dir string, all []tree.File, o Options) *writer {
	w := &writer{
		survey: look(root, dir, all, o),
		disk:   disk{root: root, private: o.Private, fault: o.fault},
		made:   map[string]bool{}, written: o.Written, sidecar: map[string]bool{},
	}
	for _, t := range w.targets {
		if _, suffix := sidecarOf(t.Path); suffix != "" && t.site == differs {
			w.sidecar[t.Path] = true
		}
	}
	return w
}

// refusals returns what stops the run before it changes anything. Without a
// manifest to rely on nobody can tell whose the files are.
func (w *writer) refusals(force bool) diag.List {
	refused := w.found
	for _, t := range w.targets {
		switch {
		case t.site != differs:
		case t.foreign:
			refused = append(refused, problem(ruleForeign, w.dir, t.Path,
				fmt.Sprintf("%q would be overwritten, but cardwright did not write it: it does not begin with %q",
					shown(w.dir, t.Path), t.Marker),
				"move it away; --force does not overwrite it"))
		case t.Marker == "" && !t.owned && !w.lost && !force:
			refused = append(refused, problem(ruleForeign, w.dir, t.Path,
				fmt.Sprintf("%q would be overwritten, but cardwright did not write it: it is not in the manifest",
					shown(w.dir, t.Path)),
				"move it away, or overwrite it with --force"))
		}
	}
	for _, f := range w.folders {
		if !slices.ContainsFunc(f.targets, (*target).changes) {
			continue
		}
		if found := w.unwritable(f.path); found != nil {
			refused = append(refused, found...)
			break // as a rule the others have the same cause
		}
	}
	return refused.Sorted()
}

// unwritable reports that the system does not allow changes in the directory p,
// or creating it. The survey has reported what cannot be opened.
func (w *writer) unwritable(p string) diag.List {
	d, err := descend(w.root, p)
	if err != nil {
		return nil
	}
	defer d.in.Close()
	if d.stands != directory {
		p = path.Dir(d.reached)
	}
	return unwritable(d.in, shown(w.dir, p), "written to")
}

// unwritable reports that files cannot be created in a directory, of which name is
// what cannot be done something to.
func unwritable(in *os.Root, name, what string) diag.List {
	f, err := in.Open(".")
	if err != nil {
		return nil
	}
	defer f.Close()
	if err := mayWrite(f); err != nil {
		return diag.List{denied(name, "", what, err)}
	}
	return nil
}

// run makes the tree. What is to be written is in the journal before it is there, so
// that the run after a killed one knows it for ours.
func (w *writer) run(ctx context.Context) error {
	defer holding(ctx)()
	for _, p := range w.temps { // of a killed run
		if err := w.disk.remove(p); err != nil {
			return w.failed("removing", p, err)
		}
	}
	if err := w.respell(); err != nil {
		return err
	}
	if err := w.record(ctx, append(w.claims(), w.left...)); err != nil {
		return err
	}
	if err := w.writeFiles(ctx); err != nil {
		return err
	}
	if err := w.removeStale(ctx); err != nil {
		return err
	}
	i := slices.IndexFunc(w.targets, func(t *target) bool { return t.Path == tree.ManifestName })
	if manifest := w.targets[i]; manifest.site != same {
		if err := w.put(ctx, manifest.File); err != nil {
			return err
		}
	}
	return w.record(ctx, w.rest)
}

// claims are the files that are to be written.
func (w *writer) claims() []claim {
	var claims []claim
	for _, t := range w.targets {
		if t.site != same && t.Path != tree.ManifestName {
			claims = append(claims, claim{t.Path, t.Digest()})
		}
	}
	return claims
}

// record makes the journal hold claims, and removes it when there are none.
func (w *writer) record(ctx context.Context, claims []claim) error {
	f := journalFile(claims)
	switch {
	case len(claims) > 0 && !bytes.Equal(f.Data, w.journal):
		if err := w.put(ctx, f); err != nil {
			return err
		}
		w.journal = f.Data
	case len(claims) == 0 && w.journal != nil:
		return w.failed("removing", f.Path, w.disk.remove(f.Path))
	}
	return nil
}

// put writes one file and puts it in its place.
func (w *writer) put(ctx context.Context, f tree.File) error {
	return w.putAll(ctx, []tree.File{f})
}

// writeFiles writes the files that are missing or differ, turn by turn and within a
// turn in the order of their paths. Each turn goes down to the disk by itself: a
// server that opens a card and then its sidecar, as Caddy does, is done with both
// before the next turn is in place. The old sidecars go before their file is replaced,
// so that no card ever stands beside the tag of another one: for a moment, and after
// a run that was killed, it has none.
func (w *writer) writeFiles(ctx context.Context) error {
	turns := map[tree.Turn][]tree.File{}
	for _, t := range w.targets {
		if t.site != same && t.Path != tree.ManifestName {
			turns[t.Turn] = append(turns[t.Turn], t.File)
		}
	}
	for _, turn := range slices.Sorted(maps.Keys(turns)) {
		for batch := range slices.Chunk(turns[turn], batchSize) {
			if err := w.putAll(ctx, batch); err != nil {
				return err
			}
			if w.written != nil {
				w.written.Add(int64(len(batch)))
			}
		}
	}
	return nil
}

// putAll writes files to temporary ones, all at a time, and then puts them in
// their places one after the other. No temporary file is left.
func (w *writer) putAll(ctx context.Context, files []tree.File) error {
	for _, f := range files {
		if err := w.mkdir(path.Dir(f.Path)); err != nil {
			return err
		}
	}
	temps := make([]string, len(files))
	err := parallel.Each(syncers, slices.Values(files), func(i int, f tree.File) (err error) {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("interrupted: %w", err)
		}
		temps[i], err = w.disk.stage(f)
		return w.failed("writing", f.Path, err)
	})
	if last := len(files) - 1; err == nil && last >= 0 {
		err = w.failed("writing", files[last].Path, settle(w.root, temps[last]))
	}
	for i, f := range files {
		if err == nil {
			err = w.removeSidecars(f)
		}
		if err == nil {
			err = w.failed("writing", f.Path, w.disk.rename(temps[i], f.Path))
		}
		if err != nil && temps[i] != "" {
			_ = w.disk.remove(temps[i]) // a run that cannot do this leaves it to the next
		}
	}
	return err
}

// removeSidecars removes the sidecars of a file that is about to be replaced.
func (w *writer) removeSidecars(f tree.File) error {
	for _, s := range f.SidecarFiles() {
		if !w.sidecar[s.Path] {
			continue
		}
		if err := w.disk.remove(s.Path); err != nil {
			return w.failed("removing", s.Path, err)
		}
	}
	return nil
}

// failed names the file that an operation failed for.
func (w *writer) failed(doing, p string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", doing, shown(w.dir, p), files.Explain(err))
}

// mkdir creates the directory p and those that lead to it, where they are missing.
func (w *writer) mkdir(p string) error {
	if w.made[p] || p == "." {
		return nil
	}
	if err := w.mkdir(path.Dir(p)); err != nil {
		return err
	}
	if err := w.disk.mkdir(p); err != nil && !errors.Is(err, fs.ErrExist) {
		return w.failed("creating", p, err)
	}
	w.made[p] = true
	return nil
}

// removeStale removes what the tree no longer holds, and the directories that
// this leaves empty.
func (w *writer) removeStale(ctx context.Context) error {
	for _, t := range w.stale {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("interrupted: %w", err)
		}
		if t.site != same {
			continue
		}
		if err := w.disk.remove(t.Path); err != nil {
			return w.failed("removing", t.Path, err)
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
		if d.stands == absent {
			continue
		}
		if !empty {
			return nil
		}
		if err := w.disk.remove(p); err != nil {
			return w.failed("removing", p, err)
		}
	}
	return nil
}

// report tells what a complete run did.
func (w *writer) report() Report {
	done := map[site]State{absent: Created, differs: Updated, same: Unchanged}
	var report Report
	for _, t := range w.targets {
		report = append(report, Result{Path: t.Path, State: done[t.site]})
	}
	for _, t := range w.stale {
		if t.site == same {
			report = append(report, Result{Path: t.Path, State: Removed})
		}
	}
	slices.SortFunc(report, func(a, b Result) int { return cmp.Compare(a.Path, b.Path) })
	return report
}

// kept tells about files of an earlier run that are not part of the tree but stay, because
// they are not what it wrote.
func (w *writer) kept() diag.List {
	var found diag.List
	for _, t := range w.stale {
		if t.site != absent && t.site != same {
			found = append(found, problem(ruleEdited, w.dir, t.Path,
				fmt.Sprintf("%q is no longer generated, but is kept because it was edited", shown(w.dir, t.Path)),
				"remove it if you do not need it; cardwright will not touch it again").WithSeverity(diag.Warning))
		}
	}
	return found.Sorted()
}
