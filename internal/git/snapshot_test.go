package git_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/files"
	"cardwright/internal/git"
)

// lay writes files below a directory; the text of a link begins with "→".
func lay(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if target, ok := strings.CutPrefix(text, "→"); ok && err == nil {
			err = os.Symlink(target, name)
		} else if err == nil {
			err = os.WriteFile(name, []byte(text), 0o600)
		}
		if err != nil {
			t.Skip(err) // a system without such names
		}
	}
}

// A snapshot shows what is in a commit, and no more.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	r, run := repository(t)
	inner, _ := repository(t)
	lay(t, r.Root, map[string]string{
		"a/card": "A", "a*/card": "star", "ab/card": "B", "a-b": "dash", "a/deep/er/x": "", "a/zeros": "\x00\n\x00",
		"a/link": "→../ab/card", "a/dir": "→../ab", "a/out": "→../../etc", "a/round": "→round", "a/none": "→nowhere",
	})
	run("-c", "protocol.file.allow=always", "submodule", "-q", "add", inner.Root, "sub")
	run("add", "-A")
	run("commit", "-q", "-m", "files")
	lay(t, r.Root, map[string]string{"a/card": "later", "new": ""})
	s, err := r.Snapshot(t.Context(), run("rev-parse", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, want := range map[string]string{
		"a/card": "A", "a*/card": "star", "a/link": "B", "a/dir/card": "B", "a/zeros": "\x00\n\x00", "file": "three",
		"a/deep/er/x": "",
	} {
		if got, err := files.ReadFile(s, name, 100); err != nil || string(got) != want {
			t.Errorf("%s: %q (%v), want %q", name, got, err, want)
		}
	}
	for name, want := range map[string]error{
		"new": fs.ErrNotExist, "a/none": fs.ErrNotExist, "a/out": files.ErrOutside, "a/round": files.ErrCircle,
		"sub/file": fs.ErrNotExist, "a/card/x": fs.ErrNotExist, "../x": fs.ErrInvalid,
	} {
		if _, err := s.Open(name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	for dir, want := range map[string]string{
		".": ".gitmodules a a* a-b ab file sub", "a": "card deep dir link none out round zeros", "a/dir": "card", "sub": "",
	} {
		entries, err := s.ReadDir(dir)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("%s holds %q (%v), want %q", dir, got, err, want)
		}
	}
	if got, want := s.Files("a*", "ab", "none"), []string{"a*/card", "ab/card"}; !cmp.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// What differs from a commit is found by the bytes in the work tree: git is not asked.
func TestChanged(t *testing.T) {
	t.Parallel()
	base := map[string]string{
		"a/one": "1", "a/two": "2", "b/one": "1", "c/link": "→../b", "d": "→a", "e/out": "→/etc", "f": "file", "ab": "",
		".gitignore": "ignored\n",
	}
	tests := []struct {
		name  string
		does  map[string]string // "" removes
		asked string
		want  string
	}{
		{"nothing", nil, "a", ""},
		{"changed", map[string]string{"a/one": "x"}, "a", "a/one"},
		{"a file", map[string]string{"a/one": "x"}, "a/one", "a/one"},
		{"elsewhere", map[string]string{"ab": "x", "b/one": "x"}, "a", ""},
		{"gone", map[string]string{"a/one": ""}, "a", "a/one"},
		{"all gone", map[string]string{"a": ""}, "a", "a/one a/two"},
		{"new", map[string]string{"a/new": "x"}, "a", "a/new"},
		{"ignored", map[string]string{"a/ignored": "x"}, "a", "a/ignored"},
		{"not there before", map[string]string{"g/x": "x"}, "g", "g/x"},
		{"never there", nil, "g", ""},
		{"behind a link", map[string]string{"b/one": "x"}, "c", "b/one"},
		{"below a link", map[string]string{"a/two": "x"}, "d/two", "a/two"},
		{"another link", map[string]string{"d": "→b"}, "d/one", "d"},
		{"a link in its place", map[string]string{"b/one": "→../a/one"}, "b", "b/one"},
		{"a file in its place", map[string]string{"a": "x"}, "a", "a a/one a/two"},
		{"a directory in its place", map[string]string{"a/one/x": "x"}, "a", "a/one a/one/x"},
		{"a link out", nil, "e", "e/out"},
		{"what no source reads", map[string]string{"a/node_modules/x": "x"}, "a", ""},
		{"same bytes, other end of lines", map[string]string{"f": "file\r\n"}, "f", "f"},
		{"all", map[string]string{"a/one": "x", "f": ""}, ".", "a/one e/out f"},
	}
	r, run := repository(t)
	lay(t, r.Root, base)
	run("add", "-A")
	run("commit", "-q", "-m", "files")
	run("update-index", "--assume-unchanged", "a/one")
	run("update-index", "--skip-worktree", "b/one")
	commit := run("rev-parse", "HEAD")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			work := t.TempDir()
			lay(t, work, base)
			lay(t, work, map[string]string{"file": "three"})
			for name, text := range tt.does {
				first, _, _ := strings.Cut(name, "/x")
				if err := os.RemoveAll(filepath.Join(work, filepath.FromSlash(first))); err != nil {
					t.Fatal(err)
				}
				if text == "" {
					delete(tt.does, name)
				}
			}
			lay(t, work, tt.does)
			s, err := r.Snapshot(t.Context(), commit)
			if err != nil {
				t.Fatal(err)
			}
			root, err := files.OpenRoot(work)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			if got := strings.Join(s.Changed(root, tt.asked), " "); got != tt.want {
				t.Errorf("changed %q, want %q", got, tt.want)
			}
		})
	}
}

// A repository may name its objects by SHA-256.
func TestChangedWithOtherHash(t *testing.T) {
	t.Parallel()
	r, run := repository(t)
	sub := filepath.Join(r.Root, "other")
	run("init", "-q", "--object-format=sha256", sub)
	lay(t, sub, map[string]string{"same": "1", "changed": "2"})
	run("-C", sub, "add", "-A")
	run("-C", sub, "commit", "-q", "-m", "one")
	lay(t, sub, map[string]string{"changed": "3"})
	other := git.Repository{Root: sub, Getenv: os.LookupEnv}
	s, err := other.Snapshot(t.Context(), run("-C", sub, "rev-parse", "HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Changed(os.DirFS(sub), "."); !cmp.Equal(got, []string{"changed"}) {
		t.Errorf("changed %q", got)
	}
}
