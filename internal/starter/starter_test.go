package starter

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/files"
)

// started explores a project of these files, with the .gitignore in it.
func started(t *testing.T, texts map[string]string) (*Starter, fstest.MapFS) {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range texts {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	s, err := New(context.Background(), tree, Options{Ignored: (&files.Ignores{FS: tree}).Is})
	if err != nil {
		t.Fatal(err)
	}
	return s, tree
}

func skill(id string) string { return "---\nname: " + id + "\ndescription: Does " + id + ".\n---\n" }

// A skill is found 16 levels down, as by generate, and no deeper.
func TestDepth(t *testing.T) {
	for levels, want := range map[int]string{16: "project: 1 skill", 17: "project: 0 skills"} {
		file := strings.Repeat("d/", levels) + "SKILL.md"
		s, err := New(context.Background(), fstest.MapFS{file: {Data: []byte(skill("a"))}}, Options{Directory: "project"})
		if err != nil || s.Summary[0] != want {
			t.Errorf("%d levels: %v %v", levels, s.Summary, err)
		}
	}
}

// Where a marketplace lists skills, no other is public.
func TestListed(t *testing.T) {
	for skills, want := range map[string]string{
		`, "skills": ["./skills/a"]`: "left out, not listed by the manifest: 1 file, such as more/b/SKILL.md",
		"":                           "agent: 1 skill",
	} {
		s, _ := started(t, map[string]string{
			".claude-plugin/marketplace.json": `{"plugins": [{"name": "p", "source": "./p"` + skills + `}]}`,
			"p/skills/a/SKILL.md":             skill("a"), "more/b/SKILL.md": skill("b"),
		})
		if got := s.Summary[len(s.Summary)-1]; got != want {
			t.Errorf("%s: %s", skills, got)
		}
	}
}

// A card that cannot be read is no neighbour's fault, and a hidden skill describes no agent.
func TestBrokenCard(t *testing.T) {
	hidden := strings.Replace(skill("b"), "name", "a2a-visibility: hidden\nname", 1)
	s, _ := started(t, map[string]string{
		"agent-card.json": `{"name": `, "skills/a/SKILL.md": skill("a"), "skills/b/SKILL.md": hidden,
	})
	want := "left out, not to be read as an agent card: 1 file, such as agent-card.json"
	if strings.Contains(string(s.Config), "agent-card.json") || !strings.Contains(string(s.Config), `"Does a."`) ||
		s.Summary[len(s.Summary)-1] != want {
		t.Errorf("%s\n%s", s.Summary, s.Config)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := New(ctx, fstest.MapFS{}, Options{}); err == nil {
		t.Error(s)
	}
}

// What is excluded one by one stays within the lines of a configuration.
func TestManyExcluded(t *testing.T) {
	texts := map[string]string{"skills/tests/SKILL.md": skill("tests")}
	for i := range 200 {
		texts[fmt.Sprintf("topic-%d/a/SKILL.md", i)] = skill(fmt.Sprint("a", i))
		texts[fmt.Sprintf("topic-%d/tests/b/SKILL.md", i)] = skill(fmt.Sprint("b", i))
	}
	s, _ := started(t, texts)
	if n := strings.Count(string(s.Config), "\n"); n > 20 || !strings.Contains(string(s.Config), `"topic-199/tests"`) {
		t.Errorf("%d lines:\n%s", n, s.Config)
	}
}

// An agent with more copies than skills of its own names these.
func TestIncluded(t *testing.T) {
	for n, want := range []string{`skills: {from`, `skills: {exclude: ["c0"]`, `skills: {include: ["own"]`} {
		texts := map[string]string{
			"p/plugin.json": `{"name": "p"}`, "p/skills/x/SKILL.md": skill("x"), "skills/own/SKILL.md": skill("own"),
		}
		for i := range n {
			texts[fmt.Sprintf("p/skills/c%d/SKILL.md", i)] = skill(fmt.Sprint("c", i))
			texts[fmt.Sprintf("skills/c%d/SKILL.md", i)] = skill(fmt.Sprint("c", i))
		}
		if s, _ := started(t, texts); !strings.Contains(string(s.Config), want) {
			t.Errorf("no %s:\n%s", want, s.Config)
		}
	}
}

// A directory that is named is searched whatever its name, and no source reaches beyond it.
func TestNamed(t *testing.T) {
	tree := fstest.MapFS{"package.json": {Data: []byte(`{"version": "1.0.0"}`)}}
	for _, id := range []string{".claude/skills/docs/a", "examples/b", "private/c", "skills/d", "skills/e"} {
		tree[id+"/SKILL.md"] = &fstest.MapFile{Data: []byte(skill(path.Base(id)))}
	}
	for dirs, want := range map[string]string{
		".claude/skills examples": ".claude/skills/docs examples", ".claude skills": ".claude/skills/docs skills",
		"skills/d private": "skills/d private", "skills skills/d": "skills", "skills/d .": "skills/d .",
	} {
		s, err := New(context.Background(), tree, Options{Dirs: strings.Fields(dirs)})
		var got []string
		for _, source := range regexp.MustCompile(`path: "(.*?)"`).FindAllStringSubmatch(string(s.Config), -1) {
			got = append(got, source[1])
		}
		if strings.Join(got, " ") != want+" ." || err != nil {
			t.Errorf("%s: %s %v", dirs, got, err)
		}
	}
}

func TestCover(t *testing.T) {
	for _, c := range []struct{ files, others, want string }{
		{"skills/a skills/b", "", "skills"},
		{"a", "", "."},
		{"skills/a skills/b", "docs/ja/a", "skills"},
		{"skills/a skills/b", "skills/template", "skills -template"},
		{"top/x/a top/y/b top/z/c", "top/x/tests/a top/y/tests/b", "top -tests"},
		{"top/x/a top/tests/b top/z/c", "top/x/tests/a", "top -x/tests"},
		{"x/skills/a x/skills/b", "y/a z/a", "x/skills"},
		{"x/skills/a y/b", "m/a n/a o/a", "x/skills y"},
		{". skills/a skills/b", "", "SKILL.md skills"},
		{". a b", "", "SKILL.md a b"},
		{"a/b/c", "a/d", "a/b"},
	} {
		fileOf := func(text string) (list []string) {
			for dir := range strings.FieldsSeq(text) {
				list = append(list, path.Join(dir, "SKILL.md"))
			}
			return list
		}
		var got []string
		wanted := fileOf(c.files)
		for _, e := range cover(".", wanted, append(wanted, fileOf(c.others)...)) {
			got = append(got, strings.Join(append([]string{e.Path}, e.Exclude...), " -"))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s and not %s: %q, want %s", c.files, c.others, got, c.want)
		}
	}
}

const (
	pythonIgnore = "__pycache__/\n*.py[cod]\n.Python\nbuild/\ndist/\nlib/\nvar/\n*.egg-info/\n.installed.cfg\nMANIFEST\n"
	nodeIgnore   = "logs\n*.log\nnode_modules/\n.env\n.env.*\n!.env.example\n.next\nout\ndist\n.vuepress/dist\n"
	allBut       = "/*\n!/skills/\n!/.gitignore\n!/*.yaml\n"
)

// Whatever a repository ignores, git takes the cards of a first run, unless it ignores each
// directory that they may lie in.
func TestOutputIsKept(t *testing.T) {
	const dist, cards, public, own = "dist", "agent-cards", "public/index.html", "public/.gitignore"
	const harmless, several = "harmless", "desk/plugin.json"
	for _, c := range []struct{ ignore, out, more string }{
		{"", dist, ""},
		{"#dist\n", dist, ""},
		{"dist\n", cards, ""},
		{"dist/\n", cards, ""},
		{"/dist\n", cards, ""},
		{"/dist/\n", cards, ""},
		{"node_modules\r\ndist/\r\n", cards, ""},
		{"\ufeffdist\n", cards, ""},
		{"**/dist\n", cards, ""},
		{"**/dist/**\n", dist, ""},
		{"dist/*\n", dist, ""},
		{"/dist/**\n", dist, ""},
		{"dist/*\n!dist/.gitkeep\n", dist, ""},
		{"dist/*\n!dist/.well-known\n", dist, ""},
		{"dist\n!dist/.well-known\n", cards, ""},
		{"dist\n!dist\n", dist, ""},
		{"!dist\ndist\n", cards, ""},
		{"[Dd]ist/\n", cards, ""},
		{"d?st\n", cards, ""},
		{"*dist*\n", cards, ""},
		{"build*\nout*\n", dist, ""},
		{pythonIgnore, cards, ""},
		{nodeIgnore, cards, ""},
		{"*.json\n", dist, ""},
		{"*.json\n!package.json\n", dist, ""},
		{"**/*.json\n", dist, ""},
		{"/dist/**/*.json\n", dist, ""},
		{"*.json\r\n.*\r\n", dist, ""},
		{"agent-card.json\n", dist, ""},
		{"agent*\n", dist, ""},
		{"*.manifest.json\n", dist, ""},
		{".*\n", dist, ""},
		{".*\n!.github\n", dist, ""},
		{"*.*\n!*.md\n!*.yaml\n", dist, ""},
		{".git*\n", dist, ""},
		{".gitignore\n", dist, ""},
		{".well-known\n", dist, ""},
		{"**/.well-known/\n", dist, ""},
		{".well-known/*.json\n", dist, ""},
		{"*.etag\n*.sha256\n", dist, ""},
		{"*\n!*/\n!*.md\n!*.yaml\n", dist, ""},
		{"dist\n", "public", public},
		{"dist\npublic\n", cards, public},
		{"dist\n", cards, own},
		{"dist\n", "public", harmless},
		{"node_modules\n", cards, "dist/index.html"},
		{"dist\n", cards, "dist/main.js"},
		{"**/dist/**\n.*\n", dist, several},
		{"dist\n", cards, several},
		{"*.json\n!plugin.json\n", dist, several},
		{"dist\nagent-cards\n", "", ""},
		{allBut, "", ""},
		{allBut + "!/agent-cards/\n", cards, ""},
	} {
		texts := map[string]string{".gitignore": c.ignore, "skills/pay/SKILL.md": skill("pay"), "desk/skills/a/SKILL.md": ""}
		ids := []string{"."}
		switch c.more {
		case "":
		case several:
			texts[several], texts["desk/skills/a/SKILL.md"] = `{"name": "desk"}`, skill("a")
			ids = []string{"desk", "agent"}
		case own:
			texts[public], texts[own] = "<html>", "*\n!.gitignore\n!index.html\n"
		case harmless:
			texts[public], texts[own] = "<html>", "*.log\n*.etag\n*.sha256\n"
		default:
			texts[c.more] = "<html>"
		}
		s, tree := started(t, texts)
		git := files.Ignores{FS: tree}
		if tree[path.Join(s.Out, ".gitignore")] == nil {
			tree[path.Join(s.Out, ".gitignore")] = &fstest.MapFile{Data: s.GitIgnore}
		}
		names := []string{".gitignore", "cardwright.manifest.json"}
		for _, id := range ids {
			names = append(names, id+"/.well-known/agent-card.json", id+"/.well-known/agent.json")
		}
		lost := slices.DeleteFunc(names, func(name string) bool { return !git.Has(path.Join(s.Out, name)) })
		if c.out == "" && s.Out == cards && len(lost) > 0 {
			continue
		}
		if s.Out != c.out || len(lost) > 0 {
			t.Errorf("%q: %s, and git ignores %q:\n%s", c.ignore, s.Out, lost, s.GitIgnore)
		}
		if !git.Has(path.Join(s.Out, ".well-known/agent-card.json.etag")) {
			t.Errorf("%q: git takes the sidecars", c.ignore)
		}
	}
}
