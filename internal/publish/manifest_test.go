package publish

import (
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/files"
	"cardwright/internal/site"
)

// listing returns a manifest with such paths, as JSON spells them.
func listing(paths ...string) string {
	return `{"version": 1, "files": ["` + strings.Join(paths, `", "`) + `"]}`
}

// hostileManifests are manifests that must not be relied on.
var hostileManifests = map[string]string{
	"empty": "", "array": "[]", "no version": `{"files": []}`, "version as text": `{"version": "1", "files": []}`,
	"later version": `{"version": 2, "files": []}`, "no files": `{"version": 1}`,
	"files is an object":      `{"version": 1, "files": {}}`,
	"environment is a number": `{"version": 1, "environment": 1, "files": []}`,
	"entry is an object":      `{"version": 1, "files": [{"path": "x"}]}`,
	"outside":                 listing("../x"),
	"outside in between":      listing("a/../../x"), "absolute": listing("/etc/passwd"),
	"backslash": listing(`..\\x`), "the directory": listing("."), "no path": listing(""),
	"control character": listing(`a\u0000b`), "git directory": listing("sub/.git/HEAD"),
	"itself":    listing(site.ManifestName),
	"long path": listing("/" + strings.Repeat("x", 5000)), "long name": listing("x/" + strings.Repeat("y", 256)),
	"many names": listing(strings.Repeat("yy/", 1500) + "y"),
	"conflict":   "{\n<<<<<<< a\n\"version\": 1, \"files\": [\"a\"]\n=======\n\"version\": 7\n>>>>>>> b\n}\n",
}

func TestHostileManifests(t *testing.T) {
	for name, text := range hostileManifests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, "x", "not mine")
			put(t, dir, site.ManifestName, text)
			files := project("review", "one")
			equal(t, []string{"output-manifest " + site.ManifestName}, rulesOf(refuse(t, dir, files, Options{}), dir)[:1])
			publish(t, dir, files, Options{Force: true})
			equal(t, with(contents(files), map[string]string{"x": "not mine"}), snapshot(t, dir))
		})
	}
}

// A manifest that git has merged with conflicts lists what both sides do.
func TestWriteAfterAConflict(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, project("a", "one", "b", "one", "c", "one"), Options{})
	side := func(ids ...string) string {
		var files []site.File
		for _, id := range ids {
			files = append(files, agentFiles(id, "one")...)
		}
		return string(manifestFile(manifestOf(withSidecars(files), "")).Data)
	}
	put(t, dir, site.ManifestName, fmt.Sprintf("<<<<<<< HEAD\n%s=======\n%s>>>>>>> b\n", side("a", "b"), side("a", "c")))
	put(t, dir, "a/.well-known/agent-card.json", "<<<<<<< HEAD\n{}\n=======\n{\"name\": \"a\"}\n>>>>>>> b\n")
	files := project("a", "two", "b", "one", "d", "one")
	publish(t, dir, files, Options{})
	equal(t, contents(files), snapshot(t, dir))
}

// What a listed file is called does not make it ours.
func TestWriteRemovesByKind(t *testing.T) {
	const etag, sum = "\"" + sixtyFour + "\"\n", sixtyFour + "  %s\n"
	ours := map[string]string{
		"a/.well-known/agent-card.json": `{"name": "A"}`, "a/.well-known/agent.json": `{"name": "A"}`,
		"a/.well-known/agent-card.json.etag": etag, ".well-known/jwks.json": `{"keys": []}`,
		"a/.well-known/agent-card.json.sha256": fmt.Sprintf(sum, "agent-card.json"),
		".well-known/ai-catalog.json":          `{"entries": []}`, "index.html": "<head>" + site.PageMark,
		".well-known/agent-skills/index.json":   `{"skills": []}`,
		".well-known/agent-skills/pdf/SKILL.md": "---\nname: pdf\n---\n",
		".well-known/agent-skills/pdf.tar.gz":   "\x1f\x8b", "_headers": "# " + site.Marker + "\n",
	}
	theirs := map[string]string{
		"a/.well-known/agent-card.json": `[]`, "a/.well-known/agent.json": "no JSON", ".well-known/jwks.json": `{"keys": 7}`,
		"a/.well-known/agent-card.json.etag": "tag", "a/.well-known/agent-card.json.sha256": fmt.Sprintf(sum, "other.json"),
		".well-known/ai-catalog.json": `{}`, "index.html": "<html>", ".well-known/agent-skills/index.json": `{"name": "x"}`,
		".well-known/agent-skills/pdf/SKILL.md": "# PDF", ".well-known/agent-skills/pdf.tar.gz": "text",
		"_headers": "/*\n", "main.go": "package main\n", ".env": "TOKEN=x\n",
	}
	var paths []string
	for p := range theirs {
		paths = append(paths, p)
	}
	for name, texts := range map[string]map[string]string{"ours": ours, "theirs": theirs} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for p, text := range texts {
				put(t, dir, p, text)
			}
			put(t, dir, site.ManifestName, listing(paths...))
			before := snapshot(t, dir)
			_, found, err := writeTree(t.Context(), at(t, dir), project("b", "one"), Options{})
			must(t, err)
			want := contents(project("b", "one"))
			if name == "theirs" {
				want[site.ManifestName], before[site.ManifestName] = "", ""
				want = with(before, contents(project("b", "one")))
				equal(t, len(texts), len(found))
			}
			equal(t, want, snapshot(t, dir))
		})
	}
}

const sixtyFour = "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"

// What has the place of a file of a tree without a manifest is taken over where it
// is about the same agent.
func TestWriteTakesOverItsOwn(t *testing.T) {
	card := agentFiles("a", "new")[0].Path
	keys := site.File{Path: ".well-known/jwks.json", Data: []byte(`{"keys": [{"kid": "k1"}]}`)}
	page := site.File{Path: "index.html", Data: []byte("<html>new" + site.PageMark)}
	files := append(project("a", "new"), keys, page)
	for name, test := range map[string]struct {
		p, text string
		own     bool
	}{
		"the same agent":     {card, `{"name": "a", "version": "0.1.0"}`, true},
		"another agent":      {card, `{"name": "b"}`, false},
		"a conflict":         {card, "{\n<<<<<<< a\n\"name\": \"a\"\n=======\n\"name\": \"x\"\n>>>>>>> b\n}\n", true},
		"no card":            {card, "mine", false},
		"its copy":           {"a/.well-known/agent.json", `{"name": "a"}`, true},
		"its tag":            {card + ".etag", "\"" + sixtyFour + "\"\n", true},
		"its checksum":       {card + ".sha256", sixtyFour + "  agent-card.json\n", true},
		"a checksum":         {card + ".sha256", sixtyFour + "  other.json\n", false},
		"its keys":           {keys.Path, `{"keys": [{"kid": "k0"}, {"kid": "k1"}]}`, true},
		"keys of others":     {keys.Path, `{"keys": [{"kid": "k0"}]}`, false},
		"its page":           {page.Path, site.PageMark, true},
		"a page":             {page.Path, "<html>", false},
		"what would be made": {page.Path, string(page.Data), true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, test.p, test.text)
			if !test.own {
				equal(t, []string{"output-foreign " + test.p}, rulesOf(refuse(t, dir, files, Options{}), dir))
			}
			publish(t, dir, files, Options{Force: !test.own})
			equal(t, contents(files), snapshot(t, dir))
		})
	}
}

func TestWriteGuardsCards(t *testing.T) {
	for _, test := range []struct {
		before, after int
		stops         bool
	}{{1, 0, false}, {2, 0, true}, {2, 1, false}, {3, 1, true}, {4, 2, true}, {5, 3, false}, {8, 3, true}} {
		dir := t.TempDir()
		agents := func(n int) (files []site.File) {
			for i := range n {
				files = append(files, agentFiles(fmt.Sprint("agent-", i), "one")...)
			}
			return files
		}
		publish(t, dir, agents(test.before), Options{})
		if test.stops {
			found := refuse(t, dir, agents(test.after), Options{})
			equal(t, []string{"output-removal " + site.ManifestName}, rulesOf(found, dir))
		}
		publish(t, dir, agents(test.after), Options{Force: test.stops})
		equal(t, contents(agents(test.after)), snapshot(t, dir))
	}
}

func TestWriteKeepsTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	files := project("review", "one")
	publish(t, dir, files, Options{Environment: "staging"})
	found := refuse(t, dir, files, Options{Environment: "production"})
	equal(t, []string{"output-environment " + site.ManifestName}, rulesOf(found, dir))
	publish(t, dir, files, Options{Environment: "production", Force: true})
	publish(t, dir, files, Options{Environment: "production"})
}

func FuzzManifest(f *testing.F) {
	for _, text := range hostileManifests {
		f.Add(text)
	}
	f.Add(listing("a", "b/c"))
	f.Fuzz(func(t *testing.T, text string) {
		m, found := site.ParseManifest("m", []byte(text))
		for _, p := range m.Files {
			if fault := files.PathFault(p); fault != "" {
				t.Errorf("%q %s", p, fault)
			}
		}
		if found != nil && len(m.Files) > 0 && !strings.Contains(text, "<<<<<<<") {
			t.Errorf("%d files of a manifest with faults", len(m.Files))
		}
	})
}
