package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// write makes a file and the directories above it.
func write(tb testing.TB, name, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func openRoot(tb testing.TB, dir string) *Root {
	tb.Helper()
	root, err := OpenRoot(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := root.Close(); err != nil {
			tb.Error(err)
		}
	})
	return root
}

func TestRootIsAnFS(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/b/c/SKILL.md", "a/b/d/SKILL.md", "a/b-c", "a.md"} {
		write(t, filepath.Join(dir, name), name)
	}
	if err := fstest.TestFS(openRoot(t, dir), "a/b/c/SKILL.md", "a/b/d/SKILL.md", "a/b-c", "a.md"); err != nil {
		t.Error(err)
	}
}

func TestRootLinks(t *testing.T) {
	dir := t.TempDir()
	project := filepath.Join(dir, "project")
	write(t, filepath.Join(dir, "secret"), "secret")
	write(t, filepath.Join(project, "shared/SKILL.md"), "shared")
	write(t, filepath.Join(project, "skills/deep/real/SKILL.md"), "real")
	for name, target := range map[string]string{
		"skills/deep/inside":        "../../shared",
		"skills/deep/real/alias.md": "../../../shared/SKILL.md",
		"skills/deep/real/out.md":   "../../../../secret",
		"skills/deep/out":           "../../..",
		"skills/deep/absolute":      dir,
		"skills/deep/dangling":      "nowhere",
		"skills/deep/loop":          "loop",
	} {
		if err := os.Symlink(target, filepath.Join(project, name)); err != nil {
			t.Skip(err)
		}
	}
	root := openRoot(t, project)
	tests := map[string]struct {
		text string
		err  error
	}{
		"skills/deep/real/SKILL.md":   {text: "real"},
		"skills/deep/inside/SKILL.md": {text: "shared"},
		"skills/deep/real/alias.md":   {text: "shared"},
		"skills/deep/real/out.md":     {err: ErrOutside},
		"skills/deep/out/secret":      {err: ErrOutside},
		"skills/deep/absolute/secret": {err: ErrOutside},
		"skills/deep/dangling":        {err: fs.ErrNotExist},
		"skills/deep/none/SKILL.md":   {err: fs.ErrNotExist},
		"../secret":                   {err: fs.ErrInvalid},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			data, err := ReadFile(root, name, 100)
			if string(data) != test.text || !errors.Is(err, test.err) {
				t.Errorf("got %q and %v, want %q and %v", data, err, test.text, test.err)
			}
		})
	}
	if _, err := root.Open("skills/deep/loop"); err == nil {
		t.Error("a link to itself can be opened")
	}
	if _, err := root.Stat("skills/deep/out"); !errors.Is(err, ErrOutside) {
		t.Errorf("Stat gives %v", err)
	}
	if target, err := root.ReadLink("skills/deep/inside"); target != "../../shared" || err != nil {
		t.Errorf("ReadLink gives %q, %v", target, err)
	}
	if info, err := root.Lstat("skills/deep/inside"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("Lstat gives %v, %v", info, err)
	}
}

func TestReadFile(t *testing.T) {
	fsys := fstest.MapFS{"f": {Data: []byte("12345")}, "d": {Mode: fs.ModeDir}}
	if data, err := ReadFile(fsys, "f", 5); string(data) != "12345" || err != nil {
		t.Errorf("at the bound: %q, %v", data, err)
	}
	var large *TooLargeError
	if _, err := ReadFile(fsys, "f", 4); !errors.As(err, &large) || large.Limit != 4 ||
		large.Error() != `"f" is larger than 4 bytes` {
		t.Errorf("above the bound: %v", err)
	}
	if _, err := ReadFile(fsys, "d", 4); fmt.Sprint(err) != `"d" is a directory, not a regular file` {
		t.Errorf("a directory: %v", err)
	}
	if _, err := ReadFile(fsys, "none", 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestHolds(t *testing.T) {
	large := strings.Repeat("x", 100_000) // more than is compared at a time
	fsys := fstest.MapFS{"small": {Data: []byte("some")}, "large": {Data: []byte(large)}, "dir/file": {}}
	for _, c := range []struct {
		name, data string
		want       bool
	}{
		{"small", "some", true},
		{"small", "same", false},
		{"small", "som", false},
		{"large", large, true},
		{"large", large[1:] + "y", false},
		{"dir", "", false},
		{"missing", "", false},
	} {
		if got := Holds(fsys, c.name, []byte(c.data)); got != c.want {
			t.Errorf("%s, %d bytes: got %t", c.name, len(c.data), got)
		}
	}
}
