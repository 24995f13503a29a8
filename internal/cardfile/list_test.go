package cardfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// The manifest of a tree is read once, however many cards lie there: a tree of
// a thousand has one of megabytes.
func TestManifestsReadOnce(t *testing.T) {
	dir := t.TempDir()
	var files []tree.File
	for _, id := range []string{"a", "b"} {
		files = append(files, tree.File{
			Path: id + "/.well-known/agent-card.json", Agent: id, Data: []byte("{}\n"),
			URL: "https://" + id + ".example/" + id + "/.well-known/agent-card.json",
		})
	}
	at, err := paths.Project{}.Output(dir, paths.Typed)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if _, found, err := publish.Write(t.Context(), at, files, publish.Options{}); found != nil || err != nil {
		t.Fatal(found, err)
	}
	r := Reader{Open: func(name string) (fs.FS, string, error) {
		return os.DirFS(filepath.Dir(name)), filepath.Base(name), nil
	}}
	known := manifests{}
	for i, f := range files {
		got := known.of(r, File{Name: filepath.Join(dir, filepath.FromSlash(f.Path))})
		if got.Agent != f.Agent || got.URL != f.URL {
			t.Errorf("%s: %+v, want agent %s and URL %s", f.Path, got, f.Agent, f.URL)
		}
		if i == 0 { // outputTree looks whether there is one, and no further
			if err := os.WriteFile(filepath.Join(dir, tree.ManifestName), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := known.of(r, File{Name: filepath.Join(t.TempDir(), "agent-card.json")}); got != (tree.Entry{}) {
		t.Errorf("beside no manifest: %+v", got)
	}
}

// Cards are counted as they are read, so that a slow command can show how far it is.
func TestCards(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.json", "b.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var read atomic.Int64
	r := Reader{
		Cards: &read,
		Open: func(name string) (fs.FS, string, error) {
			return os.DirFS(filepath.Dir(name)), filepath.Base(name), nil
		},
		Folder: func(name string) (fs.FS, error) { return os.DirFS(name), nil },
	}
	r.Lint(filepath.Join(dir, "*.json"), 0)
	r.List([]string{filepath.Join(dir, "*.json")}, ListOptions{})
	if read.Load() != 4 {
		t.Errorf("lint and catalog count %d cards, want 2 each", read.Load())
	}
}
