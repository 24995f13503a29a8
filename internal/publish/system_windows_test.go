package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// Two handles on a directory are those of one directory, whatever its path.
func TestDirectoryIsHeldOnce(t *testing.T) {
	dir := t.TempDir()
	open := func(name string) *os.File {
		f, err := os.Open(name)
		must(t, err)
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	first, second := open(dir), open(filepath.Join(strings.ToUpper(filepath.Dir(dir)), filepath.Base(dir)))
	release, ok := tryLock(first)
	if !ok {
		t.Fatal("nobody has it, and it is held")
	}
	if _, again := tryLock(second); again {
		t.Error("it is held twice")
	}
	other, ok := tryLock(open(t.TempDir()))
	if !ok {
		t.Fatal("another directory is held")
	}
	other()
	release()
	if release, ok = tryLock(second); !ok {
		t.Fatal("it was given back, and is held")
	}
	release()
}

// Runs into one directory wait for one another: what stands there afterwards is
// the tree of one of them.
func TestWritersTakeTurns(t *testing.T) {
	dir := t.TempDir()
	for range 5 {
		var writers sync.WaitGroup
		for _, text := range []string{"one", "two"} {
			writers.Go(func() {
				_, found, err := Write(t.Context(), at(t, dir), project("review", text), Options{})
				if err != nil || len(found) > 0 {
					t.Errorf("%s: %v %v", text, found, err)
				}
			})
		}
		writers.Wait()
		one, two := contents(project("review", "one")), contents(project("review", "two"))
		if got := snapshot(t, dir); !same2(got, one) && !same2(got, two) {
			t.Fatalf("two trees are mixed: %v", got)
		}
	}
}

func same2(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if b[name] != text {
			return false
		}
	}
	return true
}

// A file that another program has open is replaced once that lets go of it, and a
// protected one at once. Otherwise the run says why it ends.
func TestWriteOverFilesInUse(t *testing.T) {
	card := project("review", "one")[0].Path
	lock := func(t *testing.T, name string) windows.Handle {
		t.Helper()
		text, err := windows.UTF16PtrFromString(name)
		must(t, err)
		h, err := windows.CreateFile(text, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
		must(t, err)
		return h
	}
	t.Run("for a moment", func(t *testing.T) {
		dir := t.TempDir()
		publish(t, dir, project("review", "one"), Options{})
		h := lock(t, filepath.Join(dir, filepath.FromSlash(card)))
		time.AfterFunc(300*time.Millisecond, func() { _ = windows.CloseHandle(h) })
		publish(t, dir, project("review", "two"), Options{})
		equal(t, contents(project("review", "two")), snapshot(t, dir))
	})
	t.Run("for good", func(t *testing.T) {
		dir := t.TempDir()
		publish(t, dir, project("review", "one"), Options{})
		h := lock(t, filepath.Join(dir, filepath.FromSlash(card)))
		_, _, err := Write(t.Context(), at(t, dir), project("review", "two"), Options{})
		_ = windows.CloseHandle(h)
		if err == nil || !strings.Contains(err.Error(), "another program has it open") {
			t.Errorf("error %v, want the cause", err)
		}
		publish(t, dir, project("review", "two"), Options{})
		equal(t, contents(project("review", "two")), snapshot(t, dir))
	})
	t.Run("read only", func(t *testing.T) {
		dir := t.TempDir()
		publish(t, dir, project("review", "one"), Options{})
		must(t, os.Chmod(filepath.Join(dir, filepath.FromSlash(card)), 0o444))
		publish(t, dir, project("review", "two"), Options{})
		equal(t, contents(project("review", "two")), snapshot(t, dir))
	})
	if errors.Is(nil, windows.ERROR_SHARING_VIOLATION) {
		t.Error("no error is one")
	}
}
