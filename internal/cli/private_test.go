package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// privateSkill is the file of a private skill, which only its agent may show: ID is also
// in its words, and MARK in each text that nobody else may see.
const privateSkill = "---\nname: ID\ndescription: " + privateText + "\nmetadata:\n  a2a-tags: ops\n" +
	"  a2a-examples: Go by ID to MARK now\n  VISIBILITY\n---\nThe body of ID names MARK.\n"

const (
	privateText  = "MARK is where ID takes all the things of ID, by way of the second harbor of ID."
	privateTools = `{"tools": [{"name": "ID", "description": "` + privateText +
		`", "inputSchema": {"type": "object"}}, {"name": "weather", "description": "Tells the weather of a town."}]}`
	publicMD = "---\nname: pdf\ndescription: Reads and merges PDF files.\nmetadata: {a2a-tags: pdf}\n---\n"
)

const privateConfig = `version: 1
baseUrl: https://agents.acme.example
publisher: acme.example
catalog: true
ard: true
html: true
agentSkills: {publish: ["*"]}
mcp: [{name: com.acme/ops, version: 1.0.0, description: Operations., url: "https://ops.example", tools: tools.json}]
policies: [{id: house, schema: policy.json, severity: warning}]
agents:
  - id: one
    name: One
    description: Does the first of the things.
    version: 1.0.0
    securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
    security: [{key: []}]
    interfaces: [{url: /one}]
    skills: {from: [{type: skills, path: shared}]EXTRA}
  - id: two
    name: Two
    description: Does the second of the things.
    version: 1.0.0
    securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
    security: [{key: []}]
    interfaces: [{url: /two}]
    skills: {from: [{type: skills, path: shared}, {type: skills, path: copy}]}
`

// However a skill is made private for one agent, nothing of it is public anywhere,
// nor in what a command prints: by its file, and by a copy of its text.
func TestPrivateEverywhere(t *testing.T) {
	ways := map[string]struct{ visibility, extra, overlay string }{
		"public":            {"x: y", "", ""}, // which shows that the others hide something
		"hidden":            {"a2a-visibility: hidden", "", ""},
		"extended":          {"a2a-visibility: extended", "", ""},
		"in doubt":          {"a2aVisibility: [secret]", "", ""},
		"extended pattern":  {"x: y", `, extended: ["*deploy"]`, ""},
		"hidden by overlay": {"x: y", "", "{visibility: hidden}"},
		"extended, changed": {"x: y", "", `{visibility: extended, description: "MARK?"}`},
		"public overlay":    {"a2a-visibility: hidden", "", "{visibility: public}"},
	}
	// A skill for each copy of it, with a mark of its own.
	copies := []struct{ id, mark, file, text string }{
		{"rowdeploy", "Zanzibar", "notes.txt", ""}, // the same file
		{
			"flydeploy", "Quetzal", "copy/.claude/skills/flydeploy/SKILL.md",
			strings.Replace(privateSkill, "second", "Second!", 1),
		},
		{"cabdeploy", "Oxymoron", "copy/cabdeploy/SKILL.md", strings.Replace(privateSkill, "harbor", "harbour", 1)},
		{"bikedeploy", "Juniper", "copy/ship/SKILL.md", strings.Replace(privateSkill, "name: ID", "name: ship", 1)},
		{"taxideploy", "Xylophone", "tools.json", privateTools},
		{"feetdeploy", "Vermilion", "copy/pdf/deploy.md", privateSkill}, // a file of another skill
	}
	for way, w := range ways {
		p := privateProject{T: t, dir: t.TempDir(), leaks: map[string]bool{}}
		var overlay []string
		for _, c := range copies {
			fill := strings.NewReplacer("ID", c.id, "MARK", c.mark)
			if w.overlay != "" {
				overlay = append(overlay, c.id+": "+fill.Replace(w.overlay))
			}
			p.marks = append(p.marks, c.mark)
			p.write("shared/"+c.id+"/SKILL.md", strings.Replace(fill.Replace(privateSkill), "VISIBILITY", w.visibility, 1))
			if c.text = strings.Replace(fill.Replace(c.text), "VISIBILITY", "x: y", 1); c.mark != "Vermilion" {
				p.write(c.file, c.text)
			}
		}
		if overlay != nil {
			w.extra = ", overlay: {" + strings.Join(overlay, ", ") + "}"
		}
		p.write("cardwright.yaml", strings.Replace(privateConfig, "EXTRA", w.extra, 1))
		p.write("policy.json", `{"properties": {"skills": {"items": {"properties": {`+
			`"description": {"pattern": "^x", "enum": ["y"]}, "examples": {"items": {"const": "z"}}}}}}}`)
		p.write("shared/all/SKILL.md", strings.ReplaceAll(publicMD, "pdf", "all"))
		p.write("copy/pdf/SKILL.md", publicMD)
		p.run("generate", "--private-out", "secret", "--audit", "audit.log", "--format", "json")
		p.run("generate", "--server", "nginx", "--agent", "two")
		p.run("lint", "--fail-on", "info", "--all")
		p.write("copy/pdf/late.md", "Comes late.")
		p.run("generate", "--check", "--all", "--report", "github=report.github")
		if p.search() == 0 {
			t.Errorf("%s: nothing is published", way)
		}
		last := copies[len(copies)-1] // is an error that stops a run
		p.write(last.file, strings.NewReplacer("ID", last.id, "MARK", last.mark, "VISIBILITY", "x: y").Replace(last.text))
		p.run("generate", "--all")
		p.run("generate", "--check", "--all")
		p.search()
		for _, mark := range p.marks {
			if p.leaks[mark] != (way == "public") {
				t.Errorf("%s: what is private with %s is seen: %v", way, mark, p.leaks[mark])
			}
		}
	}
}

type privateProject struct {
	*testing.T
	dir   string
	marks []string        // in texts that are private
	leaks map[string]bool // which of them were seen
}

func (p *privateProject) write(name, text string) {
	p.Helper()
	name = filepath.Join(p.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o600)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// run runs a command, which may find something.
func (p *privateProject) run(args ...string) {
	p.Helper()
	var out bytes.Buffer
	code := Run(append([]string{"-C", p.dir}, args...), Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "test")
	if code > 1 {
		p.Errorf("%q ends with %d:\n%s", args, code, out.String())
	}
	p.look(strings.Join(args, " "), out.Bytes())
}

func (p *privateProject) look(what string, data []byte) {
	for _, mark := range p.marks {
		if !p.leaks[mark] && bytes.Contains(data, []byte(mark)) {
			p.leaks[mark] = true
			p.Logf("%s:\n%.5000s", what, data)
		}
	}
}

// search looks into everything that was written for the public, and returns how many
// files that are.
func (p *privateProject) search() (published int) {
	p.Helper()
	for _, top := range []string{"dist", "dist.server", "audit.log", "report.github"} {
		err := filepath.WalkDir(filepath.Join(p.dir, top), func(name string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) || err == nil && d.IsDir() {
				return nil
			}
			data, err := os.ReadFile(name)
			published++
			p.look(name, data)
			return err
		})
		if err != nil {
			p.Error(err)
		}
	}
	return published
}
