package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/git"
)

// Tracked lists what is in the index: not what is ignored, untracked, or in a
// submodule.
func TestTracked(t *testing.T) {
	t.Parallel()
	r, run := repository(t)
	inner, _ := repository(t)
	for name, text := range map[string]string{
		".gitignore": "ignored\n", "a/ignored": "", "a/forced/ignored": "", "a/untracked": "", "a/added": "", "ab/other": "",
		"a/Ä b\nc": "",
	} {
		name = filepath.Join(r.Root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Skip(err) // a system without such names
		}
	}
	run("add", "a/added", "ab/other", "a/Ä b\nc")
	run("add", "-f", "a/forced/ignored")
	run("-c", "protocol.file.allow=always", "submodule", "-q", "add", inner.Root, "a/sub")
	for path, want := range map[string][]string{
		"a":         {"a/added", "a/forced/ignored", "a/sub", "a/Ä b\nc"},
		"a/forced":  {"a/forced/ignored"},
		"a/sub":     {"a/sub"},
		"a/ignored": nil,
		"*":         nil,
		".":         {".gitmodules", "a/added", "a/forced/ignored", "a/sub", "a/Ä b\nc", "ab/other", "file"},
	} {
		if got, err := r.Tracked(t.Context(), path); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %q (%v), want %q", path, got, err, want)
		}
	}
	if _, err := (git.Repository{Root: t.TempDir(), Getenv: os.LookupEnv}).Tracked(t.Context(), "."); err == nil {
		t.Error("no error outside of a repository")
	}
}
