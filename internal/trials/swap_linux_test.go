package trials

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// While runs write, somebody exchanges the output directory, or one above it, for
// a link to that of another project, and back, as fast as the system can. The
// other project stays as it is: a run writes to the directory that it has opened,
// or ends because there is a link.
func TestSwappedOutput(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		swapped string // an element of the way to the output directory
		args    []string
	}{
		"the output directory":  {"build/dist", nil},
		"the directory above":   {"build", nil},
		"the server directory":  {"build/dist.server", []string{"--server", "nginx"}},
		"the private directory": {"build/private", []string{"--private-out", "build/private"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newArena(t)
			args := append([]string{"generate", "-q", "--out", "build/dist"}, test.args...)
			a.run(append([]string{"--config", a.configs[0]}, args...)...)
			victim := &arena{T: t, dir: t.TempDir()}
			a.must(os.CopyFS(victim.dir, os.DirFS(a.dir)))
			before := victim.tree(".")
			a.must(os.MkdirAll(filepath.Join(a.dir, test.swapped), 0o755))
			link, swapped := filepath.Join(a.dir, "link"), filepath.Join(a.dir, test.swapped)
			a.must(os.Symlink(filepath.Join(victim.dir, test.swapped), link))
			swap := func() error {
				return unix.Renameat2(unix.AT_FDCWD, link, unix.AT_FDCWD, swapped, unix.RENAME_EXCHANGE)
			}
			if err := errors.Join(swap(), swap()); err != nil {
				t.Skipf("the file system cannot exchange two names: %v", err)
			}

			var stop atomic.Bool
			swaps := make(chan int)
			go func() {
				n := 0
				for !stop.Load() {
					if swap() == nil {
						n++
					}
				}
				swaps <- n
			}()
			wrote, refused := 0, 0
			for i := range rounds(1) {
				c := a.command(append([]string{"--config", a.configs[1-i%2]}, args...)...)
				var said strings.Builder
				c.Stderr = &said
				switch err := c.Run(); {
				case err == nil:
					wrote++
				case c.ProcessState.ExitCode() < 1 || c.ProcessState.ExitCode() > 3 ||
					strings.Contains(said.String(), "goroutine "):
					t.Errorf("a run ends with %v\n%s", err, said.String())
				default:
					refused++
				}
			}
			stop.Store(true)
			n := <-swaps
			if after := victim.tree("."); !maps.Equal(before, after) {
				t.Error("the other project has changed")
			}
			if *chaos >= 40 && (wrote == 0 || refused == 0) {
				t.Errorf("nothing was tried: %d swaps, %d runs wrote, %d were refused", n, wrote, refused)
			}
			t.Logf("%d swaps, %d runs wrote, %d were refused", n, wrote, refused)
		})
	}
}
