package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cardwright/internal/site"
)

func TestVerifyAccepts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	files := append(project("a", "one", "b", "two"), textFile("_headers", "x"))
	publish(t, dir, files, Options{})
	got, found := Verify(at(t, dir))
	if found != nil {
		t.Fatalf("a tree just written has faults: %v", found)
	}
	equal(t, len(files), len(got))
}

func TestVerifyNamesEveryFault(t *testing.T) {
	const card = "a/.well-known/agent-card.json"
	edit := func(p, from, to string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			name := filepath.Join(dir, p)
			data, err := os.ReadFile(name)
			must(t, err)
			changed := strings.Replace(string(data), from, to, 1)
			if changed == string(data) {
				t.Fatalf("%s does not hold %q", p, from)
			}
			must(t, os.WriteFile(name, []byte(changed), 0o644))
		}
	}
	remove := func(p string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			must(t, os.RemoveAll(filepath.Join(dir, p)))
		}
	}
	tests := []struct {
		name   string
		change func(t *testing.T, dir string)
		want   []string
	}{
		{"card changed", edit(card, "one", "two"), []string{
			"output-sidecar " + card + ".etag", "output-sidecar " + card + ".sha256", "output-sidecar a/.well-known/agent.json",
		}},
		{"card missing", remove(card), []string{
			"output-drift " + card, "output-sidecar " + card + ".etag", "output-sidecar " + card + ".sha256",
		}},
		{"directory missing", remove("b"), []string{"output-drift b/.well-known/agent-card.json"}},
		{"sidecar changed", edit(card+".etag", `"`, `W/"`), []string{"output-sidecar " + card + ".etag"}},
		{"sidecars missing", func(t *testing.T, dir string) {
			t.Helper()
			remove(card+".etag")(t, dir)
			remove(card+".sha256")(t, dir)
		}, nil},
		{"manifest missing", remove(site.ManifestName), nil},
		{
			"manifest missing, sidecar changed", func(t *testing.T, dir string) {
				t.Helper()
				remove(site.ManifestName)(t, dir)
				edit(card+".sha256", "  agent", " agent")(t, dir)
			},
			[]string{"output-sidecar " + card + ".sha256"},
		},
		{
			"manifest damaged", edit(site.ManifestName, `"version": 1`, `"version": 2`),
			[]string{"output-manifest " + site.ManifestName},
		},
		{
			"manifest leads outside", edit(site.ManifestName, `"a/`, `"../`),
			[]string{"output-manifest " + site.ManifestName},
		},
		{"link", func(t *testing.T, dir string) {
			t.Helper()
			must(t, os.Rename(filepath.Join(dir, card), filepath.Join(dir, "x")))
			must(t, os.Symlink("../../x", filepath.Join(dir, card)))
		}, []string{"output-link " + card, "output-sidecar " + card + ".etag", "output-sidecar " + card + ".sha256"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "dist")
			publish(t, dir, project("a", "one", "b", "two"), Options{})
			tt.change(t, dir)
			_, found := Verify(at(t, dir))
			equal(t, tt.want, rulesOf(found, dir))
		})
	}
}

func TestVerifyWithoutDirectory(t *testing.T) {
	dir := t.TempDir()
	_, found := Verify(at(t, filepath.Join(dir, "none")))
	equal(t, []string{"output-drift none"}, rulesOf(found, dir))
	put(t, dir, "file", "")
	_, found = Verify(at(t, filepath.Join(dir, "file")))
	equal(t, []string{"output-path file"}, rulesOf(found, dir))
}
