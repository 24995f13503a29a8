package cardfile

import (
	"io/fs"
	"os"
	"path/filepath"
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
