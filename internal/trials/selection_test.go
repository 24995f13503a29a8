package trials

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
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
agents:
  - id: desk
    name: Room Desk
    description: Books meeting rooms and equipment in every office.
    version: 1.0.0
    capabilities: {streaming: true}
    interfaces: [{url: /a2a, versions: ["1.0", "0.3"]}]
    securitySchemes: {key: {type: apiKey, in: header, name: X-API-Key}}
    security: [{key: []}]
    skills:
      from:
        - {type: skills, path: skills}
        - {type: plugin, path: plugin}
        - {type: mcp, path: mcp/tools.json}
        - {type: packs, path: packs}
        - {type: fast-agent, path: crew}
        - {type: forge, path: forge}
        - {type: card, path: old/agent.json}
      exclude: ["internal-*", deploy-internal, STRAßE, kelvin, finder, "CAFÉ", listed]
      extended: ["deploy-*", "admin*", listed]
      overlay: {opened: {visibility: public}, closed: {visibility: extended}, dropped: {visibility: hidden}}
      publishSchemas: true
`

// What the configuration or a header keeps from a card is in no public file and no report,
// however it is spelled and whatever source it comes from.
func TestSelection(t *testing.T) {
	marks := map[string]onCards{}
	mark := func(want onCards) string {
		m := fmt.Sprintf("mark%02dx", len(marks))
		marks[m] = want
		return m
	}
	files := map[string]string{"cardwright.yaml": selectionConfig}
	for _, s := range selected {
		m := mark(s.want)
		files["skills/"+s.dir+"/SKILL.md"] = markedSkill(s.name, s.header, m)
		files["skills/"+s.dir+"/notes.txt"] = m
	}
	maps.Copy(files, selectedElsewhere(mark))
	p := &project{beside: files, config: "cardwright.yaml"}
	space := t.TempDir()
	tr := &trial{T: t, project: p, dir: filepath.Join(space, "project"), space: space}
	for name, content := range files {
		tr.write(name, content)
	}

	talk := tr.talk(filepath.Join(space, "audit.jsonl"))
	public := read(t, tr.dir, "dist", "dist.server")
	extended := read(t, tr.dir, "private")
	for m, want := range marks {
		tr.seen("the public card", m, public["dist/.well-known/agent-card.json"].data, want == onAll)
		tr.seen("the extended card", m, extended.all(t), want != onNone)
		if want == onAll {
			continue
		}
		tr.seen("a public file", m, public.all(t), false)
		tr.seen("a report or a log", m, talk, false)
	}
	for _, name := range []string{"index.html", ".well-known/agent.json", ".well-known/ai-catalog.json"} {
		if _, has := public["dist/"+name]; !has {
			t.Errorf("there is no %s", name)
		}
	}
	if !strings.Contains(public.all(t), "dist/.well-known/agent-skills/p1") {
		t.Error("no skill is published with its files")
	}
	all := 0
	for _, want := range marks {
		if want == onAll {
			all++
		}
	}
	if !strings.Contains(talk, fmt.Sprintf(`"skill_count":%d,`, all)) {
		t.Errorf("the audit log does not count %d skills", all)
	}
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

// selectedElsewhere are sources of the other types.
func selectedElsewhere(mark func(onCards) string) map[string]string {
	tool := func(name string, want onCards) string {
		m := mark(want)
		return fmt.Sprintf(`{"name": %q,
 "description": "Does %s at once for people who ask.", "inputSchema": {"type": "object",`+
			` "properties": {%q: {"type": "string", "description": "Of %s."}}}}`, name, m, m, m)
	}
	pack := func(name, more string, want onCards) string {
		m := mark(want)
		return "name: " + name + "\nversion: v1\n" +
			"description: Does " + m + " at once for people who ask.\ntags: [" + m + "]\n" + more + "\n"
	}
	agent := func(name, more string, want onCards) string {
		return "---\ntype: agent\nname: " + name + "\n" +
			"description: Does " + mark(want) + " at once for people who ask.\n" + more + "\n---\n"
	}
	return map[string]string{
		"plugin/.claude-plugin/plugin.json": `{"name": "mail", "description": "Reads and sorts letters.", ` +
			`"version": "1.0.0"}`,
		"plugin/skills/internal-mail/SKILL.md": markedSkill("mail", "", mark(onNone)),
		"plugin/skills/letters/SKILL.md":       markedSkill("letters", "metadata: {a2a-visibility: hidden}", mark(onNone)),
		"plugin/skills/parcels/SKILL.md":       markedSkill("parcels", "", mark(onAll)),
		"mcp/tools.json": `{"tools": [` + strings.Join([]string{
			tool("admin/delete", onExtended), tool("admin/users/list", onExtended), tool("Deploy_tool", onExtended),
			tool("internal-tool", onNone), tool("Internal_Other", onNone), tool("find_room", onAll),
		}, ",\n") + `]}`,
		"packs/a/helmdeck-pack.yaml": pack("internal-pack", "", onNone),
		"packs/b/helmdeck-pack.yaml": pack("web.scrape", "a2a-visibility: hidden", onNone),
		"packs/c/helmdeck-pack.yaml": pack("Deploy_pack", "", onExtended),
		"packs/d/helmdeck-pack.yaml": pack("doc.ocr", "", onAll),
		"crew/a.md":                  agent("internal crew", "", onNone),
		"crew/b.md":                  agent("officer", "metadata: {a2a-visibility: hidden}", onNone),
		"crew/c.md":                  agent("deploy crew", "", onExtended),
		"crew/d.md":                  agent("librarian", "", onAll),
		"forge/forge.yaml":           "agent_id: watch\nversion: 1.0.0\n",
		"forge/skills/pods.md":       markedSkill("internal-pods", "metadata: {a2a: {id: pods}}", mark(onNone)),
		"forge/skills/nodes.md":      markedSkill("nodes", "metadata: {a2a: {visibility: extended}}", mark(onExtended)),
		"forge/skills/jobs.md":       markedSkill("jobs", "", mark(onAll)),
		"old/agent.json": `{"protocolVersion": "0.3.0", "name": "Old Desk", "description": "Was the desk before.",` +
			` "url": "https://old.acme.example/a2a", "version": "0.9.0", "capabilities": {},` +
			` "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [` +
			`{"id": "internal_card", "name": "C",
 "description": "Does ` + mark(onNone) + ` at once for people who ask.", "tags": ["c"]},` +
			`{"id": "membership", "name": "M",
 "description": "Does ` + mark(onAll) + ` at once for people who ask.", "tags": ["m"]}]}`,
	}
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
		add(t.in(t.dir, "diff", "before.json", "dist", "--fail-on", "none", "--format", format))
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
