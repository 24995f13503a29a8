package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Texts of the private skill, in what nobody but its agent may see.
const (
	privateMark = "Zanzibar"
	privateText = privateMark + " is where the deployment of the board pack goes, by way of the second harbor."
	privateMD   = "---\nname: deploy\ndescription: " + privateText + "\nmetadata:\n  a2a-tags: ops\n" +
		"  a2a-examples: Go to " + privateMark + " now\n  VISIBILITY\n---\nThe body names " + privateMark + ".\n"
	privateTools = `{"tools": [{"name": "deploy", "description": "` + privateText +
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
	ways := map[string]struct{ visibility, extra string }{
		"public":            {"x: y", ""}, // which shows that the others hide something
		"hidden":            {"a2a-visibility: hidden", ""},
		"extended":          {"a2a-visibility: extended", ""},
		"in doubt":          {"a2aVisibility: [secret]", ""},
		"extended pattern":  {"x: y", `, extended: ["dep*"]`},
		"hidden by overlay": {"x: y", `, overlay: {deploy: {visibility: hidden}}`},
		"extended, changed": {"x: y", `, overlay: {deploy: {visibility: extended, description: "` + privateMark + `?"}}`},
		"public overlay":    {"a2a-visibility: hidden", `, overlay: {deploy: {visibility: public}}`},
	}
	skill := func(visibility string) string { return strings.Replace(privateMD, "VISIBILITY", visibility, 1) }
	open := skill("x: y")
	copies := map[string]struct{ file, text string }{
		"same file":        {"notes.txt", ""},
		"one character":    {"copy/.claude/skills/deploy/SKILL.md", strings.Replace(open, "second", "Second!", 1)},
		"one letter":       {"copy/deploy/SKILL.md", strings.Replace(open, "harbor", "harbour", 1)},
		"another name":     {"copy/ship/SKILL.md", strings.Replace(open, "name: deploy", "name: ship", 1)},
		"file of another":  {"copy/pdf/deploy.md", open},
		"tool of a server": {"tools.json", privateTools},
	}
	for way, w := range ways {
		for place, copied := range copies {
			t.Run(way+"/"+place, func(t *testing.T) {
				p := privateProject{T: t, dir: t.TempDir()}
				p.write("cardwright.yaml", strings.Replace(privateConfig, "EXTRA", w.extra, 1))
				p.write("policy.json", `{"properties": {"skills": {"items": {"properties": {`+
					`"description": {"pattern": "^x", "enum": ["y"]}, "examples": {"items": {"const": "z"}}}}}}}`)
				p.write("tools.json", `{"tools": [{"name": "weather", "description": "Tells the weather of a town."}]}`)
				p.write("shared/deploy/SKILL.md", skill(w.visibility))
				p.write("shared/all/SKILL.md", strings.ReplaceAll(publicMD, "pdf", "all"))
				p.write("copy/pdf/SKILL.md", publicMD)
				p.write(copied.file, copied.text)
				p.run("generate", "--private-out", "secret", "--audit", "audit.log", "--format", "json")
				p.run("generate", "--server", "nginx", "--agent", "two")
				p.run("lint", "--fail-on", "info", "--all")
				p.write("copy/pdf/late.md", "Comes late.")
				p.run("generate", "--check", "--all")
				p.run("generate", "--check", "--format", "github")
				if p.search() == 0 && place != "file of another" {
					t.Error("nothing is published")
				}
				if p.leaks != (way == "public") {
					t.Errorf("what is private is seen: %v", p.leaks)
				}
			})
		}
	}
}

type privateProject struct {
	*testing.T
	dir   string
	leaks bool // what is private was seen
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
	if bytes.Contains(data, []byte(privateMark)) {
		p.leaks = true
		p.Logf("%s:\n%.5000s", what, data)
	}
}

// search looks into everything that was written for the public, and returns how many
// files that are.
func (p *privateProject) search() (published int) {
	p.Helper()
	for _, top := range []string{"dist", "dist.server", "audit.log"} {
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
