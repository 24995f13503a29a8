package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// start returns a Watcher, and a project of one skill, one file that no one
// reads, and an empty directory.
func start(t *testing.T) (*Watcher, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	put(t, dir, "config", "1")
	put(t, dir, "skills/a/SKILL.md", "1")
	put(t, dir, "skills/a/script", "1")
	must(t, os.MkdirAll(filepath.Join(dir, "skills", "empty"), 0o755))
	w, err := New()
	must(t, err)
	t.Cleanup(func() { must(t, w.Close()) })
	return w, dir
}

// run reads config and every SKILL.md, as generate does.
func run(w *Watcher, dir string) {
	w.Begin()
	fsys := w.FS(os.DirFS(dir), dir)
	_, _ = fs.ReadFile(fsys, "config")
	_ = fs.WalkDir(fsys, "skills", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "SKILL.md" {
			_, _ = fs.ReadFile(fsys, name)
		}
		return nil
	})
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wake wants the change to end a Wait. The deadline only ends a test that hangs.
func wake(t *testing.T, w *Watcher, change func()) {
	t.Helper()
	change()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if err := w.Wait(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestWait(t *testing.T) {
	type change = func(dir string) error
	rename := func(from, to string) change {
		return func(dir string) error { return os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)) }
	}
	remove := func(name string) change {
		return func(dir string) error { return os.RemoveAll(filepath.Join(dir, name)) }
	}
	write := func(name string) change {
		return func(dir string) error { put(t, dir, name, "2"); return nil }
	}
	for name, changes := range map[string][]change{
		"a file is written":            {write("skills/a/SKILL.md")},
		"a file is replaced":           {rename("skills/a/script", "config")},
		"a file comes":                 {write("skills/empty/SKILL.md"), write("skills/empty/SKILL.md")},
		"a directory comes":            {write("skills/b/c/SKILL.md"), write("skills/b/c/SKILL.md")},
		"all of it goes and comes":     {rename("skills", "away"), rename("away", "skills"), write("skills/a/SKILL.md")},
		"another tree in its place":    {rename("skills", "old"), write("skills/z/SKILL.md"), write("skills/z/SKILL.md")},
		"what is made anew is watched": {remove("skills"), write("skills/a/SKILL.md"), write("skills/a/SKILL.md")},
		"what a link leads to":         {remove("config"), link, write("elsewhere")},
	} {
		t.Run(name, func(t *testing.T) {
			w, dir := start(t)
			for _, change := range changes {
				run(w, dir)
				wake(t, w, func() { must(t, change(dir)) })
			}
		})
	}
}

// link makes config a link to a file.
func link(dir string) error {
	return errors.Join(os.WriteFile(filepath.Join(dir, "elsewhere"), nil, 0o600),
		os.Symlink("elsewhere", filepath.Join(dir, "config")))
}

// What a run wrote matters when it is removed, also right after it was made again, and not
// when it is replaced, as the run itself does.
func TestWaitForWhatWasWritten(t *testing.T) {
	w, dir := start(t)
	begin := func() {
		put(t, dir, "dist/a/card", "1")
		run(w, dir)
		w.Ignore(filepath.Join(dir, "dist"))
		w.Keep(filepath.Join(dir, "dist", "a", "card"))
	}
	for _, removed := range []string{"dist/a/card", "dist/a", "dist", "dist/a/card"} {
		begin()
		wake(t, w, func() { must(t, os.RemoveAll(filepath.Join(dir, removed))) })
	}
	run(w, dir)
	w.Keep(filepath.Join(dir, "dist", "a", "card")) // which has been removed already
	wake(t, w, func() {})
	begin()
	wake(t, w, func() {
		put(t, dir, "dist/a/temp", "2")
		must(t, os.Rename(filepath.Join(dir, "dist/a/temp"), filepath.Join(dir, "dist/a/card")))
		put(t, dir, "config", "2")
	})
}

// Where the system has lost changes, anything may have changed. Other errors end a Wait.
func TestWaitEnds(t *testing.T) {
	w, dir := start(t)
	run(w, dir)
	for _, lost := range []error{fsnotify.ErrEventOverflow, fs.ErrInvalid} {
		go func() { w.events.Errors <- lost }()
		if err := w.Wait(t.Context()); (err == nil) != errors.Is(lost, fsnotify.ErrEventOverflow) {
			t.Errorf("after %v, Wait returned %v", lost, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait returned %v", err)
	}
}

func TestMatters(t *testing.T) {
	w, dir := start(t)
	run(w, dir)
	w.Ignore(filepath.Join(dir, "skills", "out"))
	for name, c := range map[string]struct {
		file string
		op   fsnotify.Op
		want bool
	}{
		"a file that is read is written":     {"config", fsnotify.Write, true},
		"it gets other permissions":          {"config", fsnotify.Chmod, false},
		"it goes":                            {"config", fsnotify.Remove, true},
		"a file beside it":                   {"README", fsnotify.Create, false},
		"a file that is not read is written": {"skills/a/script", fsnotify.Write, false},
		"a file comes where all are listed":  {"skills/a/.SKILL.md.swp", fsnotify.Create, true},
		"a listed directory goes":            {"skills/a", fsnotify.Remove, true},
		"the output comes":                   {"skills/out", fsnotify.Create, false},
		"something in the output":            {"skills/out/x", fsnotify.Rename, false},
	} {
		e := fsnotify.Event{Name: filepath.Join(dir, filepath.FromSlash(c.file)), Op: c.op}
		if got := w.matters(e); got != c.want {
			t.Errorf("%s: matters is %t, want %t", name, got, c.want)
		}
	}
	w.Begin()
	if w.matters(fsnotify.Event{Name: filepath.Join(dir, "config"), Op: fsnotify.Write}) {
		t.Error("what an earlier run has read still matters")
	}
}

func TestNobodyWatches(t *testing.T) {
	var w *Watcher
	fsys := os.DirFS(t.TempDir())
	if w.FS(fsys, "") != fsys {
		t.Error("a nil Watcher puts something between")
	}
	w.File("x")
	w.Ignore("x")
}
