package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
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
	workdir
	printed map[string]string
}

// do runs a command and keeps what it prints.
func (p *secretsProject) do(command string) string {
	out, err, _ := p.run(strings.Fields(command)...)
	p.printed[command] = out + err
	return out + err
}

// build writes a configuration of a name, with an agent for each text. Its head goes
// before the agents. It returns the lines at which they begin.
func (p *secretsProject) build(name, head string, texts []string) (lines []int) {
	config := "version: 1\nhtml: true\ncatalog: true\npublisher: acme.example\n" +
		"baseUrl: https://agents.acme.example\n" + head + "agents:\n"
	for n, text := range texts {
		id, quoted := fmt.Sprintf("a%d", n), strconv.Quote(text)
		lines = append(lines, strings.Count(config, "\n")+1)
		config += fmt.Sprintf(strings.ReplaceAll(secretAgent, "path: ", "path: "+name+"/"), id, quoted)
		p.put(name+"/skills/"+id+"/file/SKILL.md", "---\nname: file\ndescription: "+quoted+"\n---\n")
		p.put(name+"/tools/"+id+".json",
			`{"tools": [{"name": "tool", "description": `+quoted+`, "inputSchema": {"type": "object"}}]}`)
	}
	p.put(name+".yaml", config)
	return lines
}

// secretTexts returns of each kind of credential a first and a second text, of a few kinds,
// and in a long trial of all, and what must not be shown of them.
func secretTexts(t *testing.T) (texts [2][]string, hidden []string) {
	t.Helper()
	seen := map[string]int{}
	for _, s := range fixture.Secrets() {
		i := seen[s.What]
		if !s.Real || i >= len(texts) {
			continue
		}
		seen[s.What]++
		text := fmt.Sprintf("Desk %d: %s", len(seen), s.Text)
		m, ok := secret.Find(text)
		if !ok {
			t.Fatal(s)
		}
		if len(seen)%fixture.Rounds(12, 1) == 0 {
			texts[i], hidden = append(texts[i], text), append(hidden, text[m.Start:m.End])
		}
	}
	if len(texts[0]) < 2 || len(texts[1]) < 2 {
		t.Fatal("there are too few texts")
	}
	return texts, hidden
}

// Every kind of credential is found in every place of a text, and nothing that the
// program prints, reports or records shows it.
func TestEverySecretInEveryPlace(t *testing.T) {
	p := &secretsProject{inDir(t), map[string]string{}}
	texts, hidden := secretTexts(t)
	p.run("key", "new", "-q")
	lines := p.build("first", "", texts[0])
	p.do("generate --config first.yaml --all --report json=found.json --report markdown=found.md")
	found := p.places(lines)
	for n, text := range texts[0] {
		for _, place := range secretPlaces {
			if !found[fmt.Sprint(n, place)] {
				t.Errorf("%.40q is not found in %s", text, place)
			}
		}
	}

	// Someone publishes them all the same, some in each text, and then others. What lists
	// agents stays clean.
	lower := "rules: {secret-value: warning, interface-credentials: warning}\n"
	for i, name := range []string{"old", "new"} {
		var joined []string // a header has a bound
		for few := range slices.Chunk(texts[i], 10) {
			joined = append(joined, strings.Join(few, "; "))
		}
		p.build(name, lower, joined)
		p.do("generate --config " + name + ".yaml --out " + name + "-tree --audit audit.log")
	}
	p.do("lint --format github --report markdown=lint.md old-tree")
	p.do("generate --config new.yaml --out old-tree --check --all --report markdown=check.md")
	compare := "diff old-tree new-tree"
	for _, f := range report.FileFormats() {
		compare += " --report " + f + "=diff." + f
	}
	p.do(compare)
	p.do("verify new-tree --jwks new-tree/.well-known/jwks.json")
	for _, pattern := range []string{"*.md", "found.*", "diff.*", "audit.log"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Errorf("%s is not written: %v", pattern, err)
		}
		for _, name := range names {
			p.printed[name] = p.read(name)
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

// places are the places of credentials in found.json: the number of the agent, and the pointer.
func (p *secretsProject) places(lines []int) map[string]bool {
	p.Helper()
	var sheet struct {
		Diagnostics []struct {
			Rule, Pointer, File string
			Line                int
		}
	}
	p.must(json.Unmarshal([]byte(p.read("found.json")), &sheet))
	found := map[string]bool{}
	for _, d := range sheet.Diagnostics {
		agent := slices.IndexFunc(lines, func(begin int) bool { return begin > d.Line }) - 1
		switch {
		case d.Rule != "secret-value" && d.Rule != "interface-credentials":
			continue
		case d.File != "first.yaml":
			_, _ = fmt.Sscanf(strings.SplitN(d.File, "/", 4)[2], "a%d", &agent)
		case agent < 0:
			agent = len(lines) - 1
		}
		found[fmt.Sprint(agent, d.Pointer)] = true
	}
	return found
}

// Nothing that the program prints shows a credential in the name of a file or a
// directory, and what would publish the name is an error.
func TestSecretInNames(t *testing.T) {
	const name = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
	p := &secretsProject{inDir(t), map[string]string{}}
	p.put("cardwright.yaml", `version: 1
baseUrl: https://agents.acme.example
agentSkills: ["*"]
rules: {signature-missing: "off"}
agents:
  - {id: a, name: A, description: Does it., version: 1.0.0, interfaces: [{url: /a}],
     skills: {from: [{type: skills, path: skills}]}}
`)
	p.put("skills/pdf/SKILL.md",
		"---\nname: pdf\ndescription: Merges PDF files into one.\nmetadata: {a2a-tags: pdf}\n---\n")
	p.put("skills/"+name+"/SKILL.md", "---\nname: nameless\n---\n")
	for _, command := range []string{
		"generate --out NAME", "generate", "lint", "lint --format json", "lint --format sarif", "lint --format github",
		"lint --report markdown=lint.md", "verify NAME", "diff dist NAME", "generate --out NAME --force --audit -",
		"lint skills/NAME/SKILL.md", "convert NAME/none.json --to dual", "key new --out NAME/key.pem", "lint --NAME", "NAME",
	} {
		p.do(strings.ReplaceAll(command, "NAME", name))
	}
	p.printed["lint.md"] = p.read("lint.md")
	p.put("skills/pdf/"+name+"/notes.md", "x\n")
	p.put("skills/pdf/"+name+".html", "x\n")
	if out := p.do("generate"); strings.Count(out, "error: the name of the file holds a GitHub token") != 2 {
		t.Errorf("what is published has such a name, and that is no error: %s", out)
	}
	p.put("cardwright.yaml", `version: 1
baseUrl: https://agents.acme.example
layout: path
agents:
  - {id: `+name+`, name: A, description: Does it., version: 1.0.0, interfaces: [{url: /a}]}
  - {id: b, path: x/`+name+`, name: B, description: Does it., version: 1.0.0, interfaces: [{url: /b}]}
`)
	if out := p.do("generate --out ids"); strings.Count(out, "the text holds a GitHub token") != 2 {
		t.Errorf("the directories of the tree have such names, and that is no error: %s", out)
	}
	for what, text := range p.printed {
		if strings.Contains(text, name[10:]) {
			t.Errorf("%s: the name is shown: %s", what, text)
		}
	}
}
