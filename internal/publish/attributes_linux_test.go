package publish

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A file keeps its mode and its extended attributes, which hold access control lists,
// when it is replaced; its sidecars get them.
func TestWriteKeepsPermissions(t *testing.T) {
	dir := t.TempDir()
	card := filepath.Join(dir, "a", ".well-known", "agent-card.json")
	publish(t, dir, project("a", "old"), Options{})
	must(t, os.Chmod(card, 0o640))
	err := unix.Setxattr(card, "user.acme", []byte("yes"), 0)
	if errors.Is(err, unix.ENOTSUP) {
		t.Skip("the file system has no extended attributes")
	}
	must(t, err)
	publish(t, dir, project("a", "new"), Options{})
	for _, name := range []string{card, card + ".etag", card + ".sha256"} {
		info, err := os.Stat(name)
		must(t, err)
		value := make([]byte, 8)
		n, err := unix.Getxattr(name, "user.acme", value)
		if info.Mode().Perm() != 0o640 || err != nil || string(value[:n]) != "yes" {
			t.Errorf("%s: mode %o, attribute %q, %v", name, info.Mode().Perm(), value[:max(n, 0)], err)
		}
	}
}
