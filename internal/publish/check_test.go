package publish

import (
	"os"
	"path"
	"path/filepath"
	"testing"

	"cardwright/internal/site"
)

// drift returns what Check finds where it finds no obstacle.
func drift(t *testing.T, dir string, files []site.File, o Options) Drift {
	t.Helper()
	age(t, dir)
	before, when := snapshot(t, dir), times(t, dir)
	d, found := Check(at(t, dir), files, o)
	if found != nil {
		t.Fatalf("findings: %v", found)
	}
	equal(t, before, snapshot(t, dir))
	equal(t, when, times(t, dir))
	return d
}

func TestCheckNoDrift(t *testing.T) {
	dir := t.TempDir()
	files := project("review", "one", "billing", "two")
	publish(t, dir, files, Options{})
	put(t, dir, "review/notes.txt", "nobody's business")
	d := drift(t, dir, files, Options{})
	equal(t, Drift(nil), d)
}

func TestCheckNamesEveryKind(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, append(project("review", "one", "billing", "two"), textFile("edited", "x")), Options{})
	put(t, dir, "review/.well-known/agent-card.json", "{\n  \"name\": \"other\"\n}\n")
	put(t, dir, "support/.well-known/agent-card.json", "mine")
	put(t, dir, "notes/.well-known/agent-card.json", string(agentFiles("notes", "old")[0].Data))
	must(t, os.Remove(filepath.Join(dir, "review/.well-known/agent.json")))
	kinds := map[string]Kind{}
	for _, c := range drift(t, dir, project("review", "one", "support", "three", "notes", "new", "more", "x"), Options{}) {
		if site.IsCard(c.Path) || path.Base(c.Path) == "edited" {
			kinds[path.Dir(path.Dir(c.Path))] = c.Kind
		}
		if (c.Kind == Changed) != (c.Diff != nil) || c.Diff != nil && c.Line == 0 {
			t.Errorf("%s: %s in line %d with the difference %q", c.Path, c.Kind, c.Line, c.Diff)
		}
	}
	equal(t, map[string]Kind{
		"review": Changed, "billing": Stale, "support": Foreign, "notes": Changed, "more": Missing,
	}, kinds)
}

// A check compares cards, and of what follows from them what git has: not what it
// ignores, nor a kind without any file.
func TestCheckOfACleanClone(t *testing.T) {
	page := site.File{Path: "index.html", Data: []byte(site.PageMark)}
	files := append(project("review", "one", "billing", "two"), page)
	for _, name := range []string{"agent.json", "index.html", site.ManifestName, "*.etag", "*"} {
		dir := t.TempDir()
		publish(t, dir, files, Options{})
		walk(t, dir, func(p, file string, info os.FileInfo) {
			match, _ := path.Match(name, path.Base(file))
			_, suffix := sidecarOf(file)
			if !info.IsDir() && (match || suffix != "") && !site.IsCard(file) {
				must(t, os.Remove(p))
			}
		})
		equal(t, Drift(nil), drift(t, dir, files, Options{}))
		publish(t, dir, files, Options{})
		equal(t, contents(files), snapshot(t, dir))
	}

	dir := t.TempDir()
	publish(t, dir, files, Options{})
	must(t, os.Remove(filepath.Join(dir, "review/.well-known/agent.json")))
	must(t, os.Remove(filepath.Join(dir, "review/.well-known/agent-card.json.etag")))
	equal(t, 2, len(drift(t, dir, files, Options{})))
	ignored := func(file string) bool { return path.Ext(file) != ".html" }
	equal(t, Drift(nil), drift(t, dir, files, Options{Ignored: ignored}))
	must(t, os.Remove(filepath.Join(dir, "review/.well-known/agent-card.json")))
	equal(t, 1, len(drift(t, dir, files, Options{Ignored: ignored})))
	split := project("review", "one")
	split[1].Data = []byte("{\"name\": \"review\", \"url\": \"https://review.example\"}\n") // a card of its own
	dir = t.TempDir()
	publish(t, dir, split, Options{})
	must(t, os.Remove(filepath.Join(dir, "review/.well-known/agent.json")))
	equal(t, 1, len(drift(t, dir, split, Options{Ignored: ignored})))
	d, _ := Check(at(t, filepath.Join(dir, "none")), project("a", "1", "b", "2"), Options{})
	equal(t, 2, len(d))
}
