package cli

import (
	"os"
	"path/filepath"
	"testing"

	"cardwright/internal/publish"
	"cardwright/schema"
)

// The manifest of a tree is read once, however many cards lie there: a tree of
// a thousand has one of megabytes.
func TestManifestsReadOnce(t *testing.T) {
	dir := t.TempDir()
	var files []schema.File
	for _, id := range []string{"a", "b"} {
		files = append(files, schema.File{
			Path: id + "/.well-known/agent-card.json", Agent: id, Data: []byte("{}\n"),
			ContentType: "application/json", URL: "https://" + id + ".example/card.json",
		})
	}
	if _, found, err := publish.Write(t.Context(), dir, files, publish.Options{}); found != nil || err != nil {
		t.Fatal(found, err)
	}
	known := manifests{}
	for i, f := range files {
		got := known.of(cardFile{name: filepath.Join(dir, filepath.FromSlash(f.Path))})
		if want := (publish.Listed{Agent: f.Agent, URL: f.URL}); got != want {
			t.Errorf("%s: %+v, want %+v", f.Path, got, want)
		}
		if i == 0 { // outputTree looks whether there is one, and no further
			if err := os.WriteFile(filepath.Join(dir, publish.ManifestName), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := known.of(cardFile{name: filepath.Join(t.TempDir(), "agent-card.json")}); got != (publish.Listed{}) {
		t.Errorf("beside no manifest: %+v", got)
	}
}
