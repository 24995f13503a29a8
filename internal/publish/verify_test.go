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

	"cardwright/internal/tree"
)

func TestVerifyAccepts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	files := append(project("a", "one", "b", "two"), textFile("_headers", "x"))
	publish(t, dir, files, Options{})
	got, _, found := Verify(at(t, dir))
	if found != nil {
		t.Fatalf("a tree just written has faults: %v", found)
	}
	equal(t, sorted(files), got)
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
		{"card changed", edit(card, "one", "two"), []string{"output-changed " + card}},
		{"card longer", edit(card, "one", "many"), []string{"output-changed " + card}},
		{"card missing", remove(card), []string{"output-missing " + card}},
		{"directory missing", remove("b"), []string{
			"output-missing b/.well-known/agent-card.json", "output-missing b/.well-known/agent-card.json.etag",
			"output-missing b/.well-known/agent-card.json.sha256",
			"output-missing b/.well-known/agent.json", "output-missing b/.well-known/agent.json.etag",
			"output-missing b/.well-known/agent.json.sha256",
		}},
		{"sidecar changed", edit(card+".etag", `"`, `W/"`), []string{"output-changed " + card + ".etag"}},
		{"manifest missing", remove(tree.ManifestName), []string{"output-missing " + tree.ManifestName}},
		{
			"manifest damaged", edit(tree.ManifestName, `"version": 1`, `"version": 2`),
			[]string{"output-manifest " + tree.ManifestName},
		},
		{
			"manifest rewritten", edit(tree.ManifestName, `"etag": "\"`, `"etag": "\"0`),
			[]string{"output-manifest " + tree.ManifestName},
		},
		{
			"manifest leads outside", edit(tree.ManifestName, `"path": "a/`, `"path": "../`),
			[]string{"output-manifest " + tree.ManifestName},
		},
		{"manifest emptied", func(t *testing.T, dir string) {
			t.Helper()
			must(t, os.WriteFile(filepath.Join(dir, tree.ManifestName), manifestFile(tree.Manifest{}).Data, 0o644))
		}, []string{
			"output-unlisted a/.well-known/agent-card.json", "output-unlisted a/.well-known/agent.json",
			"output-unlisted b/.well-known/agent-card.json", "output-unlisted b/.well-known/agent.json",
		}},
		{"another card", func(t *testing.T, dir string) {
			t.Helper()
			must(t, os.MkdirAll(filepath.Join(dir, "c", ".well-known"), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, "c", ".well-known", "agent.json"), []byte("{}"), 0o644))
			must(t, os.WriteFile(filepath.Join(dir, "c", "notes.json"), []byte("{}"), 0o644))
			must(t, os.MkdirAll(filepath.Join(dir, ".well-known"), 0o755))
			must(t, os.WriteFile(filepath.Join(dir, ".well-known", "security.txt"), []byte("x"), 0o644))
			must(t, os.WriteFile(filepath.Join(dir, ".well-known", "jwks.json"), []byte("{}"), 0o644))
		}, []string{"output-unlisted .well-known/jwks.json", "output-unlisted c/.well-known/agent.json"}},
		{"link to another agent", func(t *testing.T, dir string) {
			t.Helper()
			outside := t.TempDir()
			must(t, os.MkdirAll(filepath.Join(outside, ".well-known"), 0o755))
			must(t, os.WriteFile(filepath.Join(outside, ".well-known", "agent-card.json"), []byte("{}"), 0o644))
			must(t, os.Symlink(outside, filepath.Join(dir, "c")))
		}, []string{"output-unlisted c/.well-known/agent-card.json"}},
		{"link", func(t *testing.T, dir string) {
			t.Helper()
			must(t, os.Rename(filepath.Join(dir, card), filepath.Join(dir, "x")))
			must(t, os.Symlink("../../x", filepath.Join(dir, card)))
		}, []string{"output-changed " + card}},
		{"linked directory", func(t *testing.T, dir string) {
			t.Helper()
			must(t, os.RemoveAll(filepath.Join(dir, "b", ".well-known")))
			must(t, os.Symlink("../a/.well-known", filepath.Join(dir, "b", ".well-known")))
		}, []string{
			"output-changed b/.well-known/agent-card.json", "output-changed b/.well-known/agent-card.json.etag",
			"output-changed b/.well-known/agent-card.json.sha256",
			"output-changed b/.well-known/agent.json", "output-changed b/.well-known/agent.json.etag",
			"output-changed b/.well-known/agent.json.sha256",
		}},
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

// Somebody who changes a card and the manifest has still to think of the rest.
func TestVerifyComparesFilesWithEachOther(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	files := agentFiles("a", "one")
	files[0].Data = []byte("{}\n")
	all := withSidecars(files)
	all[1].Data = []byte(tree.SidecarText("", tree.ETagSuffix, tree.DigestOf(nil)))
	for i := range all {
		all[i].Sidecars = false
	}
	publish(t, dir, all, Options{})
	_, _, found := Verify(at(t, dir))
	equal(t, []string{"output-sidecar a/.well-known/agent-card.json.etag", "output-copy a/.well-known/agent.json"},
		rulesOf(found, dir))
}

func TestVerifyWithoutDirectory(t *testing.T) {
	dir := t.TempDir()
	_, _, found := Verify(at(t, filepath.Join(dir, "none")))
	equal(t, []string{"output-missing none"}, rulesOf(found, dir))
	put(t, dir, "file", "")
	_, _, found = Verify(at(t, filepath.Join(dir, "file")))
	equal(t, []string{"output-blocked file"}, rulesOf(found, dir))
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "card.json")
	write := func(data string, sidecars, want bool) {
		t.Helper()
		changed, err := WriteFile(at(t, filepath.Dir(name)), filepath.Base(name), []byte(data), sidecars)
		must(t, err)
		if changed != want {
			t.Errorf("%q: changed %t", data, changed)
		}
	}
	write("old", false, true)
	must(t, os.Chmod(name, 0o640))
	write("new", false, true)
	before := times(t, dir)
	write("new", false, false)
	equal(t, before, times(t, dir))
	equal(t, map[string]string{"card.json": "new"}, snapshot(t, dir))
	info, err := os.Stat(name)
	must(t, err)
	if info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v", info.Mode())
	}
}

// Sidecars come when they are wanted, and from then on follow their file.
func TestWriteFileSidecars(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "new", "card.json")
	for i, data := range []string{"old", "new"} {
		_, err := WriteFile(at(t, filepath.Dir(name)), filepath.Base(name), []byte(data), i == 0)
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
		if _, err := WriteFile(at(t, filepath.Dir(filepath.Join(dir, name))), filepath.Base(name), []byte("new"),
			false); err == nil {
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
