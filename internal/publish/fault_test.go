package publish

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/tree"
)

// cards returns the cards of several agents without their legacy copies, to
// have fewer operations to fail at.
func cards(idsAndTexts ...string) []tree.File {
	return slices.DeleteFunc(project(idsAndTexts...), func(f tree.File) bool { return path.Base(f.Path) == "agent.json" })
}

// scenarios are runs into a directory that holds something already.
var scenarios = map[string]struct {
	old     []tree.File
	foreign map[string]string
	files   []tree.File
	options Options
}{
	"first run": {
		files: cards("a", "new", "b", "new"),
	},
	"first run beside others' files": {
		foreign: map[string]string{"README.md": "mine", "a/.well-known/security.txt": "mine"},
		files:   cards("a", "new"),
	},
	"every kind of change": {
		old:     cards("a", "old", "b", "same", "c", "gone"),
		foreign: map[string]string{"README.md": "mine", "c/notes.txt": "mine"},
		files:   append(cards("a", "new", "b", "same", "d", "added"), textFile("index.html", "new")),
	},
	"update only": {
		old:   cards("a", "old", "b", "old"),
		files: cards("a", "new", "b", "new"),
	},
	"removal only": {
		old:   cards("a", "old", "b", "old"),
		files: cards("a", "old"),
	},
	"by force": {
		foreign: map[string]string{tree.ManifestName: "<<<<<<< HEAD", "a/.well-known/agent-card.json": "theirs"},
		files:   cards("a", "new"),
		options: Options{Force: true},
	},
}

// failure makes the nth operation in a directory fail, and with it all that
// follow if the process is thought to be killed there: then nothing cleans up.
// A write that fails leaves half of a file.
type failure struct {
	dir    string
	nth    int64
	cause  syscall.Errno
	killed bool
	count  atomic.Int64
}

func (f *failure) fault(op, p string) error {
	n := f.count.Add(1)
	if n != f.nth && (!f.killed || n < f.nth) {
		return nil
	}
	var half error
	if op == "write" {
		half = os.WriteFile(filepath.Join(f.dir, filepath.FromSlash(p)), []byte("{\n  \"na"), 0o644)
	}
	return errors.Join(&os.PathError{Op: op, Path: p, Err: f.cause}, half)
}

// causes are what a disk that is full, broken, closed or read-only says.
var causes = []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EACCES, syscall.EROFS}

// operations are the first one that fails, and how many there are from one to
// the next: all in a long trial. The step has no factor in common with the number
// of causes, so that each is tried.
func operations(killed bool) (first, step int64) {
	switch {
	case fixture.Long():
		return 1, 1
	case killed:
		return 4, 7
	}
	return 1, 7
}

func TestWriteFailsAtEveryOperation(t *testing.T) {
	t.Parallel()
	for name, s := range scenarios {
		for _, killed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/killed=%t", name, killed), func(t *testing.T) {
				t.Parallel()
				first, step := operations(killed)
				for n := first; ; n += step {
					dir := filepath.Join(t.TempDir(), "dist")
					if s.old != nil {
						publish(t, dir, s.old, Options{})
					}
					for p, text := range s.foreign {
						put(t, dir, p, text)
					}
					before := map[string]string{}
					if s.old != nil || s.foreign != nil {
						before = snapshot(t, dir)
					}
					f := failure{dir: dir, nth: n, cause: causes[n%4], killed: killed}
					o := s.options
					o.fault = f.fault
					_, found, err := Write(t.Context(), at(t, dir), s.files, o)
					if found != nil { // the output directory cannot be made
						equal(t, []string{"output-access ."}, rulesOf(found, dir))
						publish(t, dir, s.files, s.options)
						continue
					}
					after := maps.Clone(contents(s.files))
					for p, text := range s.foreign {
						if _, ours := after[p]; !ours {
							after[p] = text
							after[path.Dir(p)] = "(directory)"
						}
					}
					delete(after, ".")
					if err == nil {
						if f.count.Load() >= n {
							t.Fatalf("operation %d failed, and nobody was told", n)
						}
						equal(t, after, snapshot(t, dir))
						t.Logf("%d operations, of which one in %d has failed once", f.count.Load(), step)
						return
					}
					if !errors.Is(err, f.cause) || strings.Contains(err.Error(), tree.TempPrefix) {
						t.Fatalf("operation %d: error %v", n, err)
					}
					isOldOrNew(t, dir, before, after)
					fits(t, dir, before, after)
					if !killed {
						noTemps(t, dir)
					}
					healed := s.options
					if n%2 == 0 && s.old != nil { // the user has gone back to the old project
						after = before
						publish(t, dir, s.old, healed)
					} else {
						publish(t, dir, s.files, Options{Force: s.options.Force &&
							snapshot(t, dir)[tree.ManifestName] == s.foreign[tree.ManifestName]})
					}
					equal(t, after, snapshot(t, dir))
				}
			})
		}
	}
}

// isOldOrNew demands that each file stands in one of two snapshots with just
// these bytes. The manifest may also list the files of both.
func isOldOrNew(t *testing.T, dir string, old, updated map[string]string) {
	t.Helper()
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return
	}
	got := snapshot(t, dir)
	for p, text := range got {
		if tree.IsTemp(path.Base(p)) || p == tree.JournalName || text == old[p] || text == updated[p] {
			continue
		}
		if _, found := tree.ParseManifest(p, []byte(text)); p != tree.ManifestName || found != nil {
			t.Errorf("%s is neither old nor new: %q", p, text)
		}
	}
	for p := range old {
		_, suffix := sidecarOf(p) // which goes before its file is replaced
		if _, stays := updated[p]; stays && got[p] == "" && suffix == "" {
			t.Errorf("%s is gone", p)
		}
	}
}

// fits demands that no card stands beside a sidecar of other bytes, and that Verify
// finds a tree at fault that is none of the whole ones.
func fits(t *testing.T, dir string, whole ...map[string]string) {
	t.Helper()
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return
	}
	got := snapshot(t, dir)
	for p, text := range got {
		main, suffix := sidecarOf(p)
		card, stands := got[main]
		if suffix != "" && stands && text != tree.SidecarText(main, suffix, tree.DigestOf([]byte(card))) {
			t.Errorf("%s stands beside another file than its own", p)
		}
	}
	if _, _, found := Verify(at(t, dir)); found == nil &&
		!slices.ContainsFunc(whole, func(w map[string]string) bool { return maps.Equal(got, w) }) {
		t.Error("Verify finds nothing wrong")
	}
}

// However often a run is killed, that which repairs and that which repairs this one,
// the files of all of them are known until one has ended well.
func TestWriteFailsAgainAndAgain(t *testing.T) {
	t.Parallel()
	trees := [][]tree.File{
		cards("a", "1", "b", "1", "c", "1"),
		append(cards("b", "2", "c", "2", "d", "2"), textFile("index.html", "two")),
		cards("x", "1", "y", "1"),
		append(cards("a", "3"), tree.File{Path: ".well-known/agent-skills/index.json", Data: []byte("{}\n"), Sidecars: true}),
		cards("a", "1", "b", "2"),
	}
	foreign := map[string]string{"README.md": "mine", "c/notes.txt": "mine"}
	interrupted := 0
	var whole []map[string]string
	for _, files := range trees {
		w := with(contents(files), foreign)
		w["c"] = "(directory)"
		whole = append(whole, w)
	}
	for seed := range uint64(fixture.Rounds(10, 1000)) {
		r := rand.New(rand.NewPCG(seed, 0))
		dir := filepath.Join(t.TempDir(), "dist")
		publish(t, dir, trees[r.IntN(len(trees))], Options{})
		for p, text := range foreign {
			put(t, dir, p, text)
		}
		for range 1 + r.IntN(4) {
			to := r.IntN(len(trees))
			files := trees[to]
			f := failure{dir: dir, nth: 1 + r.Int64N(60), cause: causes[r.IntN(4)], killed: r.IntN(3) > 0}
			if _, found, err := Write(t.Context(), at(t, dir), files, Options{fault: f.fault}); err != nil {
				interrupted++
				fits(t, dir, whole...)
				if drift, _ := Check(at(t, dir), files, Options{}); drift == nil && !maps.Equal(snapshot(t, dir), whole[to]) {
					t.Errorf("sequence %d: Check finds nothing wrong", seed)
				}
			} else if found != nil {
				t.Fatalf("sequence %d: %v", seed, found)
			}
		}
		to := r.IntN(len(trees))
		files := trees[to]
		publish(t, dir, files, Options{})
		equal(t, whole[to], snapshot(t, dir))
		equal(t, Drift(nil), drift(t, dir, files, Options{}))
		if t.Failed() {
			t.Fatalf("sequence %d", seed)
		}
	}
	t.Logf("%d sequences of one to four runs, %d runs interrupted", fixture.Rounds(10, 1000), interrupted)
}

func noTemps(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(snapshot(t, dir))) {
		if strings.HasPrefix(path.Base(p), tree.TempPrefix) {
			t.Errorf("%s was left", p)
		}
	}
}

// A single file is an old or a new one as well, and so are its sidecars.
func TestWriteFileFailsAtEveryOperation(t *testing.T) {
	for n := int64(1); ; n++ {
		dir := t.TempDir()
		name := filepath.Join(dir, "made", "card.json")
		if n%2 == 0 {
			_, err := WriteFile(at(t, filepath.Dir(name)), filepath.Base(name), []byte("old\n"), true)
			must(t, err)
		}
		f := failure{dir: filepath.Dir(name), nth: n, cause: causes[n%4]}
		_, err := writeFile(at(t, filepath.Dir(name)), filepath.Base(name), []byte("new\n"), true, f.fault)
		if err == nil && f.count.Load() < n {
			if n < 10 {
				t.Fatalf("only %d operations", n)
			}
			return
		}
		if !errors.Is(err, f.cause) || strings.Contains(err.Error(), tree.TempPrefix) {
			t.Fatalf("operation %d: error %v", n, err)
		}
		noTemps(t, dir)
		if data, err := os.ReadFile(name); err == nil && string(data) != "old\n" && string(data) != "new\n" {
			t.Errorf("operation %d leaves %q", n, data)
		}
		_, err = WriteFile(at(t, filepath.Dir(name)), filepath.Base(name), []byte("new\n"), true)
		must(t, err)
		want := contents(withSidecars([]tree.File{{Path: "card.json", Data: []byte("new\n"), Sidecars: true}}))
		delete(want, tree.ManifestName)
		equal(t, want, snapshot(t, filepath.Dir(name)))
	}
}
