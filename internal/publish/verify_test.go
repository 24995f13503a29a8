package publish

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
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
	got, _, found := Verify(at(t, dir))
	if found != nil {
		t.Fatalf("a tree just written has faults: %v", found)
	}
	equal(t, len(files), len(got))
	before := times(t, dir)
	publish(t, dir, got, Options{})
	equal(t, before, times(t, dir))
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
			_, _, found := Verify(at(t, dir))
			equal(t, tt.want, rulesOf(found, dir))
		})
	}
}

func TestVerifyWithoutDirectory(t *testing.T) {
	dir := t.TempDir()
	_, _, found := Verify(at(t, filepath.Join(dir, "none")))
	equal(t, []string{"output-drift none"}, rulesOf(found, dir))
	put(t, dir, "file", "")
	_, _, found = Verify(at(t, filepath.Join(dir, "file")))
	equal(t, []string{"output-path file"}, rulesOf(found, dir))
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "card.json")
	write := func(data string, want bool) {
		t.Helper()
		changed, err := WriteFile(at(t, filepath.Dir(name)), filepath.Base(name), []byte(data))
		must(t, err)
		if changed != want {
			t.Errorf("%q: changed %t", data, changed)
		}
	}
	write("old", true)
	must(t, os.Chmod(name, 0o640))
	write("new", true)
	before := times(t, dir)
	write("new", false)
	equal(t, before, times(t, dir))
	equal(t, map[string]string{"card.json": "new"}, snapshot(t, dir))
	info, err := os.Stat(name)
	must(t, err)
	if info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v", info.Mode())
	}
}

// Sidecars that stand follow their file.
func TestWriteFileSidecars(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "new", "card.json")
	must(t, os.Mkdir(filepath.Join(dir, "new"), 0o755))
	put(t, dir, "new/card.json.etag", "0")
	put(t, dir, "new/card.json.sha256", "0")
	for _, data := range []string{"old", "new"} {
		_, err := WriteFile(at(t, filepath.Dir(name)), filepath.Base(name), []byte(data))
		must(t, err)
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(data)))
		equal(t, map[string]string{
			"new": "(directory)", "new/card.json": data, "new/card.json.etag": `"` + sum + "\"\n",
			"new/card.json.sha256": sum + "  card.json\n",
		}, snapshot(t, dir))
	}
}

func TestWriteFileRefuses(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "card.json"), []byte("old"), 0o644))
	must(t, os.Symlink("card.json", filepath.Join(dir, "link")))
	must(t, os.Mkdir(filepath.Join(dir, "directory"), 0o755))
	for _, name := range []string{"link", "directory", "card.json/none"} {
		if _, err := WriteFile(at(t, filepath.Dir(filepath.Join(dir, name))), filepath.Base(name), []byte("new")); err == nil {
			t.Errorf("%s is written", name)
		}
	}
	want := map[string]string{"card.json": "old", "link": "(link to card.json)", "directory": "(directory)"}
	equal(t, want, snapshot(t, dir))
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "key.pem")
	must(t, Create(at(t, dir), "key.pem", []byte("secret"), 0o600))
	info, err := os.Stat(name)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v", info.Mode())
	}
	must(t, os.Symlink("elsewhere", filepath.Join(dir, "link")))
	for _, taken := range []string{name, filepath.Join(dir, "link")} {
		if err := Create(at(t, dir), filepath.Base(taken), []byte("other"), 0o600); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: got %v", taken, err)
		}
	}
	equal(t, map[string]string{"key.pem": "secret", "link": "(link to elsewhere)"}, snapshot(t, dir))
}
