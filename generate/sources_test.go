package generate

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// project is a configuration and the files beside it, by path.
type project map[string]string

// run makes the cards of a project with one agent, whose configuration gets
// what it must have, and returns the public one with the findings.
func (p project) run(t *testing.T, agent string) (*source.Node, diag.List) {
	t.Helper()
	result, found := p.result(t, agent)
	if len(result.Public) == 0 {
		return nil, found
	}
	card, faults := source.ParseJSON("card", result.Public[0].Data)
	if card == nil {
		t.Fatal(faults)
	}
	return card, found
}

func (p project) result(t *testing.T, agent string) (Result, diag.List) {
	t.Helper()
	text := "version: 1\nagents:\n  - id: a\n    description: Does things for people.\n    " +
		strings.ReplaceAll(strings.TrimSpace(agent), "\n", "\n    ") + "\n"
	if base, ok := p["baseUrl"]; ok {
		text = "baseUrl: " + base + "\n" + text
	}
	cfg, found := config.Load([]byte(text), config.Options{File: "cardwright.yaml"})
	if found.Worst() == diag.Error {
		t.Fatal(shown(found))
	}
	fsys := fstest.MapFS{}
	for name, data := range p {
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(data, "#!") {
			mode = 0o755
		}
		fsys[name] = &fstest.MapFile{Data: []byte(data), Mode: mode}
	}
	result, found, err := Run(context.Background(), Request{
		Config: cfg,
		Open:   func(name string) (mapping.Tree, error) { return treeAt(fsys, name), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return result, found
}

// places returns findings of rules, one a line, in their order: place, severity and rule.
func places(found diag.List, rules ...diag.RuleID) []string {
	var out []string
	for _, d := range found.Sorted() {
		if slices.Contains(rules, d.Rule) {
			out = append(out, fmt.Sprintf("%s %s %s", d.Span, d.Severity, d.Rule))
		}
	}
	return out
}

func want(t *testing.T, card *source.Node, members map[string]string) {
	t.Helper()
	for pointer, text := range members {
		got := "absent"
		if n, ok := card.Find(pointer); ok {
			got = strings.Join(strings.Fields(string(schema.Write(n))), " ")
		}
		if got != text {
			t.Errorf("%s is %s, want %s", pointer, got, text)
		}
	}
}

const endpoint = "name: A\ninterfaces: [{url: https://a.example/a2a}]\n"

// What a source is good for and what it is not, on the way from the files to the card.
func TestSources(t *testing.T) {
	const add = "add: [{id: x, name: X, description: Does something else., tags: [x]}]"
	const forge = "skills: {from: [{type: forge, path: f}], " + add + "}\n"
	const mcp = endpoint + "skills: {from: [{type: mcp, path: t}], " + add + "}\n"
	desk := project{
		"baseUrl": "https://desk.example/",
		"f/forge.yaml": "agent_id: desk\nversion: 1.2.3\ntools: [{name: web}]\n" +
			"auth: {providers: [{type: static_token}]}\n",
		"crew/agent.md":         "---\ndescription: Answers.\n---\n",
		"s/a/SKILL.md":          "---\nname: a\ndescription: Does some work.\n---\n",
		"s/internal-b/SKILL.md": "---\nname: internal-b\ndescription: Does some work.\n---\n",
		"s/web/SKILL.md":        "---\nname: web\ndescription: From a skill.\ntags: [web]\n---\n",
	}
	rules := []diag.RuleID{
		diag.SourceUnreadable, diag.SourceInvalid, diag.SourceIDCollision, diag.SourceEmpty, diag.AuthProvider,
		diag.SkillTagsMissing,
	}
	for name, tt := range map[string]struct {
		p     project
		agent string
		found []string
		want  map[string]string
	}{
		"no forge.yaml": {p: project{"f/x": ""}, agent: endpoint + forge, found: []string{
			"cardwright.yaml:7:41 error source-unreadable",
		}},
		"no file": {agent: mcp, found: []string{"cardwright.yaml:7:39 error source-unreadable"}},
		"a directory": {p: project{"t/x": ""}, agent: mcp, found: []string{
			"cardwright.yaml:7:39 error source-unreadable",
		}},
		"too large": {p: project{"t": strings.Repeat(" ", 1<<20+1)}, agent: mcp, found: []string{"t error source-invalid"}},
		"empty":     {p: project{"t": ""}, agent: mcp, found: []string{"t:1:1 error source-invalid"}},
		"nothing in it": {p: project{"t": `{"tools": []}`}, agent: mcp, found: []string{
			"cardwright.yaml:7:39 warning source-empty",
		}},
		"the first of an id": {
			p:     project{"t": `[{"name": "a", "description": "First."}, {"name": "a", "description": "Second."}]`},
			agent: mcp, found: []string{"t:1:51 warning source-id-collision"},
			want: map[string]string{"/skills/0/description": `"First."`, "/skills/2": "absent"},
		},
		"the card of a source": {p: desk, agent: forge, want: map[string]string{
			"/name": `"desk"`, "/version": `"1.2.3"`, "/url": `"https://desk.example"`, "/protocolVersion": `"0.3.0"`,
			"/security": `[ { "static_token": [] } ]`,
		}},
		"the configuration wins": {
			p: desk, agent: "name: Incident Desk\nversion: 2.0.0\nsecurity: []\n" + forge,
			found: []string{"f/forge.yaml:4:27 info auth-provider"},
			want: map[string]string{
				"/name": `"Incident Desk"`, "/version": `"2.0.0"`, "/security": "absent", "/securitySchemes": "absent",
			},
		},
		"auth without providers opens nothing": {p: desk, agent: "auth: {providers: []}\n" + forge, want: map[string]string{
			"/security": `[ { "static_token": [] } ]`,
		}},
		"authentication of the first source": {
			p: desk,
			agent: "name: Desk\nskills: {from: [{type: fast-agent, path: crew, bearer: true}, {type: forge, path: f}], " +
				add + "}\n",
			found: []string{"f/forge.yaml:4:27 warning auth-provider"},
			want:  map[string]string{"/securityRequirements/0/schemes/hf_bearer": `{ "list": [] }`},
		},
		"the first source of an id": {
			p: desk, agent: "security: []\nskills: {from: [{type: skills, path: s/web}, {type: forge, path: f}]}\n",
			found: []string{"f/forge.yaml:3:16 warning source-id-collision", "f/forge.yaml:4:27 info auth-provider"},
			want:  map[string]string{"/skills/0/description": `"From a skill."`},
		},
		"nothing about what is left out": {
			p: desk, agent: endpoint + "skills: {from: [{type: skills, path: s}], exclude: [internal-*]}\n",
			found: []string{"s/a/SKILL.md:2:7 warning skill-tags-missing"},
			want:  map[string]string{"/skills/0/id": `"a"`, "/skills/1/id": `"web"`, "/skills/2": "absent"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			card, found := tt.p.run(t, tt.agent)
			if d := cmp.Diff(tt.found, places(found, rules...)); d != "" {
				t.Errorf("findings (-want +got):\n%s\n%s", d, strings.Join(shown(found), "\n"))
			}
			want(t, card, tt.want)
		})
	}
}

func treeAt(fsys fs.FS, root string) mapping.Tree {
	return mapping.Tree{FS: fsys, Root: root, Show: func(name string) string { return name }}
}

// shown returns findings, one a line, in their order, as place, severity, rule
// and message.
func shown(found diag.List) []string {
	var out []string
	for _, d := range found.Sorted() {
		out = append(out, fmt.Sprintf("%s %s %s: %s", d.Span, d.Severity, d.Rule, d.Message))
	}
	return out
}

// A URL that a source brings is not published with a credential in its query, and no finding
// prints it.
func TestCredentialsInURLs(t *testing.T) {
	const secret = "Zk3vN8qTw5LrYb2HdUxC7sPfMj9Ae4Gt"
	const query = "https://acme.example/x?api_key=" + secret
	card := func(member string) string {
		return `{"name": "A", "description": "Does things for people.", "version": "1.0.0", "capabilities": {}, ` +
			`"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [` +
			`{"id": "a", "name": "A", "description": "Does it.", "tags": ["a"]}], ` + member + `}`
	}
	const whole = "{type: card, path: s/f.json, whole: true}"
	for _, tt := range []struct {
		from, file, text string
		rule             diag.RuleID
	}{
		{"{type: plugin, path: s}", "s/plugin.json", `{"homepage": "` + query + `"}`, diag.SecretValue},
		{"{type: plugin, path: s}", "s/plugin.json", `{"author": {"name": "A", "url": "` + query + `"}}`, diag.SecretValue},
		{"{type: package, path: s}", "s/package.json", `{"homepage": "` + query + `"}`, diag.SecretValue},
		{"{type: package, path: s}", "s/Cargo.toml", "[package]\nhomepage = \"" + query + "\"\n", diag.SecretValue},
		{
			"{type: forge, path: s}", "s/forge.yaml",
			"tools: [{name: b}]\nauth: {providers: [{type: oidc, settings: {issuer: '" + query + "'}}]}", diag.AuthProvider,
		},
		{whole, "s/f.json", card(`"documentationUrl": "` + query + `"`), diag.SecretValue},
		{whole, "s/f.json", card(`"iconUrl": "` + query + `"`), diag.SecretValue},
		{whole, "s/f.json", card(`"provider": {"organization": "A", "url": "` + query + `"}`), diag.SecretValue},
		{whole, "s/f.json", card(`"supportedInterfaces": [{"url": "` + query +
			`", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]`), diag.InterfaceCredentials},
		{whole, "s/f.json", card(`"securitySchemes": {"o": {"openIdConnectSecurityScheme": {"openIdConnectUrl": "` + query +
			`"}}}`), diag.SecretValue},
	} {
		agent := "name: A\nversion: 1.0.0\n" +
			"skills: {from: [" + tt.from + "], add: [{id: x, name: X, description: Does x., tags: [x]}]}\n"
		if tt.rule != diag.InterfaceCredentials {
			agent += "interfaces: [{url: https://a.acme.example/a}]\n"
		}
		_, found := project{tt.file: tt.text}.run(t, agent)
		named := false
		for _, d := range found {
			named = named || d.Rule == tt.rule && d.Severity == diag.Error && d.Span.File == tt.file
			if strings.Contains(d.Message+d.Hint, secret[:8]) {
				t.Errorf("%s prints the secret: %s", d.Rule, d.Message)
			}
		}
		if !named {
			t.Errorf("%s: %s is not found in\n%s", tt.from, tt.text, strings.Join(shown(found), "\n"))
		}
	}
}
