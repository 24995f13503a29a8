//go:build unix && !aix && !solaris

package publish

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"cardwright/internal/diag"
)

// Somebody else changes the directory at every moment of a run: takes away the
// permission to write, or puts a link to elsewhere in place of a directory.
func TestWriteWhileOthersChangeTheTree(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct {
		do, undo func(t *testing.T, dir, outside string)
		rooted   bool // does something to the superuser as well
	}{
		"permissions": {
			do:   func(t *testing.T, dir, _ string) { t.Helper(); permit(t, dir, 0o555) },
			undo: func(t *testing.T, dir, _ string) { t.Helper(); permit(t, dir, 0o755) },
		},
		"a link to elsewhere": {
			do: func(t *testing.T, dir, outside string) {
				t.Helper()
				must(t, os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "was-a")))
				must(t, os.Symlink(outside, filepath.Join(dir, "a")))
			},
			undo: func(t *testing.T, dir, _ string) {
				t.Helper()
				must(t, os.Remove(filepath.Join(dir, "a")))
				must(t, os.Rename(filepath.Join(dir, "was-a"), filepath.Join(dir, "a")))
			},
			rooted: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !change.rooted {
				skipAsRoot(t)
			}
			first, step := operations(false)
			for n := first; ; n += step {
				top := t.TempDir()
				dir, outside := filepath.Join(top, "dist"), filepath.Join(top, "outside")
				publish(t, dir, cards("a", "old", "b", "old", "c", "old"), Options{})
				put(t, outside, ".well-known/agent-card.json", "theirs")
				before, theirs := snapshot(t, dir), snapshot(t, outside)
				var count atomic.Int64
				files := cards("a", "new", "b", "new", "d", "new")
				_, found, err := Write(t.Context(), at(t, dir), files, Options{fault: func(_, _ string) error {
					if count.Add(1) == n {
						change.do(t, dir, outside)
					}
					return nil
				}})
				equal(t, theirs, snapshot(t, outside))
				if count.Load() < n {
					must(t, err)
					t.Logf("%d operations, with the change before one in %d", count.Load(), step)
					return
				}
				if found.Worst() == diag.Error {
					t.Fatalf("operation %d: findings %v after the first change", n, found)
				}
				change.undo(t, dir, outside)
				isOldOrNew(t, dir, before, contents(files))
				publish(t, dir, files, Options{})
				equal(t, contents(files), snapshot(t, dir))
			}
		})
	}
}

// permit gives all directories below dir the same permissions.
func permit(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	var dirs []string
	must(t, os.Chmod(dir, 0o755))
	walk(t, dir, func(p, _ string, info os.FileInfo) {
		if info.IsDir() {
			dirs = append(dirs, p)
			must(t, os.Chmod(p, 0o755))
		}
	})
	for _, p := range append(dirs, dir) {
		must(t, os.Chmod(p, mode))
	}
}
