package trials

import (
	stdcmp "cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/report"
)

// onCards is where a skill is to be seen.
type onCards int

const (
	onAll onCards = iota
	onExtended
	onNone
)

const selectionConfig = `version: 1
baseUrl: https://agents.acme.example
publisher: acme.example
catalog: true
html: true
agentSkills: ["*"]
servers: [nginx, apache, htaccess, caddy, s3, cloudflare, netlify, vercel, github-pages]
defaults:
  description: Books meeting rooms and equipment in every office.
  version: 1.0.0
  capabilities: {streaming: true}
  securitySchemes: {key: {type: apiKey, in: header, name: X-API-Key}}
  security: [{key: []}]
  skills:
    from:
      - {type: skills, path: skills}
      - {type: skills, path: flat, flat: true}
      - {type: plugin, path: plugin}
      - {type: package, path: .}
      - {type: mcp, path: mcp/tools.json}
      - {type: packs, path: packs}
      - {type: fast-agent, path: crew}
      - {type: forge, path: forge}
      - {type: card, path: old.json}
      - {type: card, path: new.json, whole: true}
    exclude: ["internal-*"]
    extended: ["deploy-*"]
    publishSchemas: true
    overlay: {OVERLAY}
    add: [ADD]
agents:
  - {id: new, name: New Desk, interfaces: [{url: /new, versions: ["1.0"]}]}
  - {id: old, name: Old Desk, interfaces: [{url: /old, versions: ["0.3"]}]}
  - {id: dual, name: Dual Desk, interfaces: [{url: /dual, versions: ["1.0", "0.3"]}]}
  - {id: split, name: Split Desk, interfaces: [{url: /split, versions: ["1.0", "0.3"]}], legacyPath: split}
  - {id: some, name: Some Desk, interfaces: [{url: /some}], skills: {include: ["OPEN_*"]}}
`

// means are the ways to keep a skill of any source from cards: a name that the lists match,
// or what its header has.
var means = []struct {
	name, header string
	want         onCards
}{
	{"internal-%s", "", onNone},
	{"INTERNAL_B_%s", "", onNone},
	{"deploy-%s", "", onExtended},
	{"Deploy_C_%s", "", onExtended},
	{"over-%s", "", onNone},       // overlay says hidden
	{"closed-%s", "", onExtended}, // overlay says extended
	{"hidden-%s", "hidden", onNone},
	{"held-%s", "extended", onExtended},
	{"open-%s", "", onAll},
	{"shown-%s", "public", onAll},
}

// markedSkill is a SKILL.md with a text wherever a card or a list could take one from.
const markedSkill = "---\nname: NAME\ndescription: Does MARK for people who ask for it.\nkeywords: [MARK]\n" +
	"examples: [Do MARK now, Do MARK twice]\nHEADER\n---\nThe body has MARK.\n"

const markedEntry = `{"id": "NAME", "name": "Some name",
 "description": "Does MARK at once for people.", "tags": ["MARK"]}`

// kinds are all that a skill can be written as: a file of its own, or an entry of a list.
var kinds = []struct {
	name       string
	headless   bool // it cannot say how visible it is
	file, text string
}{
	{"skill", false, "skills/of/NAME/SKILL.md", markedSkill},
	{"flat", false, "flat/NAME.md", markedSkill},
	{"plugin", false, "plugin/skills/NAME/SKILL.md", markedSkill},
	{"subagent", false, "plugin/agents/NAME.md", markedSkill},
	{
		"tool", false, "mcp/tools.json", `{"name": "NAME", "a2a-visibility": "VISIBILITY",
 "description": "Does MARK at once for people.", "inputSchema": {"type": "object", "properties": {"MARK": {}}}}`,
	},
	{"slash", true, "mcp/tools.json", `{"name": "NAME/all",
 "description": "Does MARK at once for people."}`}, // the line of the name stands in findings
	{
		"pack", false, "packs/NAME/helmdeck-pack.yaml",
		"name: NAME\nversion: v1\ndescription: Does MARK at once for people.\ntags: [MARK]\nHEADER\n",
	},
	{"agent", false, "crew/NAME.md", strings.Replace(markedSkill, "HEADER", "type: agent\nHEADER", 1)},
	{"card", false, "crew/NAME.yaml", "type: agent\nname: NAME\ndescription: Does MARK at once for people.\nHEADER\n"},
	{
		"forge", false, "forge/skills/NAME.md",
		strings.Replace(markedSkill, "HEADER", "metadata: {a2a: {visibility: VISIBILITY}}", 1),
	},
	{"deep", false, "forge/skills/NAME/SKILL.md", markedSkill},
	{"action", false, "forge/forge.yaml", "{name: NAME, a2a-visibility: VISIBILITY}"},
	{"old", true, "old.json", markedEntry},
	{"new", true, "new.json", markedEntry},
	{"added", true, "add", markedEntry},
}

// filled is a text of the tables for one skill.
func filled(text, name, visibility, m string) string {
	header := ""
	if visibility != "" {
		header = "metadata: {a2a-visibility: " + visibility + "}"
	}
	return strings.NewReplacer("NAME", name, "MARK", m, "HEADER", header, "VISIBILITY",
		stdcmp.Or(visibility, "public")).Replace(text)
}

// What the configuration or a header keeps from a card is in no public file and no report,
// however it is spelled, whatever kind of source it comes from, and whatever is published.
func TestSelection(t *testing.T) {
	marks, included, lists := map[string]onCards{}, map[string]bool{}, map[string][]string{}
	files := map[string]string{
		"plugin/.claude-plugin/plugin.json": `{"name": "mail", "description": "Reads letters.", "version": "1.0.0"}`,
		"package.json":                      `{"name": "desk", "description": "Is a package.", "version": "3.0.0"}`,
	}
	mark := func(want onCards) string {
		m := fmt.Sprintf("mark%03dx", len(marks))
		marks[m] = want
		return m
	}
	for _, kind := range kinds {
		for _, way := range means {
			if kind.headless && way.header != "" {
				continue
			}
			name, m := strings.ReplaceAll(way.name, "%s", kind.name), mark(way.want)
			included[m] = strings.HasPrefix(name, "open-")
			file, text := filled(kind.file, name, "", ""), filled(kind.text, name, way.header, m)
			lists[file] = append(lists[file], text)
			if kind.name == "skill" {
				files[path.Dir(file)+"/notes.txt"] = m
			}
			var over []string
			if kind.name == "action" {
				over = append(over, "description: Does "+m+" at once for people.")
			}
			if prefix, _, _ := strings.Cut(name, "-"); overlaid[prefix] != "" {
				over = append(over, "visibility: "+overlaid[prefix])
			}
			if kind.name == "slash" {
				name += "/all"
			}
			lists["overlay"] = append(lists["overlay"], name+": {"+strings.Join(over, ", ")+"}")
		}
	}
	for name, texts := range lists {
		files[name] = listHeads[name] + strings.Join(texts, ",\n")
		if listHeads[name] != "" {
			files[name] += "]}"
		}
	}
	files["forge/forge.yaml"] = "agent_id: watch\nversion: 1.0.0\ntools: [" + files["forge/forge.yaml"] + "]\n"
	config := strings.NewReplacer("OVERLAY", files["overlay"], "ADD", files["add"])
	files["cardwright.yaml"] = config.Replace(selectionConfig)
	delete(files, "overlay")
	delete(files, "add")
	p := &project{beside: files, config: "cardwright.yaml"}
	space := t.TempDir()
	tr := &trial{T: t, project: p, dir: filepath.Join(space, "project"), space: space}
	for name, content := range files {
		fixture.Write(t, tr.dir, name, content)
	}

	talk := tr.talk(filepath.Join(space, "audit.jsonl"))
	public, extended := read(t, tr.dir, "dist", "dist.server"), read(t, tr.dir, "private")
	all, everything := 0, public.all(t)
	texts := map[string]string{ // that show every public skill
		"the page": public["dist/index.html"].data,
	}
	for _, agent := range []string{"new", "old", "dual", "split"} {
		for _, name := range []string{"agent-card.json", "agent.json"} {
			texts[agent+"/"+name] = public["dist/"+agent+"/.well-known/"+name].data
		}
	}
	for m, want := range marks {
		if want == onAll {
			all++
		} else {
			tr.seen("a public file", m, everything, false)
			tr.seen("a report or a log", m, talk, false)
		}
		tr.seen("the card of some", m, public["dist/some/.well-known/agent-card.json"].data, included[m])
		for where, text := range texts {
			tr.seen(where, m, text, want == onAll)
		}
		for name, f := range extended {
			if path.Base(name) == "extended-agent-card.json" && path.Base(path.Dir(name)) != "some" {
				tr.seen(name, m, f.data, want != onNone)
			}
		}
	}
	if n := strings.Count(talk, fmt.Sprintf(`"skill_count":%d,`, all)); n != 5 { // split has two cards
		t.Errorf("%d lines of the audit log count %d skills", n, all)
	}
	for _, name := range []string{"open-skill", "open-plugin", "open-deep"} {
		if !strings.Contains(everything, "dist/.well-known/agent-skills/"+name) {
			t.Errorf("%s is not published with its files", name)
		}
	}
	if !strings.Contains(public["dist/.well-known/ai-catalog.json"].data, "/split/.well-known/agent-card.json") {
		t.Error("there is no catalog")
	}
}

// overlaid are the visibilities that the overlay gives, by the begin of a name.
var overlaid = map[string]string{"over": "hidden", "closed": "extended"}

// talk makes the trees and returns all that is printed and reported: by generate, lint and
// diff in every format, and in the audit log.
func (t *trial) talk(audit string) string {
	t.Helper()
	fixture.Write(t.T, t.dir, "before.json", strings.ReplaceAll(beforeSelection, "'", `"`))
	var talk strings.Builder
	for _, args := range [][]string{
		{"generate", "--private-out", "private", "--all", "--audit", audit},
		{"generate", "--private-out", "private", "--all", "--format", "github"},
		{"lint", "--all"},
		{"diff", "before.json", "dist/new/.well-known/agent-card.json", "--fail-on", "none"},
	} {
		formats := report.FileFormats()
		if args[0] == "diff" {
			formats = []string{"json", "markdown", "github"}
		}
		for _, format := range formats {
			args = append(args, "--report", format+"="+filepath.Join(t.space, args[0]+"."+format))
		}
		r := t.in(t.dir, args...)
		t.good(r)
		talk.WriteString(r.out + r.err)
	}
	logs, err := filepath.Glob(filepath.Join(t.space, "*.*"))
	if err != nil || len(logs) != 1+2*len(report.FileFormats())+3 {
		t.Fatalf("the logs and reports are %q: %v", logs, err)
	}
	for _, name := range logs {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		talk.Write(data)
	}
	return talk.String()
}

// listHeads begin the files of lists.
var listHeads = map[string]string{
	"mcp/tools.json": `{"tools": [`,
	"old.json": `{"protocolVersion": "0.3.0", "name": "Old Desk", "description": "Was the desk before.",
 "url": "https://old.acme.example/a2a", "version": "0.9.0", "capabilities": {},
 "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [`,
	"new.json": `{"name": "New Desk", "description": "Is the desk by now.", "version": "1.0.0",
 "supportedInterfaces": [{"url": "https://x.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
 "capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [`,
}

// beforeSelection is a card with nothing of the project.
const beforeSelection = `{'name': 'Room Desk', 'description': 'Books rooms.', 'version': '0.9.0',
 'supportedInterfaces': [{'url': 'https://agents.acme.example/a2a',
    'protocolBinding': 'JSONRPC', 'protocolVersion': '1.0'}],
 'capabilities': {}, 'defaultInputModes': ['text/plain'], 'defaultOutputModes': ['text/plain'],
 'skills': [{'id': 'old', 'name': 'Old', 'description': 'Does old things.', 'tags': ['old']}]}
`

// seen fails unless a text has a mark as it should.
func (t *trial) seen(where, m, text string, want bool) {
	t.Helper()
	if at := strings.Index(text, m); (at >= 0) != want {
		from := max(0, at-300)
		t.Errorf("%s has %s: %t, want %t: %q", where, m, !want, want, text[from:min(len(text), from+500)])
	}
}

// all returns the files with their names, and those in archives.
func (f tree) all(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f)) {
		for part, data := range unpacked(t, name, f[name].data) {
			all.WriteString(part + "\n" + data + "\n")
		}
	}
	return all.String()
}
