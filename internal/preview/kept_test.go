package preview_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

// What is kept of a file is used only while file and sidecar are what they were.
func TestKeptAnswers(t *testing.T) {
	const name = ".well-known/agent-card.json"
	dir := t.TempDir()
	card := filepath.Join(dir, filepath.FromSlash(name))
	write := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(card, "{\"a\":1}\n")
	server := start(t, dir, hosting.Settings{})
	want := func(what, body, tag string) {
		t.Helper()
		for range 3 {
			got := server.Ask(t, "GET", "", "/"+name)
			if got.Body != body || got.Header.Get("ETag") != tag {
				t.Fatalf("%s: %q with tag %s, want %q with %s", what, got.Body, got.Header.Get("ETag"), body, tag)
			}
		}
	}
	tag := func(body string) string { return tree.DigestOf([]byte(body)).ETag() }
	want("first", "{\"a\":1}\n", tag("{\"a\":1}\n"))

	write(card+"~", "{\"a\":2}\n")
	if err := os.Rename(card+"~", card); err != nil {
		t.Fatal(err)
	}
	want("renamed into place, of the same size", "{\"a\":2}\n", tag("{\"a\":2}\n"))

	write(card, "{\"a\":3}\n")
	if err := os.Chtimes(card, time.Time{}, time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	want("written in place", "{\"a\":3}\n", tag("{\"a\":3}\n"))

	write(card+".etag", `"`+strings.Repeat("0", 64)+"\"\n")
	want("with the sidecar of another release", "{\"a\":3}\n", tag("{\"a\":3}\n"))

	if err := os.Remove(card); err != nil {
		t.Fatal(err)
	}
	if got := server.Ask(t, "GET", "", "/"+name); got.Status != 404 {
		t.Errorf("removed: status %d, want 404", got.Status)
	}
}
