package trials

import (
	stdcmp "cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/report"
)

// onCards is where a skill is to be seen.
type onCards int

const (
	onAll onCards = iota
	onExtended
	onNone
)

// selected are skills by how the header, or the lists of selectionConfig, keep them from
// cards.
var selected = []struct {
	dir, name, header string
	want              onCards
}{
	// What the lists match.
	{"internal-rates", "internal-rates", "metadata: {a2a-id: rates}", onNone},
	{"internal-fees", "fees", "", onNone},
	{"costs", "internal-costs", "metadata: {a2a-id: costs, a2a-name: Costs}", onNone},
	{"prices", "Internal Prices", "metadata: {a2a-id: prices}", onNone},
	{"sums", "INTERNAL_SUMS", "", onNone},
	{"internal_totals", "totals", "metadata: {a2a: {id: totals}}", onNone},
	{"loans", "ｉｎｔｅｒｎａｌ－loans", "metadata: {a2a-id: loans}", onNone},
	{"lower", "Deploy-a", "", onExtended},
	{"snake", "deploy_b", "", onExtended},
	{"wide", "ｄｅｐｌｏｙ-c", "", onExtended},
	{"deploy-d", "rollout", "", onExtended},
	{"slashed", "ship", "metadata: {a2a-id: deploy-x/y/z}", onExtended},
	{"street", "STRAẞE", "", onNone},
	{"kelvin", "\u212Aelvin", "", onNone},
	{"finder", "ﬁnder", "", onNone},
	{"cafe", "cafe\u0301", "", onNone},
	{"twofold", "deploy-internal", "", onNone},
	{"listed", "listed", "metadata: {a2a-visibility: public}", onNone},
	{"opened", "opened", "metadata: {a2a-visibility: hidden}", onNone}, // overlay says public
	{"closed", "closed", "", onExtended},                               // overlay says extended
	{"dropped", "dropped", "", onNone},                                 // overlay says hidden

	// What headers say.
	{"h1", "h1", "metadata: {a2a-visibility: hidden}", onNone},
	{"h2", "h2", "metadata: {a2a: {visibility: hidden}}", onNone},
	{"h3", "h3", "a2a-visibility: hidden", onNone},
	{"h4", "h4", `metadata: '{"a2a-visibility": "hidden"}'`, onNone},
	{"h5", "h5", "metadata: {a2a-exclude: true}", onNone},
	{"h6", "h6", "metadata: {a2a-skip: true}", onNone},
	{"h7", "h7", "metadata: {a2a-hidden: yes}", onNone},
	{"h8", "h8", "a2a-private: on", onNone},
	{"h9", "h9", "metadata: {a2a: {internal: team}}", onNone},
	{"h10", "h10", "metadata: {a2aVisibility: hidden}", onNone},
	{"h11", "h11", "metadata: {a2a_visibility: extended}", onNone},
	{"h12", "h12", "metadata: {A2A-VISIBILITY: public}", onNone},
	{"h13", "h13", "metadata: {a2a-visiblty: hidden}", onNone},
	{"h14", "h14", "metadata: {a2a-visibility: Hidden}", onNone},
	{"h15", "h15", "metadata: {a2a-visibility: private}", onNone},
	{"h16", "h16", "metadata: {a2a-visibility: }", onNone},
	{"h17", "h17", "metadata: {a2a-visibility: [extended]}", onNone},
	{"h18", "h18", "metadata: {a2a-visibility: public, a2a: {visibility: hidden}}", onNone},
	{"h19", "h19", "title: Use when: asked\nmetadata: {a2a-visibility: hidden}", onNone},
	{"h20", "h20", "metadata:\r\n  a2a-visibility: hidden\r", onNone},
	{"x1", "x1", "metadata: {a2a-visibility: extended}", onExtended},
	{"x2", "x2", "metadata: {a2a: {visibility: extended}}", onExtended},
	{"x3", "x3", "a2a-visibility: extended", onExtended},
	{"x4", "x4", "metadata: {a2a-visibility: extended}\na2a-visibility: public", onExtended},

	// What is nearly one of these.
	{"internal", "internal", "", onAll},
	{"redeploy-a", "redeploy-a", "", onAll},
	{"p1", "p1", "metadata: {a2a-hidden: false}", onAll},
	{"p2", "p2", "metadata: {visibility: hidden}", onAll},
	{"p3", "p3", "visibility: private\nhidden: true", onAll},
	{"p4", "p4", "metadata: {a2a-visibility: public}", onAll},
}

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
    exclude: ["internal-*", deploy-internal, STRAßE, kelvin, finder, "CAFÉ", listed]
    extended: ["deploy-*", "admin*", listed]
    publishSchemas: true
    overlay: {opened: {visibility: public}, closed: {visibility: extended}, dropped: {visibility: hidden}, OVERLAY}
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

// kinds are all that a skill can be written as. Each writes one of a name, with a visibility
// in its header, and a mark wherever a card or a list could take a text from.
var kinds = []struct {
	name     string
	headless bool // it cannot say how visible it is
	write    func(files map[string]string, name, visibility, m string)
}{
	{"skill", false, func(files map[string]string, name, visibility, m string) {
		files["skills/of/"+name+"/SKILL.md"] = markedSkill(name, flatHeader(visibility), m)
		files["skills/of/"+name+"/notes.txt"] = m
	}},
	{"flat", false, func(files map[string]string, name, visibility, m string) {
		files["flat/"+name+".md"] = markedSkill(name, flatHeader(visibility), m)
	}},
	{"plugin", false, func(files map[string]string, name, visibility, m string) {
		files["plugin/skills/"+name+"/SKILL.md"] = markedSkill(name, flatHeader(visibility), m)
	}},
	{"subagent", false, func(files map[string]string, name, visibility, m string) {
		files["plugin/agents/"+name+".md"] = markedSkill(name, flatHeader(visibility), m)
	}},
	{"tool", false, func(files map[string]string, name, visibility, m string) {
		listed(files, "mcp/tools.json", `{"tools": [`, fmt.Sprintf(`{"name": %q, "a2a-visibility": %q,
 `+
			`"description": "Does %s at once for people.", "inputSchema": {"type": "object", "properties": {%q: {}}}}`,
			name, stdcmp.Or(visibility, "public"), m, m))
	}},
	{"slash", true, func(files map[string]string, name, _, m string) {
		listed(files, "mcp/tools.json", `{"tools": [`, fmt.Sprintf(
			`{"name": %q,
 "description": "Does %s at once for people."}`, name+"/all", m))
	}},
	{"pack", false, func(files map[string]string, name, visibility, m string) {
		files["packs/"+name+"/helmdeck-pack.yaml"] = markedPack(name, visibility, m)
	}},
	{"agent", false, func(files map[string]string, name, visibility, m string) {
		files["crew/"+name+".md"] = markedSkill(name, "type: agent\n"+flatHeader(visibility), m)
	}},
	{"card", false, func(files map[string]string, name, visibility, m string) {
		files["crew/"+name+".yaml"] = "type: agent\nname: " + name + "\ndescription: Does " + m + " at once for people.\n" +
			flatHeader(visibility)
	}},
	{"forge", false, func(files map[string]string, name, visibility, m string) {
		files["forge/skills/"+name+".md"] = markedSkill(name, "metadata: {a2a: {visibility: "+
			stdcmp.Or(visibility, "public")+"}}", m)
	}},
	{"deep", false, func(files map[string]string, name, visibility, m string) {
		files["forge/skills/"+name+"/SKILL.md"] = markedSkill(name, flatHeader(visibility), m)
	}},
	{"action", false, func(files map[string]string, name, visibility, m string) {
		listed(files, "forge/forge.yaml", "\n", fmt.Sprintf("  - {name: %s, a2a-visibility: %s}", name,
			stdcmp.Or(visibility, "public")))
		files["overlay"] += fmt.Sprintf(", %s: {description: Does %s at once for people.%s}", name, m, overlaid(name))
	}},
	{"old", true, func(files map[string]string, name, _, m string) {
		listed(files, "old.json", legacyDesk, markedEntry(name, m))
	}},
	{"new", true, func(files map[string]string, name, _, m string) {
		listed(files, "new.json", currentDesk, markedEntry(name, m))
	}},
	{"added", true, func(files map[string]string, name, _, m string) {
		listed(files, "add", "", markedEntry(name, m))
	}},
}

// What the configuration or a header keeps from a card is in no public file and no report,
// however it is spelled, whatever kind of source it comes from, and whatever is published.
func TestSelection(t *testing.T) {
	marks, included, files := map[string]onCards{}, map[string]bool{}, map[string]string{}
	mark := func(want onCards) string {
		m := fmt.Sprintf("mark%03dx", len(marks))
		marks[m] = want
		return m
	}
	for _, s := range selected {
		m := mark(s.want)
		files["skills/"+s.dir+"/SKILL.md"] = markedSkill(s.name, s.header, m)
		files["skills/"+s.dir+"/notes.txt"] = m
	}
	files["plugin/.claude-plugin/plugin.json"] = `{"name": "mail", "description": "Reads letters.", "version": "1.0.0"}`
	files["package.json"] = `{"name": "desk", "description": "Is a package.", "version": "3.0.0"}`
	for _, kind := range kinds {
		for _, way := range means {
			if kind.headless && way.header != "" {
				continue
			}
			name := strings.ReplaceAll(way.name, "%s", kind.name)
			if kind.name != "action" { // which has a text by its overlay
				files["overlay"] += overlay(name, kind.name)
			}
			m := mark(way.want)
			included[m] = strings.HasPrefix(name, "open-")
			kind.write(files, name, way.header, m)
		}
	}
	files["mcp/tools.json"] += "]}"
	files["old.json"] += "]}"
	files["new.json"] += "]}"
	files["forge/forge.yaml"] = "agent_id: watch\nversion: 1.0.0\ntools:\n" +
		strings.ReplaceAll(files["forge/forge.yaml"], "},\n", "}\n")
	files["cardwright.yaml"] = strings.NewReplacer(", OVERLAY", files["overlay"], "ADD",
		files["add"]).Replace(selectionConfig)
	delete(files, "overlay")
	delete(files, "add")
	p := &project{beside: files, config: "cardwright.yaml"}
	space := t.TempDir()
	tr := &trial{T: t, project: p, dir: filepath.Join(space, "project"), space: space}
	for name, content := range files {
		tr.write(name, content)
	}

	talk := tr.talk(filepath.Join(space, "audit.jsonl"))
	public, extended := read(t, tr.dir, "dist", "dist.server"), read(t, tr.dir, "private")
	all := 0
	texts := map[string]string{ // that show every public skill
		"the page": public["dist/index.html"].data,
	}
	for _, agent := range []string{"new", "old", "dual", "split"} {
		for _, name := range []string{"agent-card.json", "agent.json"} {
			texts[agent+"/"+name] = public["dist/"+agent+"/.well-known/"+name].data
		}
	}
	tr.good(tr.in(tr.dir, "key", "new", "-o", "key.jwk"))
	for _, agent := range []string{"new", "old", "split"} {
		r := tr.in(tr.dir, "sign", "--print-input", "--key", "file:key.jwk", "dist/"+agent+"/.well-known/agent-card.json")
		tr.good(r)
		_, payload, _ := strings.Cut(strings.TrimSpace(r.out), ".")
		text, err := base64.RawURLEncoding.DecodeString(payload)
		if err != nil {
			t.Error(err)
		}
		texts["the text to sign of "+agent] = string(text)
	}
	for m, want := range marks {
		if want == onAll {
			all++
		} else {
			tr.seen("a public file", m, public.all(t), false)
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
	for _, name := range []string{"open-skill", "open-plugin", "open-deep", "p1"} {
		if !strings.Contains(public.all(t), "dist/.well-known/agent-skills/"+name) {
			t.Errorf("%s is not published with its files", name)
		}
	}
	if !strings.Contains(public["dist/.well-known/ai-catalog.json"].data, "/split/.well-known/agent-card.json") {
		t.Error("there is no catalog")
	}
}

// overlay is the overlay of a skill by its name: none for most of them.
func overlay(name, kind string) string {
	if kind == "slash" {
		name += "/all"
	}
	if over := overlaid(name); over != "" {
		return ", " + name + ": {" + strings.TrimPrefix(over, ", ") + "}"
	}
	return ""
}

func overlaid(name string) string {
	switch {
	case strings.HasPrefix(name, "over-"):
		return ", visibility: hidden"
	case strings.HasPrefix(name, "closed-"):
		return ", visibility: extended"
	}
	return ""
}

// listed appends an entry to a list in a file, which begins with a head.
func listed(files map[string]string, name, head, entry string) {
	if files[name] == "" {
		files[name] = head + entry
	} else {
		files[name] += ",\n" + entry
	}
}

func flatHeader(visibility string) string {
	if visibility == "" {
		return ""
	}
	return "metadata: {a2a-visibility: " + visibility + "}\n"
}

func markedPack(name, visibility, m string) string {
	return "name: " + name + "\nversion: v1\ndescription: Does " + m + " at once for people.\ntags: [" + m + "]\n" +
		flatHeader(visibility)
}

func markedEntry(name, m string) string {
	return fmt.Sprintf(`{"id": %q, "name": "Some name",
 "description": "Does %s at once for people.", "tags": [%q]}`, name, m, m)
}

// A skill is published however many private ones share its file, its directory and its
// description.
func TestSelectionNextToPrivate(t *testing.T) {
	const says = "Finds a free room for people who ask for one."
	var tools []string
	for i := range 17 {
		tools = append(tools, fmt.Sprintf(
			`{"name": "internal_%d", "description": %q, "inputSchema": {"type": "object"}}`, i, says))
	}
	tools = append(tools, fmt.Sprintf(`{"name": "find_room", "description": %q, "inputSchema": {"type": "object"}}`, says))
	skill := func(name, more string) string {
		return "---\nname: " + name + "\ndescription: " + says + "\n" + more + "---\n"
	}
	const hide, hideAsForge = "metadata: {a2a-visibility: hidden}\n", "metadata: {a2a: {visibility: hidden}}\n"
	files := map[string]string{
		"mcp/tools.json": `{"tools": [` + strings.Join(tools, ",\n") + `]}`,
		"flat/open.md":   skill("open", ""), "flat/shut.md": skill("shut", hide), "flat/late.md": skill("internal-late", ""),
		"crew/guide.md": skill("guide", "type: agent\n"), "crew/guard.md": skill("guard", "type: agent\n"+hide),
	}
	config := `version: 1
baseUrl: https://agents.acme.example
defaults: {version: 1.0.0}
agents:
  - id: desk
    name: Room Desk
    description: Books meeting rooms and equipment in every office.
    interfaces: [{url: /a2a}]
    skills:
      from: [{type: mcp, path: mcp/tools.json}, {type: skills, path: flat, flat: true}, {type: fast-agent, path: crew}]
      exclude: ["internal-*"]
`
	want := map[string][]string{"desk": {"find_room", "guide", "open"}}
	for i := range 6 {
		id := fmt.Sprintf("forge-%d", i)
		config += "  - {id: " + id + ", name: F, " +
			"description: Answers people who ask for rooms., interfaces: [{url: /" + id + "}]," +
			" skills: {from: [{type: forge, path: " + id + "}], exclude: [\"internal-*\"]}}\n"
		files[id+"/forge.yaml"] = "agent_id: " + id + "\nversion: 1.0.0\ntools: [{name: internal_search}, {name: search}]\n"
		files[id+"/skills/open.md"] = skill("open", "")
		files[id+"/skills/shut.md"] = skill("shut", hideAsForge)
		files[id+"/skills/late/SKILL.md"] = skill("internal-late", "")
		want[id] = []string{"open", "search"}
	}
	files["cardwright.yaml"] = config
	space := t.TempDir()
	tr := &trial{T: t, project: &project{}, dir: filepath.Join(space, "project"), space: space}
	for name, content := range files {
		tr.write(name, content)
	}
	tr.good(tr.in(tr.dir, "generate"))
	for id, ids := range want {
		data, err := os.ReadFile(filepath.Join(tr.dir, "dist", id, ".well-known", "agent-card.json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var card struct{ Skills []struct{ ID string } }
		if err := json.Unmarshal(data, &card); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range card.Skills {
			got = append(got, s.ID)
		}
		if d := cmp.Diff(ids, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", id, d)
		}
	}
}

// markedSkill is a SKILL.md with a text wherever a card or a list could take one from.
func markedSkill(name, header, m string) string {
	return "---\nname: " + name + "\ndescription: Does " + m + " for people who ask for it.\nkeywords: [" + m + "]\n" +
		"examples: [Do " + m + " now, Do " + m + " twice]\n" + header + "\n---\nThe body has " + m + ".\n"
}

// write puts a file into the project.
func (t *trial) write(name, content string) {
	t.Helper()
	file := filepath.Join(t.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// talk makes the trees and returns all that is printed and reported: by generate, lint and
// diff in every format, and in the audit log.
func (t *trial) talk(audit string) string {
	t.Helper()
	args := []string{"generate", "--private-out", "private", "--all", "--audit", audit}
	for _, format := range report.FileFormats() {
		args = append(args, "--report", format+"="+filepath.Join(t.space, "all."+format+".txt"))
	}
	var talk strings.Builder
	add := func(r result) {
		t.good(r)
		talk.WriteString(r.out + r.err)
	}
	add(t.in(t.dir, args...))
	for _, format := range []string{"text", "json", "sarif", "github"} {
		add(t.in(t.dir, "generate", "--private-out", "private", "--all", "--format", format))
		add(t.in(t.dir, "lint", "--all", "--format", format))
	}
	t.write("before.json", strings.ReplaceAll(beforeSelection, "'", `"`))
	for _, format := range []string{"text", "json", "markdown", "github"} {
		add(t.in(t.dir, "diff", "before.json", "dist/new/.well-known/agent-card.json", "--fail-on", "none",
			"--format", format))
	}
	logs, err := filepath.Glob(filepath.Join(t.space, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range logs {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		talk.Write(data)
	}
	if n := len(logs); n < 1+len(report.FileFormats()) {
		t.Errorf("there are only %d logs and reports: %q", n, logs)
	}
	return talk.String()
}

const (
	legacyDesk = `{"protocolVersion": "0.3.0", "name": "Old Desk", "description": "Was the desk before.",
 "url": "https://old.acme.example/a2a", "version": "0.9.0", "capabilities": {},
 "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [`
	currentDesk = `{"name": "New Desk", "description": "Is the desk by now.", "version": "1.0.0",
 "supportedInterfaces": [{"url": "https://x.acme.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
 "capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [`
)

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
