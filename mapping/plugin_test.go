package mapping_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cardwright/mapping"
)

// gathered reads a source of a file system, and returns the card in one line, the ids of
// its skills with their tags, and the findings.
func gathered(t *testing.T, files map[string]string, src mapping.Source) (card string, skills, found []string) {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	g, err := (&mapping.Reader{}).Read(context.Background(),
		mapping.Tree{FS: tree, Root: src.Path, Show: func(name string) string { return name }}, src)
	if err != nil {
		t.Fatal(err)
	}
	if g.Rank >= len(mapping.Manifests()) && g.CardPart.Card.Name != "" {
		t.Errorf("no row of the table has rank %d", g.Rank)
	}
	c := g.CardPart.Card
	card = strings.Join([]string{c.Name, c.Version, c.Description, c.DocumentationURL}, "|")
	if c.Provider != nil {
		card += "|" + c.Provider.Organization + "|" + c.Provider.URL
	}
	for _, s := range g.Skills {
		skills = append(skills, s.ID+" "+strings.Join(s.Tags, ","))
	}
	for _, d := range g.Found {
		found = append(found, d.Severity.String()+" "+d.Rule.String())
	}
	return card, skills, found
}

func skillFile(name string) string {
	return "---\nname: " + name + "\ndescription: Does " + name + ".\n---\n"
}

// Without its list, a plugin would publish all of its skills.
func TestBrokenManifest(t *testing.T) {
	for _, name := range []string{"plugin.json", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"} {
		_, _, found := gathered(t, map[string]string{
			".codex-plugin/plugin.json": `{"name": "p"}`, "skills/a/SKILL.md": skillFile("a"),
			name: `{"name": "p", "skills": ["./skills/b"],}`,
		}, mapping.Source{Type: mapping.TypePlugin, Path: "."})
		if !slices.Contains(found, "error source-invalid") {
			t.Errorf("%s: %s", name, found)
		}
	}
}

func TestPlugin(t *testing.T) {
	const claude, market = ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"
	for _, c := range []struct {
		name          string
		files         map[string]string
		exclude       []string
		path          string
		card          string
		skills, found []string
	}{
		{
			name: "the first manifest wins, member by member",
			files: map[string]string{
				claude:                       `{"name": "aws-cost", "version": "1.2.0"}`,
				".codex-plugin/plugin.json":  `{"name": "x", "version": "9", "interface": {"shortDescription": "Cuts costs."}}`,
				".cursor-plugin/plugin.json": `{"version": "8"}`,
				"skills/a/SKILL.md":          skillFile("a"),
			},
			card: "AWS Cost|1.2.0|Cuts costs.|", skills: []string{"a "}, found: []string{"warning source-version-conflict"},
		},
		{
			name: "a marketplace describes itself, and bundles, but no plugin of its own directory",
			files: map[string]string{
				market: `{"name": "office", "metadata": {"description": "Is a market."},
					"plugins": [{"name": "p", "source": "./p"}]}`,
				"p/skills/a/SKILL.md": skillFile("a"),
			},
			path: "p", card: "P|||", skills: []string{"a "},
		},
		{
			name: "only what a list names is public",
			files: map[string]string{
				"plugin.json":       `{"name": "p", "skills": ["./skills/a"], "keywords": ["Does", "tides", "does"]}`,
				"skills/a/SKILL.md": skillFile("a"), "skills/draft/SKILL.md": skillFile("draft"),
			},
			card: "P|||", skills: []string{"a does"}, found: []string{"info source-excluded"},
		},
		{
			name: "eight keywords at most, and none besides tags of its own",
			files: map[string]string{
				"plugin.json":       `{"name": "p", "keywords": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "zebra"]}`,
				"skills/a/SKILL.md": "---\nname: a\ndescription: abcdefghij\n---\n",
				"skills/b/SKILL.md": "---\nname: b\ndescription: abc\ntags: own\n---\n",
			},
			card: "P|||", skills: []string{"a a,b,c,d,e,f,g,h", "b own"},
		},
		{
			name: "a path outside, one that does not exist, one that is excluded",
			files: map[string]string{
				"p/plugin.json":       `{"name": "p", "skills": ["../q/skills/b", "./skills/gone", "./skills/a", "./skills/c"]}`,
				"p/skills/a/SKILL.md": skillFile("a"), "q/skills/b/SKILL.md": skillFile("b"), "p/skills/c/SKILL.md": skillFile("c"),
			},
			path: "p", exclude: []string{"c"}, card: "P|||", skills: []string{"a "},
			found: []string{"warning source-incomplete", "warning source-incomplete", "info source-excluded"},
		},
		{
			name: "bundles of one directory are one agent",
			files: map[string]string{
				market: `{"name": "office", "owner": {"name": "Acme", "email": "a@acme.example"}, "metadata": {"version": "2.0.0"},
					"plugins": [{"name": "x", "source": "./", "skills": ["./skills/a"], "homepage": "https://acme.example/x"},
						{"name": "y", "source": "./", "skills": ["./skills/a", "./skills/b"]}]}`,
				"skills/a/SKILL.md": skillFile("a"), "skills/b/SKILL.md": skillFile("b"), "skills/c/SKILL.md": skillFile("c"),
			},
			card:   "Office|2.0.0||https://acme.example/x|Acme|https://acme.example",
			skills: []string{"a ", "b "}, found: []string{"info source-excluded"},
		},
		{
			name: "a marketplace that is the plugin describes it",
			files: map[string]string{
				market: `{"metadata": {"description": "Is it."}, "plugins": [{"name": "p", "source": "./"}]}`,
			},
			card: "P||Is it.|",
		},
		{
			name: "an entry is the manifest of a directory, below pluginRoot or not",
			files: map[string]string{
				market: `{"metadata": {"pluginRoot": "./plugins"}, "plugins": [{"name": "q", "source": "other"},
					{"name": "p", "source": "p", "version": "3.0.0", "author": "Ann <ann@acme.example> (https://ann.example)"},
					{"name": "far", "source": {"source": "github", "repo": "acme/far"}}]}`,
				"plugins/p/skills/a/SKILL.md": skillFile("a"),
			},
			path: "plugins/p", card: "P|3.0.0|||Ann|https://ann.example", skills: []string{"a "},
		},
		{
			name: "subagents are skills",
			files: map[string]string{
				"plugin.json": `{"name": "p"}`, "agents/a.md": skillFile("a"), "agents/README.md": "# Agents\n",
			},
			card: "P|||", skills: []string{"a "},
		},
		{
			name: "skills directly in the plugin",
			files: map[string]string{
				"plugin.json": `{"name": "p"}`, "a/SKILL.md": skillFile("a"), "vendor/SKILL.md": skillFile("v"),
				"template/SKILL.md": skillFile("t"), ".x/SKILL.md": skillFile("x"), "deep/b/SKILL.md": skillFile("b"),
			},
			card: "P|||", skills: []string{"a "},
		},
		{
			name: "no manifest", files: map[string]string{"skills/a/SKILL.md": skillFile("a")},
			card: "|||", found: []string{"error source-unreadable"},
		},
		{
			name:  "a broken manifest",
			files: map[string]string{"plugin.json": `{"name": "p"`, "skills/a/SKILL.md": skillFile("a")},
			card:  "|||", skills: []string{"a "}, found: []string{"warning source-invalid"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.path == "" {
				c.path = "."
			}
			src := mapping.Source{Type: mapping.TypePlugin, Path: c.path, Exclude: c.exclude}
			card, skills, found := gathered(t, c.files, src)
			if diff := cmp.Diff([]any{c.card, c.skills, c.found}, []any{card, skills, found}); diff != "" {
				t.Error("(-want +got):\n" + diff)
			}
		})
	}
}

func TestPackage(t *testing.T) {
	for name, c := range map[string]struct{ file, text, card string }{
		"npm": {
			"package.json",
			`{"name": "@acme/pdf-desk", "version": "1.0.0", "description": "Does x.",
				"repository": {"url": "git+https://github.com/acme/x.git"},
				"author": {"name": "Acme", "email": "a@acme.example"}}`,
			"PDF Desk|1.0.0|Does x.|https://github.com/acme/x|Acme|https://github.com/acme",
		},
		"python": {
			"pyproject.toml", "[build-system]\nversion = \"7\"\n[project] # of ours\nname='x'\nversion = \"1.0\\u0030\" # x\n" +
				"readme = \"\"\"\n[tool.poetry]\ndescription = \"no\"\n\"\"\"\n" +
				"description = 'A \\ b'\n[project.urls]\n\"Homepage\" = \"https://x.example\"\n",
			`X|1.00|A \ b|https://x.example`,
		},
		"Poetry":          {"pyproject.toml", "[tool.poetry]\nversion = \"2.1\"\n", "|2.1||"},
		"dynamic version": {"pyproject.toml", "[project]\ndynamic = [\"version\"]\n", "|||"},
		"cargo":           {"Cargo.toml", "[package]\nversion.workspace = true\ndescription = \"Does x.\"\n", "||Does x.|"},
	} {
		t.Run(name, func(t *testing.T) {
			src := mapping.Source{Type: mapping.TypePackage, Path: "."}
			card, _, found := gathered(t, map[string]string{c.file: c.text}, src)
			if card != c.card || len(found) > 0 {
				t.Errorf("got %s %v, want %s", card, found, c.card)
			}
		})
	}
}

func TestOtherSources(t *testing.T) {
	pack := func(name, version string) string {
		return "name: " + name + "\ndescription: Packs.\nversion: " + version + "\n"
	}
	for kind, c := range map[mapping.SourceType]struct {
		files         map[string]string
		skills, found []string
	}{
		"packs": {
			map[string]string{
				"index.yaml":                      "packs: [{name: scrape}, {name: run}, gone]\n",
				"packs/run/helmdeck-pack.json":    `{"name": "run", "description": "Runs."}`,
				"packs/scrape/helmdeck-pack.yaml": pack("scrape", "v2"),
				"packs/old/helmdeck-pack.yml":     pack("scrape", "v1"), "packs/draft/helmdeck-pack.yaml": pack("draft", "v1"),
			},
			[]string{"run pack", "scrape pack"},
			[]string{"warning source-incomplete", "info source-excluded", "info source-excluded"},
		},
		mapping.TypeForge: { // what Forge publishes, and what is built, wins
			map[string]string{
				"forge.yaml":               "agent_id: desk\ntools: [{name: search}, {name: print}]\n",
				".forge-output/agent.json": `{"agent_id": "desk", "tools": [{"name": "print"}]}`,
				"skills/a.md":              "---\nname: a\ndescription: A.\ntags: [x y]\n---\n",
				"skills/b.md":              "---\nname: a\ndescription: B.\ntags: [z]\n---\n",
			},
			[]string{"print tool", "search tool", "a z", "a x y"},
			[]string{"info source-forge-drops"},
		},
	} {
		_, skills, found := gathered(t, c.files, mapping.Source{Type: kind, Path: ".", Built: true})
		if diff := cmp.Diff([][]string{c.skills, c.found}, [][]string{skills, found}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}
