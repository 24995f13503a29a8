package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Someone who exchanges a link for another one while it is read never has a file
// read that lies in .git.
func TestSwappedLink(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{".git/config": "secret", "a": "good", "b": "good"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"inside": "b", "git": ".git/config"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			next := filepath.Join(dir, []string{"inside", "git", "a"}[i%3])
			if i%3 == 2 { // a file, so that there is no link for a moment
				_ = os.Link(next, filepath.Join(dir, "next"))
			} else if target, err := os.Readlink(next); err == nil {
				_ = os.Symlink(target, filepath.Join(dir, "next"))
			}
			_ = os.Rename(filepath.Join(dir, "next"), filepath.Join(dir, "x"))
		}
	}()
	read, tries := 0, 0
	for ; tries < 4_000 || read == 0 && tries < 20_000_000; tries++ { // until the other one has begun
		data, err := ReadFile(root, "x", 100)
		if strings.Contains(string(data), "secret") {
			t.Error("a file in .git is read")
			break
		}
		if err == nil {
			read++
		}
	}
	close(stop)
	<-stopped
	t.Logf("%d of %d were read", read, tries)
	if read == 0 {
		t.Error("nothing was read")
	}
}
