package publish

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"cardwright/schema"
)

// cards returns the cards of several agents without their legacy copies, to
// have fewer operations to fail at.
func cards(idsAndTexts ...string) []schema.File {
	return slices.DeleteFunc(project(idsAndTexts...), func(f schema.File) bool { return path.Base(f.Path) == "agent.json" })
}

// scenarios are runs into a directory that holds something already.
var scenarios = map[string]struct {
	old     []schema.File
	foreign map[string]string
	files   []schema.File
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
		foreign: map[string]string{ManifestName: "<<<<<<< HEAD", "a/.well-known/agent-card.json": "theirs"},
		files:   cards("a", "new"),
		options: Options{Force: true},
	},
}

// failure makes the nth operation fail, and with it all that follow if the
// process is thought to be killed there: then nothing cleans up.
type failure struct {
	nth    int64
	killed bool
	count  atomic.Int64
}

func (f *failure) fault(op, p string) error {
	if n := f.count.Add(1); n == f.nth || f.killed && n > f.nth {
		return &os.PathError{Op: op, Path: p, Err: syscall.ENOSPC}
	}
	return nil
}

func TestWriteFailsAtEveryOperation(t *testing.T) {
	t.Parallel()
	for name, s := range scenarios {
		for _, killed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/killed=%t", name, killed), func(t *testing.T) {
				t.Parallel()
				for n := int64(1); ; n++ {
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
					f := failure{nth: n, killed: killed}
					o := s.options
					o.fault = f.fault
					_, found, err := Write(t.Context(), dir, s.files, o)
					if found != nil {
						t.Fatalf("operation %d: findings %v", n, found)
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
						return
					}
					if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), tempPrefix) {
						t.Fatalf("operation %d: error %v", n, err)
					}
					isOldOrNew(t, dir, before, after)
					if !killed {
						noTemps(t, dir)
					}
					healed := s.options
					if n%2 == 0 && s.old != nil { // the user has gone back to the old project
						after = before
						publish(t, dir, s.old, healed)
					} else {
						publish(t, dir, s.files, Options{Force: s.options.Force && n <= 4})
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
		if isTemp(path.Base(p)) || text == old[p] || text == updated[p] {
			continue
		}
		if _, found := parseManifest(p, []byte(text)); p != ManifestName || found != nil {
			t.Errorf("%s is neither old nor new: %q", p, text)
		}
	}
	for p := range old {
		if _, stays := updated[p]; stays && got[p] == "" {
			t.Errorf("%s is gone", p)
		}
	}
}

func noTemps(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return
	}
	for _, p := range slices.Sorted(maps.Keys(snapshot(t, dir))) {
		if strings.HasPrefix(path.Base(p), tempPrefix) {
			t.Errorf("%s was left", p)
		}
	}
}
