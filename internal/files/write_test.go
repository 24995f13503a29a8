package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// typed opens a directory that the command line names.
func typed(t *testing.T, dir string) *Dir {
	t.Helper()
	d, err := Checkout{}.Output(dir, Typed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestWriteFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "card.json")
	write := func(text string) fs.FileInfo {
		t.Helper()
		if err := WriteFile(typed(t, filepath.Dir(name)), "card.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(name); err != nil || string(data) != text {
			t.Errorf("it holds %q, want %q: %v", data, text, err)
		}
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	write("old")
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	before := write("new")
	if before.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v", before.Mode())
	}
	if !os.SameFile(before, write("new")) {
		t.Error("a file that holds the text is replaced")
	}
	if entries, err := os.ReadDir(filepath.Dir(name)); err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "card.json"), []byte("old"), 0o644),
		os.Symlink("card.json", filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "directory"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"link", "directory", "card.json/none"} {
		name = filepath.Join(dir, name)
		if err := WriteFile(typed(t, filepath.Dir(name)), filepath.Base(name), []byte("new")); err == nil {
			t.Errorf("%s is written", name)
		}
	}
	for _, name := range []string{"link", "directory"} {
		if f, err := OpenLog(typed(t, dir), name); err == nil {
			t.Errorf("%s is a log: %v", name, f.Close())
		}
	}
	for _, name := range []string{"link", "directory", "card.json"} {
		if err := Create(typed(t, dir), name, []byte("new"), 0o600); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s is created: %v", name, err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(dir, "card.json")); err != nil || string(data) != "old" {
		t.Errorf("%q %v", data, err)
	}
	if err := Create(typed(t, dir), "key.pem", []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "key.pem")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}
