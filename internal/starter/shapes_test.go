package starter_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"cardwright/internal/cli"
	"cardwright/internal/fixture"
)

var update = flag.Bool("update", false, "rewrite what testdata expects")

// atFault are the shapes whose own files have a fault that generate reports above info.
var atFault = strings.Fields(`contributors-tools-only copies-in-one-agent forge nameless-agent nothing
	plugin-broken plugin-without-skills skills-with-bad-entry two-alike versions-differ`)

// TestShapes runs init and generate with nothing typed in repositories of many shapes.
func TestShapes(t *testing.T) {
	for name, archive := range shapes(t) {
		t.Run(name, func(t *testing.T) {
			want := wanted(archive)
			got := started(t, archive)
			_, report, _ := strings.Cut(got, "\ngenerate: ")
			faulty := regexp.MustCompile(`: (warning|error): `).MatchString(report)
			if faulty != slices.Contains(atFault, name) {
				t.Errorf("findings above info: %t", faulty)
			}
			if *update {
				archive.Files = append(archive.Files, txtar.File{Name: "want", Data: []byte(got)})
				file := filepath.Join("testdata/shapes", name+".txtar")
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Error("(-want +got):\n" + diff)
			}
		})
	}
}

// shapes are the repositories in testdata.
func shapes(t *testing.T) map[string]*txtar.Archive {
	t.Helper()
	names, err := filepath.Glob("testdata/shapes/*.txtar")
	if err != nil || len(names) < 30 {
		t.Fatal(len(names), err)
	}
	all := map[string]*txtar.Archive{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txtar")] = archive
	}
	return all
}

// wanted takes what a repository is to give out of its archive.
func wanted(archive *txtar.Archive) string {
	last := len(archive.Files) - 1
	if archive.Files[last].Name != "want" {
		return ""
	}
	want := string(archive.Files[last].Data)
	archive.Files = archive.Files[:last]
	return want
}

const badSkill = "---\nname: bad\ndescription: Handles bad things.\nmetadata:\n  a2a-tags: house\n---\n"

// quiet are neighbours that change nothing: contributors' tools, dependencies, fixtures,
// examples, translations, templates, build output, archives, and files that are no source.
var quiet = map[string]string{
	".claude/skills/internal-deploy/SKILL.md": badSkill, ".github/agents/bad.md": badSkill,
	".claude/worktrees/x/skills/bad/SKILL.md": badSkill,
	"node_modules/bad/SKILL.md":               badSkill, "node_modules/bad/plugin.json": `{"name": "bad"}`,
	"vendor/bad/.claude-plugin/plugin.json": `{"name": "bad"}`, "vendor/bad/skills/bad/SKILL.md": badSkill,
	"tests/fixtures/bad/plugin.json": `{"name": "bad"}`, "tests/fixtures/bad/skills/bad/SKILL.md": badSkill,
	"examples/bad/plugin.json": `{"name": "bad"}`, "examples/agent-card.json": `{"name": "Bad", "skills": []}`,
	"docs/ja/bad/SKILL.md": badSkill, "template/SKILL.md": badSkill, "archive/bad/SKILL.md": badSkill,
	"target/skills/bad/SKILL.md": badSkill, "target/plugin.json": `{"name": "bad", "version": "9.9.9"}`,
	"zz/.claude-plugin/plugin.json": `{"name": "bad"}`, "zz/agents/README.md": "# Agents\n", "zz/agents/bad.md": "# Bad\n",
	"zz/package.json": "{", "zz/pyproject.toml": "[", "zz/forge.yml": "a: [", "zz/tools.json": "[]",
	"zz/marketplace.json": `{"plugins": [{"name": "bad", "source": "./"}]}`,
}

// broken are neighbours that cannot be read.
var broken = map[string]string{
	"z1/bad/SKILL.md": "no header\n", "z2/plugin.json": "{", "z3/agent-card.json": "{",
	"z4/.claude-plugin/marketplace.json": "[", "z5/agents/bad.md": "---\nname: [\n---\n",
}

// No neighbour changes the configuration, and none that cannot be read changes a card.
// Every second shape has neighbours of the one kind, the others of the other one: in long
// trials all have both.
func TestNeighbours(t *testing.T) {
	with := func(archive *txtar.Archive, files map[string]string) *txtar.Archive {
		all := &txtar.Archive{Files: slices.Clone(archive.Files)}
		for name, text := range files {
			all.Files = append(all.Files, txtar.File{Name: name, Data: []byte(text)})
		}
		return all
	}
	all := shapes(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		archive := all[name]
		want := wanted(archive)
		same := func(t *testing.T, neighbours map[string]string, from string) {
			t.Helper()
			_, want, _ := strings.Cut(want, from)
			_, got, _ := strings.Cut(started(t, with(archive, neighbours)), from)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error("(-want +got):\n" + diff)
			}
		}
		if i%2 == 0 || fixture.Long() {
			t.Run(name+"/quiet", func(t *testing.T) { same(t, quiet, "# All keys") })
		}
		if i%2 == 1 || fixture.Long() {
			t.Run(name+"/broken", func(t *testing.T) { same(t, broken, "agent-card.json: ") })
		}
	}
}

// Without git, the configuration lacks only what git knows.
func TestOnlyGitKnows(t *testing.T) {
	withoutGit := func(out string) string {
		_, out, _ = strings.Cut(out, "# All keys")
		out, _, _ = strings.Cut(out, "generate: ")
		var lines []string
		for line := range strings.Lines(out) {
			if !strings.Contains(line, "provider:") {
				lines = append(lines, strings.Split(line, "  # from the ")[0])
			}
		}
		return strings.Join(lines, "\n")
	}
	t.Setenv("CI", "true")
	t.Setenv("HOME", t.TempDir())
	for name, archive := range shapes(t) {
		want, all := wanted(archive), len(archive.Files)
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == ".git/config" })
		if len(archive.Files) == all {
			continue
		}
		if diff := cmp.Diff(withoutGit(want), withoutGit(started(t, archive))); diff != "" {
			t.Errorf("%s (-with git +without):\n%s", name, diff)
		}
	}
}

// The configuration has at most 20 lines for one agent and 6 more for each further one,
// its lists at most about a hundred characters in a line, and init prints ten lines.
func TestLimits(t *testing.T) {
	skill := func(id string) []byte { return []byte("---\nname: " + id + "\ndescription: Does " + id + ".\n---\n") }
	scattered, plugins := &txtar.Archive{}, &txtar.Archive{Files: []txtar.File{
		{Name: ".git/config", Data: []byte("[remote \"origin\"]\n\turl = https://github.com/acme/house-tools.git\n")},
	}}
	for i := range 57 {
		topic, plugin := fmt.Sprintf("topics/topic-%d/", i), fmt.Sprintf("plugins/plugin-%d/", i)
		scattered.Files = append(scattered.Files,
			txtar.File{Name: topic + "a/SKILL.md", Data: skill(fmt.Sprint("a", i))},
			txtar.File{Name: topic + "examples/b/SKILL.md", Data: skill(fmt.Sprint("b", i))},
			txtar.File{Name: topic + "tests/SKILL.md", Data: skill(fmt.Sprint("c", i))})
		plugins.Files = append(plugins.Files,
			txtar.File{Name: plugin + "plugin.json", Data: fmt.Appendf(nil, `{"name": "plugin-%d", "author": "Acme"}`, i)},
			txtar.File{Name: plugin + "skills/a/SKILL.md", Data: skill(fmt.Sprint("a", i))},
			txtar.File{Name: plugin + "skills/shared/SKILL.md", Data: skill("shared")},
			txtar.File{Name: plugin + "tests/SKILL.md", Data: skill("test")},
			txtar.File{Name: plugin + "mcp/tools.json", Data: fmt.Appendf(nil,
				`{"tools": [{"name": "t%d", "description": "Does it.", "inputSchema": {"type": "object"}}]}`, i)})
	}
	for _, archive := range []*txtar.Archive{scattered, plugins} {
		_, config, _ := strings.Cut(started(t, archive), "\n\n")
		config, _, _ = strings.Cut(config, "\n\n")
		agents, lines := strings.Count(config, "- id: "), strings.Count(config, "\n")+1
		if most := 20 + 6*(agents-1); lines > most {
			t.Errorf("%d lines for %d agents:\n%.2000s", lines, agents, config)
		}
		for _, list := range regexp.MustCompile(`clude: \[.*`).FindAllString(config, -1) {
			if list, _, _ = strings.Cut(list, "]"); len(list) > 110 {
				t.Errorf("a list of %d characters: %s", len(list), list)
			}
		}
	}
}

// started returns what init writes and says in a repository, and the cards and the
// findings above info that generate then makes.
func started(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "house-tools")
	for _, f := range archive.Files {
		fixture.Write(t, dir, f.Name, string(f.Data))
	}
	var out, report bytes.Buffer
	if code := cli.Run([]string{"-C", dir, "init"}, cli.Streams{Out: &out, Err: &out}, ""); code != 0 {
		t.Fatalf("init: %d\n%s", code, &out)
	}
	if lines := strings.Count(out.String(), "\n"); lines > 10 {
		t.Errorf("init prints %d lines", lines)
	}
	config, err := os.ReadFile(filepath.Join(dir, "cardwright.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&out, "\n%s\n", config)
	_ = filepath.WalkDir(dir, func(name string, _ os.DirEntry, _ error) error {
		if data, err := os.ReadFile(name); err == nil && filepath.Base(name) == ".gitignore" && filepath.Dir(name) != dir {
			fmt.Fprintf(&out, "%s: %s\n", filepath.Base(filepath.Dir(name)), strings.Fields(string(data))[14:])
		}
		return nil
	})
	code := cli.Run([]string{"-C", dir, "generate", "--format", "json"}, cli.Streams{Out: &report, Err: &bytes.Buffer{}},
		"")
	fmt.Fprintf(&out, "generate: %d\n", code)
	findings(t, &out, report.Bytes())
	cards(t, &out, dir)
	return strings.ReplaceAll(out.String(), dir, "DIR")
}

// findings prints those above info but for the missing URL.
func findings(t *testing.T, out *bytes.Buffer, report []byte) {
	t.Helper()
	var r struct {
		Diagnostics []struct{ Rule, Severity, Message, File string }
	}
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		if d.File == "cardwright.yaml" && d.Rule != "interface-placeholder" && d.Rule != "source-empty" {
			t.Error("a finding about what init wrote:", d)
		}
		if d.Severity != "info" && d.Rule != "interface-placeholder" {
			fmt.Fprintf(out, "%s: %s: %s\n", d.File, d.Severity, d.Rule)
		}
	}
}

// cards prints what callers see of each card.
func cards(t *testing.T, out *bytes.Buffer, dir string) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*", ".well-known", "agent-card.json"))
	below, _ := filepath.Glob(filepath.Join(dir, "*", "*", ".well-known", "agent-card.json"))
	for _, name := range append(names, below...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var card struct {
			Name, Description, Version, URL string
			Provider                        struct{ Organization, URL string }
			Skills                          []struct{ ID, Name string }
			SupportedInterfaces             []struct{ URL string }
		}
		if err := json.Unmarshal(data, &card); err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintf(out, "%s: %s %s: %s\n  %v %v\n  %v\n", filepath.ToSlash(rel), card.Name, card.Version, card.Description,
			card.Provider, card.SupportedInterfaces, card.Skills)
	}
}
