package generate

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
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
		Open:   func(name string, _ diag.Span) (mapping.Tree, error) { return treeAt(fsys, name), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return result, found
}

// lines returns the findings that a source is behind: all but findings of rules
// about how useful a card is.
func lines(found diag.List) []string {
	var out []string
	for _, line := range shown(found) {
		if strings.Contains(line, "broken") { // in the words of another package
			head, said, _ := strings.Cut(line, ": ")
			_, outcome, _ := strings.Cut(said, "; ")
			line = head + ": " + outcome
		}
		if strings.Contains(line, " source-") || strings.Contains(line, " error ") || strings.Contains(line, "stopgap") {
			out = append(out, line)
		}
	}
	return out
}

// ids returns the ids of the skills on a card, in its order.
func ids(card *source.Node) []string {
	var out []string
	for _, s := range card.Get("skills").Items {
		out = append(out, s.Get("id").Text)
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

func TestForgeProject(t *testing.T) {
	p := project{
		"f/forge.yaml": `agent_id: desk
version: 1.2.3
tools: [{name: web_search}, {name: triage}]
egress: {allowed_domains: [secret-host.internal]}
auth: {providers: [{type: static_token, settings: {token_env: DESK_TOKEN}}, {type: gcp_iap, name: iap}]}
`,
		"f/skills/triage.md": "---\nname: triage\ndescription: Loses against the tool.\n---\n",
		"f/skills/weather.md": "---\nname: weather\ndescription: Says the weather.\ncategory: Utilities\n" +
			"tags: [forecast]\n---\n",
		"f/skills/README.md":        "# Skills\n",
		"f/skills/deep/SKILL.md":    "---\nname: deep\ndescription: In a directory.\n---\n",
		"f/skills/deep/x/SKILL.md":  "---\nname: deeper\ndescription: Forge does not look here.\n---\n",
		"f/skills/dos/SKILL.md":     "---\r\nname: dos\r\ndescription: Has other line ends.\r\n---\r\n",
		"f/skills/bom/SKILL.md":     "\ufeff---\nname: bom\ndescription: Begins with a mark.\n---\n",
		"f/skills/weather/SKILL.md": "---\nname: weather\ndescription: Second of its name.\n---\n",
		"f/SKILL.md":                "---\nname: desk\ndescription: 'The main skill: all of it.'\n---\n",
	}
	const from = "skills: {from: [{type: forge, path: f}]}\n"
	t.Run("what Forge publishes wins", func(t *testing.T) {
		p := project{
			"f/forge.yaml":        "agent_id: desk\n",
			"f/skills/a/SKILL.md": "---\nname: same\ndescription: Dropped.\nmetadata: {author: x}\n---\n",
			"f/skills/b/SKILL.md": "---\nname: same\ndescription: Published.\n---\n",
		}
		card, _ := p.run(t, "interfaces: [{url: https://desk.example/}]\n"+from)
		want(t, card, map[string]string{"/skills/0/description": `"Published."`})
	})
	t.Run("what only forge build knows", func(t *testing.T) {
		p := project{
			"f/forge.yaml": "agent_id: desk\nframework: crewai\ntools: [{name: search}]\n",
			"f/.forge-output/agent.json": `{"agent_id": "desk", "description": "Answers the desk.", ` +
				`"tools": [{"name": "search", "description": "Finds papers."}, {"name": "Stapler"}, {}], ` +
				`"a2a": {"skills": [{"id": "old"}], "capabilities": {"streaming": true, "pushNotifications": false}}}`,
		}
		const config = "interfaces: [{url: https://desk.example/}]\nskills: {from: [{type: forge, path: f%s}]}\n"
		card, found := p.run(t, fmt.Sprintf(config, ", built: true"))
		want(t, card, map[string]string{
			"/skills/0/id":          `"Stapler"`,
			"/skills/0/description": `"The Stapler tool."`,
			"/skills/1/description": `"Finds papers."`,
			"/skills/2":             "absent",
			"/capabilities":         `{ "streaming": true, "pushNotifications": false }`,
		})
		if d := cmp.Diff([]string{
			`f/.forge-output/agent.json:1:129 warning source-description-missing: ` +
				`"Stapler" has no description and is published with "The Stapler tool."`,
			`f/.forge-output/agent.json:1:141 warning source-name-missing: the tool has no name, so it is left out of the card`,
		}, lines(found)); d != "" {
			t.Errorf("findings (-want +got):\n%s", d)
		}
		_, found = p.run(t, fmt.Sprintf(config, ""))
		if d := cmp.Diff([]string{
			`f/forge.yaml:2:12 warning source-incomplete: only forge build can read the tools and the description ` +
				`of a CrewAI project, so they are left out of the card`,
			`f/forge.yaml:3:16 warning source-description-missing: ` +
				`"search" has no description and is published with "The search tool."`,
		}, lines(found)); d != "" {
			t.Errorf("findings (-want +got):\n%s", d)
		}
		delete(p, "f/.forge-output/agent.json")
		_, found = p.run(t, fmt.Sprintf(config, ", built: true"))
		if got := strings.Join(lines(found), "\n"); !strings.Contains(got, ".forge-output/agent.json: ") ||
			!strings.Contains(got, " error ") {
			t.Errorf("found %s", got)
		}
	})
	t.Run("as Forge has it", func(t *testing.T) {
		card, found := p.run(t, "interfaces: [{url: https://desk.example/}]\n"+from)
		want(t, card, map[string]string{
			"/name":               `"desk"`,
			"/version":            `"1.2.3"`,
			"/protocolVersion":    `"0.3.0"`,
			"/preferredTransport": `"JSONRPC"`,
			"/capabilities":       `{ "streaming": false }`,
			"/defaultInputModes":  `[ "text/plain", "application/json" ]`,
			"/security":           `[ { "static_token": [] }, { "iap": [] } ]`,
			"/skills/3/tags":      `[ "skill" ]`,
			"/skills/4":           `{ "id": "triage", "name": "triage", "description": "The triage tool.", "tags": [ "tool" ] }`,
			"/skills/5": `{ "id": "weather", "name": "weather", "description": "Says the weather.", ` +
				`"tags": [ "utilities", "forecast" ] }`,
		})
		if d := cmp.Diff([]string{"bom", "deep", "desk", "dos", "triage", "weather", "web_search"}, ids(card)); d != "" {
			t.Errorf("ids (-want +got):\n%s", d)
		}
		wanted := []string{
			`f/forge.yaml:3:16 warning source-description-missing: ` +
				`2 skills have no description and are published with one such as "The triage tool."`,
			`f/skills/bom/SKILL.md:2:7 info source-forge-drops: Forge itself leaves this skill out: ` +
				`the file begins with a byte order mark`,
			`f/skills/dos/SKILL.md:2:7 info source-forge-drops: Forge itself reads only part of the header of this skill: ` +
				`its lines end in CRLF`,
			`f/skills/triage.md:2:7 info source-id-collision: the id "triage" belongs to "f/forge.yaml", ` +
				`so this skill is left out of the card`,
			`f/skills/weather/SKILL.md:2:7 info source-id-collision: the id "weather" belongs to "f/skills/weather.md", ` +
				`so this skill is left out of the card`,
		}
		if d := cmp.Diff(wanted, lines(found)); d != "" {
			t.Errorf("findings (-want +got):\n%s", d)
		}
		for _, private := range []string{"internal", "DESK_TOKEN", "egress"} {
			if strings.Contains(string(schema.Write(card)), private) {
				t.Errorf("the card holds %q", private)
			}
		}
	})
	t.Run("overridden", func(t *testing.T) {
		card, _ := p.run(t, "name: Incident Desk\nversion: 2.0.0\ndefaultOutputModes: [text/markdown]\nsecurity: []\n"+
			"interfaces: [{url: https://desk.example/, versions: ['1.0', '0.3']}]\n"+from)
		want(t, card, map[string]string{
			"/name":                                  `"Incident Desk"`,
			"/version":                               `"2.0.0"`,
			"/defaultInputModes":                     `[ "text/plain", "application/json" ]`,
			"/defaultOutputModes":                    `[ "text/markdown" ]`,
			"/security":                              "absent",
			"/securitySchemes":                       "absent",
			"/supportedInterfaces/0/protocolVersion": `"1.0"`,
			"/supportedInterfaces/1/protocolVersion": `"0.3"`,
		})
	})
	t.Run("authentication that the configuration displaces", func(t *testing.T) {
		for name, own := range map[string]string{
			"auth":            "auth: {providers: [{type: static_token}]}\n",
			"securitySchemes": "securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}\nsecurity: [{key: []}]\n",
			"security":        "security: []\n",
		} {
			_, found := p.run(t, own+"interfaces: [{url: https://desk.example/}]\n"+from)
			const want = "f/forge.yaml:5:27 info auth-provider: the authentication of this source is left out of the card: " +
				"the configuration defines its own"
			if !slices.Contains(shown(found), want) {
				t.Errorf("%s: found %s", name, strings.Join(shown(found), "\n"))
			}
		}
		for _, own := range []string{"", "auth: {}\n", "auth: {providers: []}\n"} { // the agent stays protected
			card, _ := p.run(t, own+"interfaces: [{url: https://desk.example/}]\n"+from)
			if card.Get("security") == nil {
				t.Errorf("%q opens the agent", own)
			}
		}
		_, found := p.run(t, "interfaces: [{url: https://desk.example/}]\n"+from)
		if got := strings.Join(shown(found), "\n"); strings.Contains(got, "auth-provider") {
			t.Errorf("nothing displaces it: found %s", got)
		}
	})
	t.Run("URL from baseUrl", func(t *testing.T) {
		p["baseUrl"] = "https://desk.example/"
		card, _ := p.run(t, from)
		want(t, card, map[string]string{"/url": `"https://desk.example"`, "/protocolVersion": `"0.3.0"`})
	})
	t.Run("path of forge.yaml itself", func(t *testing.T) {
		card, _ := p.run(t, "skills: {from: [{type: forge, path: f/forge.yaml}], exclude: ['*e*']}\n")
		if d := cmp.Diff([]string{"bom", "dos"}, ids(card)); d != "" {
			t.Errorf("ids (-want +got):\n%s", d)
		}
	})
}

// Findings about missing members do not count skills that are left out of the card.
func TestNothingAboutLeftOut(t *testing.T) {
	const skill = "---\nname: %s\ndescription: Does some work.\n---\n"
	p := project{"s/a/SKILL.md": fmt.Sprintf(skill, "a"), "s/internal-b/SKILL.md": fmt.Sprintf(skill, "internal-b")}
	_, found := p.run(t, "interfaces: [{url: https://desk.example/}]\n"+
		"skills: {from: [{type: skills, path: s}], exclude: [internal-*]}\n")
	for _, line := range shown(found) {
		if strings.Contains(line, "skill-tags-missing") && !strings.HasPrefix(line, "s/a/SKILL.md:2:7 ") ||
			strings.Contains(line, "2 skills have no tags") {
			t.Error(line)
		}
	}
}

func TestForgeFaults(t *testing.T) {
	const agent = "interfaces: [{url: https://desk.example/}]\n" +
		"skills: {from: [{type: forge, path: f}], add: [{id: x, name: X, description: Does something else., tags: [x]}]}\n"
	for _, tt := range []struct {
		name string
		p    project
		want []string
	}{
		{
			"none",
			project{"f/x": ""},
			[]string{
				`cardwright.yaml:6:41 error source-unreadable: the source "f" cannot be read: forge.yaml: ` +
					`no such file or directory`,
			},
		},
		{
			"a list",
			project{"f/forge.yaml": "- a"},
			[]string{"f/forge.yaml:1:1 error source-invalid: forge.yaml is not a map of keys"},
		},
		{
			"a path that leads out",
			project{"f/forge.yaml": "agent_id: a\nskills: {path: ../../etc/passwd}"},
			[]string{"f/forge.yaml:2:16 warning source-unreadable: skills.path cannot be read: it is outside the project"},
		},
		{
			"an absolute path",
			project{"f/forge.yaml": "agent_id: a\nskills: {path: /etc/passwd}"},
			[]string{"f/forge.yaml:2:16 warning source-unreadable: skills.path cannot be read: it is outside the project"},
		},
		{
			"a path that is missing",
			project{"f/forge.yaml": "agent_id: a\nskills: {path: desk.md}"},
			[]string{"f/forge.yaml:2:16 warning source-unreadable: skills.path cannot be read: no such file or directory"},
		},
		{
			"too large",
			project{"f/forge.yaml": "# " + strings.Repeat("x", 1<<20)},
			[]string{"f/forge.yaml error source-invalid: the file has more than 1048576 bytes, the limit for a source"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, found := tt.p.run(t, agent)
			var got []string
			for _, line := range lines(found) {
				if !strings.Contains(line, "config-value") && !strings.Contains(line, "card-") {
					got = append(got, line)
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestFastAgentDirectory(t *testing.T) {
	p := project{
		"baseUrl":             "https://agents.example",
		"c/researcher.md":     "---\nname: researcher\ndescription: Finds sources.\n---\nYou are a researcher.\n",
		"c/travel desk.yaml":  "type: router\nagents: [researcher]\n",
		"c/partner.yml":       "type: a2a\nname: partner\nurl: https://partner.example\n",
		"c/README.md":         "# Agents\n",
		"c/toml.md":           "\n+++\ntype = \"basic\"\n+++\nYou help.\n",
		"c/SKILL.md":          "---\nname: x\ndescription: y\n---\n",
		"c/fastagent.yaml":    "mcp: {servers: {}}\n",
		"c/broken.yaml":       "name: [\n",
		"c/more/SKILL.md":     "---\nname: deeper\ndescription: Not searched.\n---\n",
		"c/more/assistant.md": "---\nname: deeper\n---\n",
	}
	const from = "skills: {from: [{type: fast-agent, path: c, bearer: true}]}\n"
	t.Run("with what it brings", func(t *testing.T) {
		card, found := p.run(t, "name: Desk\n"+from)
		want(t, card, map[string]string{
			"/supportedInterfaces": `[ ` +
				`{ "url": "https://agents.example/a2a/jsonrpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" }, ` +
				`{ "url": "https://agents.example/a2a/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0" } ]`,
			"/capabilities":      `{ "streaming": true, "pushNotifications": false }`,
			"/defaultInputModes": `[ "text/plain", "application/json", "application/octet-stream", "image/*" ]`,
			"/securitySchemes/hf_bearer/httpAuthSecurityScheme/bearerFormat": `"HF_TOKEN"`,
			"/securityRequirements": `[ { "schemes": { "hf_bearer": { "list": [] } } } ]`,
			"/skills": `[ { "id": "researcher", "name": "researcher", "description": "Finds sources.", ` +
				`"tags": [ "fast-agent", "basic" ], ` +
				`"securityRequirements": [ { "schemes": { "hf_bearer": { "list": [] } } } ] }, ` +
				`{ "id": "travel_desk", "name": "travel_desk", ` +
				`"description": "Send a message to the travel_desk fast-agent agent.", "tags": [ "fast-agent", "router" ], ` +
				`"securityRequirements": [ { "schemes": { "hf_bearer": { "list": [] } } } ] } ]`,
		})
		wanted := []string{
			"c/SKILL.md:1:1 info source-excluded: the file is ignored: it is a skill, not an agent",
			"c/broken.yaml:1:7 warning source-invalid: the file is left out of the card",
			"c/fastagent.yaml:1:1 info source-excluded: the file is ignored: it describes no agent",
			"c/partner.yml:1:7 info source-excluded: the agent is left out of the card: it is remote and has its own card",
			"c/toml.md:1:1 warning source-frontmatter-missing: the header is TOML, which is not supported, " +
				"so this agent is left out of the card",
			`c/travel desk.yaml:1:1 warning source-description-missing: ` +
				`"travel_desk" has no description and is published with "Send a message to the travel_desk fast-agent agent."`,
		}
		if d := cmp.Diff(wanted, lines(found)); d != "" {
			t.Errorf("findings (-want +got):\n%s", d)
		}
	})
	t.Run("without authentication", func(t *testing.T) {
		card, _ := p.run(t, "name: Desk\nsecurity: []\ncapabilities: {streaming: false}\n"+from)
		want(t, card, map[string]string{
			"/securitySchemes": "absent", "/securityRequirements": "absent",
			"/capabilities": `{ "streaming": false, "pushNotifications": false }`,
		})
	})
	t.Run("no URL", func(t *testing.T) {
		delete(p, "baseUrl")
		_, found := p.run(t, "name: Desk\n"+from)
		for _, d := range found {
			if d.Rule == diag.InterfacePlaceholder && strings.HasPrefix(d.Hint, "set baseUrl") {
				return
			}
		}
		t.Errorf("got %s", shown(found))
	})
}

func TestPackSources(t *testing.T) {
	pack := func(name, version string) string {
		return fmt.Sprintf("name: %s\nversion: %s\ndescription: Packs %s.\ncategory: tools\n", name, version, version)
	}
	p := project{
		"m/index.yaml":                             "packs: [{name: web.scrape, version: v2}, cmd.run, gone.pack]\n",
		"m/packs/web.scrape/helmdeck-pack.yaml":    pack("web.scrape", "v2"),
		"m/packs/web.scrape/v1/helmdeck-pack.yml":  pack("web.scrape", "v1"),
		"m/packs/cmd.run/helmdeck-pack.json":       `{"name": "cmd.run", "version": "v1", "description": "Runs."}`,
		"m/packs/draft/helmdeck-pack.yaml":         pack("draft.pack", "v1"),
		"m/packs/node_modules/x/helmdeck-pack.yml": pack("not.there", "v1"),
		"m/bin/upper.helmdeck-pack.yaml":           pack("cmd.upper", "v0"),
		"m/bin/lower.helmdeck-pack.yaml":           pack("odd.name", "v1"),
		"m/bin/lower.sh":                           "#!/bin/sh\n",
		"m/packs/broken/helmdeck-pack.yaml":        "name: a: b\n",
		"m/packs/notes.yaml":                       "name: none\n",
	}
	t.Run("marketplace", func(t *testing.T) {
		card, found := p.run(t, endpoint+"skills: {from: [{type: packs, path: m}]}\n")
		want(t, card, map[string]string{
			"/skills/0/tags":        `[ "pack" ]`,
			"/skills/1/tags":        `[ "tools" ]`,
			"/skills/1/description": `"Packs v2."`,
			"/skills/1/inputModes":  `[ "application/json" ]`,
		})
		if d := cmp.Diff([]string{"cmd.run", "web.scrape"}, ids(card)); d != "" {
			t.Errorf("ids (-want +got):\n%s", d)
		}
		wanted := []string{
			`m/bin/lower.helmdeck-pack.yaml:1:7 info source-excluded: the pack "cmd.lower" is left out of the card: ` +
				`the index of the marketplace does not list it`,
			`m/bin/lower.helmdeck-pack.yaml:1:7 info source-incomplete: Helmdeck calls the pack "cmd.lower", as its program`,
			`m/bin/upper.helmdeck-pack.yaml warning source-incomplete: no program stands beside the manifest, ` +
				`so the pack is left out of the card`,
			`m/index.yaml:1:51 warning source-incomplete: the index lists the pack "gone.pack", which does not exist`,
			"m/packs/broken/helmdeck-pack.yaml:1:8 warning source-invalid: the file is left out of the card",
			`m/packs/draft/helmdeck-pack.yaml:1:7 info source-excluded: the pack "draft.pack" is left out of the card: ` +
				`the index of the marketplace does not list it`,
			`m/packs/web.scrape/v1/helmdeck-pack.yml:1:7 info source-excluded: ` +
				`version "v1" of the pack "web.scrape" is not the latest, which is "v2"`,
		}
		if d := cmp.Diff(wanted, lines(found)); d != "" {
			t.Errorf("findings (-want +got):\n%s", d)
		}
	})
	t.Run("one file", func(t *testing.T) {
		card, _ := p.run(t, endpoint+
			"skills: {from: [{type: packs, path: m/packs/cmd.run/helmdeck-pack.json}], defaultTags: [helm]}\n")
		want(t, card, map[string]string{"/skills/0/id": `"cmd.run"`, "/skills/0/tags": `[ "helm" ]`})
	})
	t.Run("a directory without index, partly excluded", func(t *testing.T) {
		card, found := p.run(t, endpoint+"skills: {from: [{type: packs, path: m/packs, exclude: [v1, broken]}]}\n")
		if d := cmp.Diff([]string{"cmd.run", "draft.pack", "web.scrape"}, ids(card)); d != "" || len(lines(found)) != 2 {
			t.Errorf("%s\nids (-want +got):\n%s", strings.Join(lines(found), "\n"), d)
		}
	})
}

func TestMCPSources(t *testing.T) {
	const agent = endpoint +
		"skills: {from: [{type: mcp, path: t}], add: [{id: x, name: X, description: Does something else., tags: [x]}]}\n"
	for _, tt := range []struct {
		name string
		p    project
		want []string
	}{
		{
			"missing",
			project{},
			[]string{`cardwright.yaml:7:39 error source-unreadable: the source "t" cannot be read: no such file or directory`},
		},
		{
			"directory",
			project{"t/x": ""},
			[]string{`cardwright.yaml:7:39 error source-unreadable: the source "t" cannot be read: it is a directory`},
		},
		{
			"too large",
			project{"t": strings.Repeat(" ", 1<<20+1)},
			[]string{"t error source-invalid: the file has more than 1048576 bytes, the limit for a source"},
		},
		{
			"empty",
			project{"t": ""},
			[]string{
				"t:1:1 error source-invalid: the file holds no list of tools, must be {\"tools\": […]}, " +
					"the JSON-RPC response around it, or the array itself",
			},
		},
		{
			"twice",
			project{"t": `[{"name": "a", "description": "Does a."}, {"name": "a", "description": "Does b."}]`},
			[]string{
				`t:1:52 warning source-id-collision: the id "a" belongs to "t", so this skill is left out of the card`,
			},
		},
		{
			"no tools",
			project{"t": "{\"tools\": []}"},
			[]string{`cardwright.yaml:7:39 warning source-empty: no skill was found in "t"`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, found := tt.p.run(t, agent)
			if d := cmp.Diff(tt.want, lines(found)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestSourcesMix(t *testing.T) {
	p := project{
		"s/weather/SKILL.md": "---\nname: weather\ndescription: From a skill.\ntags: [a]\n---\n",
		"tools.json": `[{"name": "weather", "description": "From a tool."}, ` +
			`{"name": "time", "description": "Says the time."}]`,
		"packs/helmdeck-pack.json": `{"name": "web.scrape", "description": "Scrapes."}`,
		"old/agent.json": "\ufeff" +
			`{"name": "Old", "url": "https://old.example", "skills": [{"id": "time", "name": "Time", ` +
			`"description": "Said the time.", "tags": ["b"]}, {"id": "chat", "name": "Chat", "description": "Chats.", ` +
			`"tags": ["b"],},]}`,
		"desk/forge.yaml":           "agent_id: desk\ntools: [{name: web_search}]\n",
		"team/.fast-agent/agent.md": "---\ndescription: Answers.\n---\n",
	}
	card, found := p.run(t, endpoint+`skills:
  from:
    - {type: skills, path: s}
    - {type: mcp, path: tools.json}
    - {type: packs, path: packs}
    - {type: card, path: old/agent.json}
    - {type: forge, path: desk}
    - {type: fast-agent, path: team/.fast-agent}
  overlay: {web_search: {description: Searches the web.}}
`)
	if d := cmp.Diff([]string{"agent", "chat", "time", "weather", "web.scrape", "web_search"}, ids(card)); d != "" {
		t.Errorf("ids (-want +got):\n%s", d)
	}
	want(t, card, map[string]string{
		"/name": `"A"`, "/skills/3/description": `"From a skill."`,
		"/skills/2/description": `"Says the time."`, "/skills/5/description": `"Searches the web."`,
		"/url": `"https://a.example/a2a"`,
	})
	var collisions []string
	for _, line := range lines(found) {
		if strings.Contains(line, "collision") {
			collisions = append(collisions, line)
		}
	}
	wanted := []string{
		`old/agent.json:1:65 warning source-id-collision: the id "time" belongs to "tools.json", ` +
			`so this skill is left out of the card`,
		`tools.json:1:11 warning source-id-collision: the id "weather" belongs to "s/weather/SKILL.md", ` +
			`so this skill is left out of the card`,
	}
	if d := cmp.Diff(wanted, collisions); d != "" {
		t.Errorf("collisions (-want +got):\n%s", d)
	}
}

// TestAuthenticationOfTwoSources says that the second does not reach the card.
func TestAuthenticationOfTwoSources(t *testing.T) {
	p := project{
		"baseUrl":         "https://desk.example",
		"desk/forge.yaml": "agent_id: desk\ntools: [{name: web_search}]\nauth: {providers: [{type: static_token}]}\n",
		"crew/agent.md":   "---\ndescription: Answers.\n---\n",
	}
	const from = "name: Desk\nskills: {from: [{type: fast-agent, path: crew, bearer: true}, {type: forge, path: desk}]}\n"
	const rule = "warning auth-provider: the authentication of this source is left out of the card: " +
		"an earlier source defines it"
	reports := func(agent string) bool {
		_, found := p.run(t, agent)
		return slices.ContainsFunc(shown(found), func(line string) bool { return line == "desk/forge.yaml:1:1 "+rule })
	}
	if !reports(from) {
		t.Error("nothing is said of the authentication of Forge")
	}
	if reports(from + "security: []\n") {
		t.Error("the configuration decides, and the source is warned of")
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

// Where two of a Forge project have one name, the card has the one that Forge serves, and an
// info names the other.
func TestForgeCollisions(t *testing.T) {
	skill := func(name, description string) string {
		return "---\nname: " + name + "\ndescription: " + description + "\n---\n"
	}
	for _, tt := range []struct{ id, winner, loser string }{
		{"search", "f/forge.yaml", "f/skills/search.md"},
		{"my", "f/skills/my.md", "f/skills/my/SKILL.md"},
		{"root", "f/skills/root/SKILL.md", "f/SKILL.md"},
		{"b", "f/skills/a/SKILL.md", "f/skills/b/SKILL.md"},
	} {
		p := project{"f/forge.yaml": "agent_id: a\nversion: 1.0.0\ntools: [{name: other}]\n"}
		p[tt.winner], p[tt.loser] = skill(tt.id, "Wins."), skill(tt.id, "Loses.")
		want := `"Wins."`
		if tt.winner == "f/forge.yaml" {
			p[tt.winner], want = "agent_id: a\nversion: 1.0.0\ntools: [{name: search}]\n", `"The search tool."`
		}
		card, found := p.run(t, endpoint+"skills: {from: [{type: forge, path: f}]}\n")
		var got string
		for _, s := range card.Get("skills").Elements() {
			if s.Get("id").Word() == tt.id {
				got += strconv.Quote(s.Get("description").Word())
			}
		}
		named := false
		for _, d := range found {
			named = named || d.Rule == diag.SourceIDCollision && d.Severity == diag.Info && d.Span.File == tt.loser
		}
		if got != want || !named {
			t.Errorf("%s has %s, want %s, named %t in\n%s", tt.id, got, want, named, strings.Join(shown(found), "\n"))
		}
	}
}
