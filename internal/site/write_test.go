package site_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/site"
	"cardwright/mapping"
	"cardwright/schema"
)

const header = "---\nname: pdf\ndescription: Reads PDF files.\n---\n"

// gathered returns the paths of the files of a skill, and the rules of the findings.
func gathered(files fstest.MapFS, ignored string) (skill site.Skill, names, rules []string) {
	for _, f := range files {
		if f.Mode == 0 {
			f.Mode = 0o644
		}
	}
	show := func(name string) string { return name }
	skill, found := site.Gather(mapping.Tree{FS: files, Root: "skills", Show: show}, "skills/pdf/SKILL.md",
		"Reads PDF files.", func(file string) bool { return file == ignored })
	for _, f := range skill.Files {
		names = append(names, f.Path)
	}
	for _, d := range found.Sorted() {
		rules = append(rules, d.Rule.String()+" "+strings.TrimPrefix(d.Span.File, "skills/pdf/"))
	}
	return skill, names, rules
}

func TestGather(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for name, tt := range map[string]struct {
		path, text   string
		names, rules string
	}{
		"a script":           {"scripts/run.sh", "#!/bin/sh\n", "SKILL.md scripts/run.sh", ""},
		"a dot file":         {".env", "PORT=1\n", "SKILL.md", "agent-skills-excluded .env"},
		"a key":              {"id_rsa", "x", "SKILL.md", "agent-skills-excluded id_rsa"},
		"an ignored file":    {"built.txt", "x", "SKILL.md", "agent-skills-excluded built.txt"},
		"a nested skill":     {"tools/SKILL.md", header, "SKILL.md", ""},
		"a secret":           {"a.txt", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "SKILL.md a.txt", "secret-value a.txt"},
		"letters beyond tar": {"Übersicht.md", "x", "SKILL.md", "agent-skills-file Übersicht.md"},
		"a long name":        {strings.Repeat("a", 101), "x", "SKILL.md", "agent-skills-file " + strings.Repeat("a", 101)},
		"a long path":        {strings.Repeat("a", 99) + "/b", "x", "SKILL.md " + strings.Repeat("a", 99) + "/b", ""},
		"one name twice":     {"skill.MD", "x", "SKILL.md", "agent-skills-file skill.MD"},
	} {
		files := fstest.MapFS{"skills/pdf/SKILL.md": file(header), "skills/pdf/" + tt.path: file(tt.text)}
		skill, names, rules := gathered(files, "skills/pdf/built.txt")
		if got := strings.Join(names, " "); got != tt.names {
			t.Errorf("%s: the files are %q", name, got)
		}
		if got := strings.Join(rules, ", "); got != tt.rules {
			t.Errorf("%s: the findings are %q", name, got)
		}
		if err := skill.Pack(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A skill has at most as many files, and as many bytes, as readers take.
func TestGatherIsBounded(t *testing.T) {
	files := fstest.MapFS{
		"skills/pdf/SKILL.md": &fstest.MapFile{Data: []byte(header)},
		"skills/pdf/large":    &fstest.MapFile{Data: make([]byte, site.MostBytes)},
	}
	if _, _, rules := gathered(files, ""); strings.Join(rules, ", ") != "agent-skills-file large" {
		t.Errorf("too many bytes: %q", rules)
	}
	delete(files, "skills/pdf/large")
	for _, want := range []string{"", "agent-skills-file SKILL.md"} {
		for len(files) < 1000+len(want)/len("agent-skills-file SKILL.md") {
			files[fmt.Sprintf("skills/pdf/%d.txt", len(files))] = &fstest.MapFile{}
		}
		if _, _, rules := gathered(files, ""); strings.Join(rules, ", ") != want {
			t.Errorf("%d files: %q", len(files), rules)
		}
	}
}

func TestParseManifest(t *testing.T) {
	good := []byte(`{"version": 1, "environment": "", "files": ["b", "a"]}`)
	if m, found := site.ParseManifest("m", good); found != nil || strings.Join(m.Files, " ") != "a b" {
		t.Errorf("%v, %v", m, found)
	}
	for _, text := range []string{
		`[]`, `{`, `{"version": 2, "files": []}`, `{"version": 1}`, `{"version": 1, "files": [1]}`,
		`{"version": 1, "files": ["../x"]}`, `{"version": 1, "files": ["cardwright.manifest.json"]}`,
		`{"version": 1, "environment": 1, "files": []}`,
	} {
		if m, found := site.ParseManifest("m", []byte(text)); found == nil || m.Files != nil {
			t.Errorf("%s: %v, %v", text, m, found)
		}
	}
}

func TestGatherRefusesLinks(t *testing.T) {
	files := fstest.MapFS{
		"skills/pdf/SKILL.md": &fstest.MapFile{Data: []byte(header)},
		"skills/pdf/a":        &fstest.MapFile{Data: []byte("../b"), Mode: 0o777 | 1<<27},
	}
	if _, _, rules := gathered(files, ""); len(rules) != 1 || rules[0] != "agent-skills-file a" {
		t.Errorf("the findings are %q", rules)
	}
}

// What is written is accepted by what reads it.
func TestWrittenListsAreRead(t *testing.T) {
	files := []site.SkillFile{{Path: "SKILL.md", Data: []byte(header)}, {Path: "run.sh", Data: []byte("#!/bin/sh\n")}}
	packed := site.Skill{Name: "pdf", Description: "Reads PDF files.", Files: files}
	if err := packed.Pack(); err != nil {
		t.Fatal(err)
	}
	plain := site.Skill{Name: "text", Description: "Reads texts.", Files: files[:1]}
	s := site.Site{Publisher: "acme.example", URL: "https://acme.example", Skills: []site.Skill{packed, plain}}
	published := map[string][]byte{}
	for _, f := range s.SkillFiles() {
		published[strings.TrimPrefix(f.Path, site.SkillsDir+"/")] = f.Data
	}
	read := func(reference string) ([]byte, error) { return published[reference], nil }
	if d := site.Read("index.json", published["index.json"], read); d.Kind != site.SkillsIndex ||
		d.Entries != 2 || d.Found != nil {
		t.Errorf("the index is %+v", d)
	}
	if d := site.Read("c.json", s.AICatalog(), nil); d.Kind != site.Catalog || d.Found != nil {
		t.Errorf("the catalog is %+v", d)
	}
}

// What a card says is text, whatever it looks like.
func TestPageEscapes(t *testing.T) {
	card := &schema.Card{
		Name: "<script>alert(1)</script>", Description: "Reads\u202e files.", DocumentationURL: "javascript:alert(1)",
		Provider: &schema.Provider{Organization: "Acme", URL: "https://acme.example@evil.example/"},
		Skills:   []schema.Skill{{ID: "a", Name: "</style><b>", Description: strings.Repeat("long ", 100)}},
	}
	data, err := site.Site{Agents: []site.Agent{{ID: "a", Card: card}}}.Page()
	page := string(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script>alert", "<b>", `href="javascript`, `href="https://acme.example@`, "\u202e"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	for _, good := range []string{
		"<title>&lt;script&gt;alert(1)", "⟨U&#43;202E⟩", `<div class="long"><p>`, site.PageMark,
	} {
		if !strings.Contains(page, good) {
			t.Errorf("the page lacks %q", good)
		}
	}
	if strings.Contains(page, `id="query"`) {
		t.Error("a page of one skill has a search")
	}
}

// The page says about an agent what its card says, and its policy fits its style and script.
func TestPageShows(t *testing.T) {
	card := &schema.Card{
		Name: "Desk",
		Interfaces: []schema.Interface{
			{URL: "https://a.example", Version: "1.0"}, {URL: "https://a.example", Version: "0.3"},
		},
		SecuritySchemes: map[string]schema.SecurityScheme{"key": {Type: schema.APIKey, In: "header", Name: "X-Key"}},
		Security:        []schema.Requirement{{"key": nil}, {}},
		Skills:          []schema.Skill{{ID: "a", Name: "A", Description: "Books.", Tags: []string{"only"}}},
	}
	agents := []site.Agent{{ID: "a", Card: card}, {ID: "b", Card: card}, {ID: "c", Card: card}}
	data, err := site.Site{Agents: agents}.Page()
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, element := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(page, "<"+element+">")
		text, _, _ := strings.Cut(rest, "</"+element+">")
		sum := sha256.Sum256([]byte(text))
		want := html.EscapeString(element + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
		if !strings.Contains(page, strings.ReplaceAll(want, "+", "&#43;")) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	for _, good := range []string{
		`id="agent-a" open>`, "A2A 0.3, 1.0", "<dd>API key in header X-Key</dd><dd>or no authentication</dd>",
		`Books.</p><ul class="tags" aria-label="Tags"><li>only</li>`,
	} {
		if !strings.Contains(page, good) {
			t.Errorf("the page lacks %q", good)
		}
	}
}

// abc is the example of FIPS 180-4.
const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestSidecarFiles(t *testing.T) {
	f := site.File{
		Path: "a/.well-known/agent-card.json", Data: []byte("abc"), Agent: "a", URL: "https://a.example/",
		Sidecars: true,
	}
	want := []site.File{
		{Path: f.Path + ".etag", Data: []byte(`"` + abc + `"` + "\n"), Agent: "a", Turn: 1},
		{Path: f.Path + ".sha256", Data: []byte(abc + "  agent-card.json\n"), Agent: "a", Turn: 1},
	}
	if got := f.SidecarFiles(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	f.Sidecars = false
	if got := f.SidecarFiles(); got != nil {
		t.Errorf("sidecars of a file without: %v", got)
	}
}
