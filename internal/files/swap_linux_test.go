package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whoever exchanges a link for another one while it is read never has a file read that
// lies in .git.
func TestSwappedLink(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at(".git/config"), "secret")
	write(t, at("a"), "good")
	root := openRoot(t, dir)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if i%3 == 2 { // a file, so that there is no link for a moment
				_ = os.Link(at("a"), at("next"))
			} else {
				_ = os.Symlink([]string{"a", ".git/config"}[i%3], at("next"))
			}
			_ = os.Rename(at("next"), at("x"))
		}
	}()
	read := 0
	for tries := 0; tries < 4_000 || read == 0 && tries < 20_000_000; tries++ { // until the other one has begun
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
	if read == 0 {
		t.Error("nothing was read")
	}
}
