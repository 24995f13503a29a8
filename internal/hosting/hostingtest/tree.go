package hostingtest

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

// Layouts are the three layouts with the directories of their agents: one
// agent, three by path, two by host, two by path below a path of the host, and two
// by path of which one is found by its digest too, for the scripts of two origins.
// Names below localhost are this machine.
func Layouts() map[string][]string {
	return map[string][]string{
		"single": {""},
		"path":   {"billing", "code-review", "Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds"},
		"base":   {"", "billing"},
		"stored": {"billing", "stored"},
		"host":   {"billing.acme.localhost", "review.acme.localhost"},
	}
}

// Settings are those for a layout, with everything on that is off by default.
func Settings(layout string) hosting.Settings {
	s := hosting.Settings{HostLayout: layout == "host", Sunset: "2027-01-31"}
	switch layout {
	case "host":
		s.Moved = []hosting.Moved{
			{Host: "former.acme.localhost", To: "billing.acme.localhost"},
			{Host: "review.acme.localhost", From: "former/one", To: "billing.acme.localhost"},
		}
	case "single":
		s.Moved = []hosting.Moved{{From: "former/one", To: ""}, {Host: "former.acme.localhost", To: ""}}
		s.Site = "acme.localhost"
	case "path":
		s.Moved = []hosting.Moved{
			{From: "former/one", To: "billing"}, {Host: "former.acme.localhost", From: "one", To: "billing"},
		}
		s.Site = "acme.localhost"
	default:
		s.Moved = []hosting.Moved{{From: "former/one", To: "billing"}}
	}
	if layout == "stored" {
		s.Immutable, s.Origins = true, []string{"https://a.example", "https://app.example"}
		s.Fields = []hosting.Field{
			{Kind: "all", Header: hosting.Header{Name: "Strict-Transport-Security", Value: "max-age=31536000"}},
			{Kind: "keys", Header: hosting.Header{Name: "X-Keys", Value: `100% "yes"`}},
		}
	}
	if layout == "base" {
		s.Base, s.Out = "/acme/cards.v1", "public/acme/cards.v1"
	}
	return s
}

// Tree makes the files of an output tree: for each directory a card and its
// legacy twin, a key set, a catalog and a page, and with a single one everything
// that a host can have besides. Lists come in codings in all layouts but path.
// The release is part of cards and pages, so
// that two releases have the same size and other bytes.
func Tree(dirs []string, release byte) []tree.File {
	var files []tree.File
	add := func(name, body string) {
		f := tree.File{Path: name, Data: []byte(body), Sidecars: true}
		files = append(files, f)
		for _, c := range tree.Codings() {
			if tree.IsList(name) && !slices.Contains(dirs, "code-review") {
				files = append(files, tree.File{Path: name + c.Suffix, Data: []byte(c.Name + " of " + body), Sidecars: true})
			}
		}
	}
	for _, dir := range dirs {
		card := "{\n  \"name\": \"Agent of " + dir + "\",\n  \"version\": \"1.0." + string(release) + "\"\n}\n"
		add(path.Join(dir, ".well-known/agent-card.json"), card)
		add(path.Join(dir, ".well-known/agent.json"), card)
		if dir == "stored" {
			add(path.Join(dir, tree.StoredPath(tree.DigestOf([]byte(card)))), card)
		}
		add(path.Join(dir, "index.html"), "<!doctype html><title>Release "+string(release)+"</title>\n")
		add(path.Join(dir, ".well-known/ai-catalog.json"), "{\n  \"specVersion\": \"1.0\",\n  \"entries\": []\n}\n")
		add(path.Join(dir, ".well-known/jwks.json"), "{\n  \"keys\": []\n}\n")
	}
	if len(dirs) == 1 {
		for _, name := range []string{
			".well-known/ard.json", "mcp/com.acme/orders/server-card.json",
			".well-known/agent-skills/index.json", ".well-known/agent-skills/pdf.tar.gz", ".well-known/agent-skills/pdf.zip",
			".well-known/agent-skills/pdf/SKILL.md", ".well-known/agent-skills/pdf/scripts/run.sh",
			".well-known/agent-skills/pdf/index.html",
			".well-known/skills/index.json", ".well-known/skills/pdf/SKILL.md",
		} {
			add(name, "{\n  \"release\": \""+string(release)+"\"\n}\n")
		}
	}
	return files
}

// Write puts files and their sidecars into a directory that a server running
// as another user can read.
func Write(t *testing.T, dir string, files []tree.File) {
	t.Helper()
	for _, f := range files {
		for _, f := range append([]tree.File{f}, f.SidecarFiles()...) {
			put(t, filepath.Join(dir, filepath.FromSlash(f.Path)), f.Data)
		}
	}
}

// WriteOutputs puts rendered files where they belong: below root, or below
// servers.
func WriteOutputs(t *testing.T, root, servers string, outputs []hosting.Output) {
	t.Helper()
	for _, o := range outputs {
		dir := servers
		if o.Root {
			dir = root
		}
		put(t, filepath.Join(dir, filepath.FromSlash(o.Path)), o.Data)
	}
}

// put replaces a file as publishing does, so that no server reads half of it.
func put(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+"~", data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+"~", name); err != nil {
		t.Fatal(err)
	}
}
