package cli

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/report"
	"cardwright/internal/secret"
)

// secretAgent is an agent with a text in every place that has one; %[1]s is its id,
// %[2]s the text as JSON.
const secretAgent = `  - id: %[1]s
    name: %[2]s
    description: %[2]s
    version: 1.0.0
    signing: {key: "file:card-key.pem", kid: %[2]s}
    documentationUrl: https://acme.example/docs
    provider: {organization: %[2]s, url: https://acme.example}
    capabilities:
      extensions: [{uri: "https://acme.example/ext/%[1]s/v1", description: %[2]s, params: {deep: [%[2]s]}}]
    interfaces: [{url: "https://agents.acme.example/%[1]s", tenant: %[2]s}]
    securitySchemes: {key: {type: apiKey, in: header, name: X-API-Key, description: %[2]s}}
    skills:
      from: [{type: skills, path: skills/%[1]s}, {type: mcp, path: tools/%[1]s.json}]
      overlay: {file: {examples: [%[2]s]}}
      add: [{id: added, name: %[2]s, description: %[2]s, tags: [%[2]s], examples: [%[2]s]}]
`

// secretPlaces are the places of such an agent, as pointers into its card.
var secretPlaces = []string{
	"/name", "/description", "/provider/organization",
	"/capabilities/extensions/0/description", "/capabilities/extensions/0/params/deep/0",
	"/supportedInterfaces/0/tenant", "/securitySchemes/key/apiKeySecurityScheme/description",
	"/skills/0/name", "/skills/0/description", "/skills/0/tags/0", "/skills/0/examples/0",
	"/kid", "/skills/1/description", "/skills/1/examples/0", "/skills/2/description",
}

// secretsProject is a directory with a project for each of some lists of texts, and
// what the program printed and recorded there.
type secretsProject struct {
	*testing.T
	dir     string
	printed map[string]string
}

func (p *secretsProject) write(name, text string) {
	p.Helper()
	name = filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		p.Fatal(err)
	}
}

func (p *secretsProject) run(args ...string) string {
	var out strings.Builder
	Run(append([]string{"-C", p.dir}, args...), Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "test")
	p.printed[strings.Join(args, " ")] = out.String()
	return out.String()
}

// quoted returns a text as YAML and JSON both write it.
func (p *secretsProject) quoted(text string) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // as people write it
	if err := e.Encode(text); err != nil {
		p.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

// build writes a configuration of a name, with an agent for each text. Its head goes
// before the agents. It returns the lines at
// which they begin.
func (p *secretsProject) build(name, head string, texts []string) (lines []int) {
	head = "version: 1\nhtml: true\ncatalog: true\npublisher: acme.example\n" +
		"baseUrl: https://agents.acme.example\n" + head
	var config strings.Builder
	config.WriteString(head + "agents:\n")
	for n, text := range texts {
		id := fmt.Sprintf("a%d", n)
		lines = append(lines, strings.Count(config.String(), "\n")+1)
		fmt.Fprintf(&config, strings.NewReplacer("path: ", "path: "+name+"/").Replace(secretAgent),
			id, p.quoted(text))
		p.write(name+"/skills/"+id+"/file/SKILL.md", "---\nname: file\ndescription: "+p.quoted(text)+"\n---\n")
		p.write(name+"/tools/"+id+".json",
			`{"tools": [{"name": "tool", "description": `+p.quoted(text)+`, "inputSchema": {"type": "object"}}]}`)
	}
	p.write(name+".yaml", config.String())
	return lines
}

// Every kind of credential is found in every place of a text, and nothing that the
// program prints, reports or records shows it.
func TestEverySecretInEveryPlace(t *testing.T) {
	p := &secretsProject{T: t, dir: t.TempDir(), printed: map[string]string{}}
	var texts [2][]string // of each kind the first, and the second
	var hidden []string
	seen := map[string]int{}
	for _, s := range fixture.Secrets() {
		if i := seen[s.What]; s.Real && i < len(texts) {
			seen[s.What]++
			text := fmt.Sprintf("Desk %d: %s", len(texts[i]), s.Text)
			m, ok := secret.Find(text)
			if !ok {
				t.Fatal(s)
			}
			texts[i], hidden = append(texts[i], text), append(hidden, text[m.Start:m.End])
		}
	}
	// Elsewhere each kind is found; here in each place a few, and in a long trial all.
	for i := range texts {
		texts[i] = slices.Collect(every(texts[i], fixture.Rounds(12, 1)))
	}
	p.run("key", "new", "-q")
	delete(p.printed, "key new -q")
	lines := p.build("first", "", texts[0])

	var sheet struct {
		Diagnostics []struct {
			Rule, Pointer, File string
			Line                int
		}
	}
	p.run("generate", "--config", "first.yaml", "--all",
		"--report", "json=found.json", "--report", "sarif=found.sarif", "--report", "markdown=found.md")
	out, err := os.ReadFile(filepath.Join(p.dir, "found.json"))
	if err == nil {
		err = json.Unmarshal(out, &sheet)
	}
	if err != nil {
		t.Fatalf("%s: %.1000s", err, out)
	}
	found := map[string]bool{}
	for _, d := range sheet.Diagnostics {
		if d.Rule != "secret-value" && d.Rule != "interface-credentials" {
			continue
		}
		agent := -1
		if d.File == "first.yaml" {
			for agent+1 < len(lines) && lines[agent+1] <= d.Line {
				agent++
			}
		} else {
			_, _ = fmt.Sscanf(strings.NewReplacer("/", " ", ".json", "").Replace(d.File), "first skills a%d", &agent)
			_, _ = fmt.Sscanf(strings.NewReplacer("/", " ", ".json", "").Replace(d.File), "first tools a%d", &agent)
		}
		found[fmt.Sprint(agent, d.Pointer)] = true
	}
	for n, text := range texts[0] {
		var missing []string
		for _, place := range secretPlaces {
			if !found[fmt.Sprint(n, place)] {
				missing = append(missing, place)
			}
		}
		if missing != nil {
			t.Errorf("%.40q is not found in %v", text, missing)
		}
	}

	// Someone publishes them all the same, some in each text, and then others. What lists
	// agents stays clean.
	lower := "rules: {secret-value: warning, interface-credentials: warning}\n"
	p.build("old", lower, joined(texts[0]))
	p.build("new", lower, joined(texts[1]))
	for _, name := range []string{"old", "new"} {
		p.run("generate", "--config", name+".yaml", "--out", name+"-tree", "--audit", "audit.log")
	}
	p.run("lint", "--format", "github", "--report", "markdown=lint.md", "old-tree")
	p.run("generate", "--config", "new.yaml", "--out", "old-tree", "--check", "--all", "--report", "markdown=check.md")
	compare := []string{"diff", "old-tree", "new-tree"}
	for _, f := range report.FileFormats() {
		compare = append(compare, "--report", f+"=diff."+f)
	}
	p.run(compare...)
	p.run("verify", "new-tree", "--jwks", "new-tree/.well-known/jwks.json")
	for _, pattern := range []string{"*.md", "found.*", "diff.*", "audit.log"} {
		names, err := filepath.Glob(filepath.Join(p.dir, pattern))
		if err != nil || len(names) == 0 {
			t.Errorf("%s is not written: %v", pattern, err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p.printed[filepath.Base(name)] = string(data)
		}
	}
	for what, text := range p.printed {
		if len(text) < 300 {
			t.Errorf("%s: hardly anything is printed: %q", what, text)
		}
		for _, h := range hidden {
			if i := strings.Index(text, h[len(h)/2:]); i >= 0 {
				t.Errorf("%s: %q is shown: %q", what, h, text[max(0, i-200):i])
				break
			}
		}
	}
}

// every yields one of so many texts.
func every(texts []string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(texts) && yield(texts[i]); i += n {
		}
	}
}

// joined returns texts that have a few of the given ones each.
func joined(texts []string) (list []string) {
	for few := range slices.Chunk(texts, 10) {
		list = append(list, strings.Join(few, "; "))
	}
	return list
}

// Nothing that the program prints shows a credential in the name of a file or a
// directory, and what would publish the name is an error.
func TestSecretInNames(t *testing.T) {
	const name = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	p := &secretsProject{T: t, dir: t.TempDir(), printed: map[string]string{}}
	p.write("cardwright.yaml", `version: 1
baseUrl: https://agents.acme.example
agentSkills: ["*"]
rules: {signature-missing: "off"}
agents:
  - {id: a, name: A, description: Does it., version: 1.0.0, interfaces: [{url: /a}],
     skills: {from: [{type: skills, path: skills}]}}
`)
	p.write("skills/pdf/SKILL.md",
		"---\nname: pdf\ndescription: Merges PDF files into one.\nmetadata: {a2a-tags: pdf}\n---\n")
	p.write("skills/"+name+"/SKILL.md", "---\nname: nameless\n---\n")
	p.run("generate", "--out", name)
	for _, args := range [][]string{
		{"generate"},
		{"lint"},
		{"lint", "--format", "json"},
		{"lint", "--format", "sarif"},
		{"lint", "--format", "github"},
		{"lint", "--report", "markdown=lint.md"},
		{"verify", name},
		{"diff", "dist", name},
		{"generate", "--out", name, "--force", "--audit", "-"},
		{"lint", "skills/" + name + "/SKILL.md"},
		{"convert", name + "/none.json", "--to", "dual"},
		{"key", "new", "--out", name + "/key.pem"},
		{"lint", "--" + name},
		{name},
	} {
		p.run(args...)
	}
	if report, err := os.ReadFile(filepath.Join(p.dir, "lint.md")); err == nil {
		p.printed["lint.md"] = string(report)
	}
	p.write("skills/pdf/"+name+"/notes.md", "x\n")
	p.write("skills/pdf/"+name+".html", "x\n")
	if out := p.run("generate"); strings.Count(out, "error: the name of the file holds a GitHub token") != 2 {
		t.Errorf("what is published has such a name, and that is no error: %s", out)
	}
	p.write("cardwright.yaml", `version: 1
baseUrl: https://agents.acme.example
layout: path
agents:
  - {id: `+name+`, name: A, description: Does it., version: 1.0.0, interfaces: [{url: /a}]}
  - {id: b, path: x/`+name+`, name: B, description: Does it., version: 1.0.0, interfaces: [{url: /b}]}
`)
	if out := p.run("generate", "--out", "ids"); strings.Count(out, "the text holds a GitHub token") != 2 {
		t.Errorf("the directories of the tree have such names, and that is no error: %s", out)
	}
	for what, text := range p.printed {
		if strings.Contains(text, name[10:]) {
			t.Errorf("%s: the name is shown: %s", what, text)
		}
	}
}
