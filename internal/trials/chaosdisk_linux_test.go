package trials

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// tmpfs mounts a file system of its own at the output directory, which only the
// superuser can do.
func (a *arena) tmpfs() {
	a.Helper()
	at := filepath.Join(a.dir, dist)
	a.must(os.MkdirAll(at, 0o755))
	if err := unix.Mount("tmpfs", at, "tmpfs", 0, "size=64m"); err != nil {
		a.Skipf("no file system can be mounted here: %v", err)
	}
	a.Cleanup(func() { a.must(unix.Unmount(at, unix.MNT_DETACH)) })
}

func (a *arena) remount(flags uintptr, size string) error {
	return unix.Mount("tmpfs", filepath.Join(a.dir, dist), "tmpfs", unix.MS_REMOUNT|flags, "size="+size)
}

// fill makes the mounted directory hold the tree of one configuration, and the
// files of somebody else.
func (a *arena) fill(config int) {
	a.Helper()
	a.generate(config)
	for p, text := range foreign {
		a.write(filepath.Join(dist, p), text)
	}
}

// A disk that gets full after any number of pages stops the run with a reason.
// Every file is whole, no temporary one is left, and with room the next run
// brings all in order.
func TestChaosFullDisk(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	a.tmpfs()
	a.fill(0)
	n := rounds(2)
	stopped := 0
	for i := range n {
		to := 1 - i%2
		used := a.used()
		room := rand.IntN(2 * a.cards) // pages: what the added agents and the temporary files of a batch need, or less
		a.must(a.remount(0, fmt.Sprintf("%dk", 4*(used+room))))
		out, err := a.command("--config", a.configs[to], "generate", "-q", "--out", dist).CombinedOutput()
		if err != nil {
			stopped++
			if !strings.Contains(string(out), "no space left on device") {
				t.Errorf("the reason is missing: %s", out)
			}
		}
		a.examine(false)
		a.must(a.remount(0, "64m"))
		a.heal(to)
	}
	t.Logf("%d runs over %d cards, %d of them stopped by a full disk; all healed", n, a.cards, stopped)
}

// used is how many pages of the mounted file system are in use.
func (a *arena) used() int {
	a.Helper()
	var s unix.Statfs_t
	a.must(unix.Statfs(filepath.Join(a.dir, dist), &s))
	return int(s.Blocks - s.Bfree)
}

// A file system that turns read-only at any moment of a run, as a broken disk
// does: whole files, and all healed when it can be written again.
func TestChaosReadOnly(t *testing.T) {
	t.Parallel()
	a := newArena(t)
	a.tmpfs()
	a.fill(0)
	n := rounds(2)
	stopped, temps := 0, 0
	for i := range n {
		to := 1 - i%2
		c := a.command("--config", a.configs[to], "generate", "-q", "--out", dist)
		a.must(c.Start())
		ended := make(chan error)
		go func() { ended <- c.Wait() }()
		time.Sleep(rand.N(a.took))
		for errors.Is(a.remount(unix.MS_RDONLY, "64m"), unix.EBUSY) {
			time.Sleep(time.Millisecond / 4) // while a file is being written
		}
		if <-ended != nil {
			stopped++
		}
		temps += a.examine(true).temps
		a.must(a.remount(0, "64m"))
		a.heal(to)
	}
	// When it was read-only before, nothing is tried.
	before := a.examine(false).files
	a.must(a.remount(unix.MS_RDONLY, "64m"))
	out, err := a.command("--config", a.configs[1-n%2], "generate", "-q", "--out", dist).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "[output-access]") {
		t.Errorf("%v: %s", err, out)
	}
	if !maps.Equal(before, a.tree(dist)) {
		t.Error("something has changed")
	}
	t.Logf("%d runs over %d cards, %d of them stopped by a file system that turned read-only, "+
		"%d with a part of the files written, %d temporary files that could not be removed there; all healed",
		n, a.cards, stopped, a.partial, temps)
}

// A bound on the size of files stops the run at the manifest, which is the
// largest and the last.
func TestChaosFileSize(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is missing")
	}
	t.Parallel()
	a := newArena(t)
	a.reset(0, false)
	out, err := a.in("sh", "-c", "ulimit -f 8; exec cardwright --config new.yaml generate -q --out dist").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "file too large") {
		t.Errorf("%v: %s", err, out)
	}
	a.examine(false)
	a.heal(1)
}
