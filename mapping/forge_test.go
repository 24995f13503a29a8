package mapping

import (
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/diag"
)

func TestForge(t *testing.T) {
	g := forge(yaml(t, `agent_id: incident-desk
version: 0.4.2
tools:
  - {name: web_search, type: builtin}
  - {type: builtin}
auth:
  providers:
    - {type: oidc, name: staff, settings: {issuer: "https://id.example/"}}
    - {type: kerberos}
`))
	const want = "5:5 warning source-name-missing, 9:14 warning auth-provider"
	c := g.CardPart.Card
	if got := ruled(g.Found); got != want || c.Name != "incident-desk" || c.Version != "0.4.2" || len(g.Skills) != 1 {
		t.Errorf("got %+v, %s", g, got)
	}
	for pointer, place := range map[string]string{
		"/name": "f:1:11", "/version": "f:2:10", "/security/0": "f:8:26",
		"/securitySchemes/staff": "f:8:26", "/defaultInputModes": "f:1:1",
	} {
		if got := g.CardPart.PlacesOf(pointer)[0].Span.String(); got != place {
			t.Errorf("place of %s is %s, want %s", pointer, got, place)
		}
	}
}

func TestForgeSkill(t *testing.T) {
	for _, tt := range []struct{ header, want, drops string }{
		{
			"name: k8s_triage\nicon: x\ncategory: SRE\ntags: [Kubernetes, sre, on-call]\n" +
				"description: ' Finds causes. '\nmetadata: {forge: {egress_domains: [a.internal], denied_tools: [http_request]}}",
			"k8s_triage|k8s_triage|Finds causes.|sre,kubernetes,on-call", "",
		},
		{"name: a\nmetadata:", "a|a", ""},
		{"name: Deploy Prod\ndescription: d", "Deploy Prod|Deploy Prod|d", ""},
		{
			"name: a\ndescription: d\ntags: [x]\n" +
				"metadata: {a2a: {id: b, name: B, description: D, tags: [Y z], examples: ['Do it']}}",
			"b|B|D|Y z|Do it", "",
		},
		{"name: a\nmetadata: {author: x}", "a|a", `metadata "author" is a string, not a map`},
		{"name: a\nmetadata: [x]", "a|a", "metadata is an array"},
		{"name: a\ntags: [data science]", "a|a||data science", `the tag "data science" is not in kebab case`},
		{"name: a\ncategory: R&D", "a|a||r&d", `the tag "R&D" is not in kebab case`},
		{"name: a\ntags: x, y", "a|a||x,y", "tags is a string, not a list"},
		{"name: a\ndescription: [x]", "a|a", "description is an array"},
		{"description: d", "pdf|pdf|d", "it has no name"},
	} {
		header := parse(t, tt.header)
		drops := forgeDrops(header, Match{Flat: true}, []byte("---\n"+tt.header+"\n---\n"), false)
		s, _ := forgeSkill(header, file, drops, false)
		if got := brief(s.Skill); got != tt.want || drops != tt.drops {
			t.Errorf("%q: got %s, %s, want %s, %s", tt.header, got, drops, tt.want, tt.drops)
		}
		if s.Placeholder != "The "+s.ID+" skill." || s.Fallback != (len(s.Tags) == 0) {
			t.Errorf("placeholder %q, fallback %t", s.Placeholder, s.Fallback)
		}
	}
}

// Forge drops some files for what is around their header.
func TestForgeDrops(t *testing.T) {
	const header, drops = "---\nname: a\n---\n", "Forge itself leaves this skill out: "
	const cut = "Forge itself reads only part of the header of this skill: its lines end in CRLF"
	for text, want := range map[string]string{
		header:                      "",
		"\ufeff" + header:           drops + "the file begins with a byte order mark",
		"---\nname: a: b\n---\n":    drops + "the header is not valid YAML",
		"---\r\nname: a\r\n---\r\n": cut,
		header + "\r\n":             "",
		"---\nname: a\ntags: [x y]\r\n---\nb\r\n": cut,
	} {
		fsys := fstest.MapFS{"SKILL.md": {Data: []byte(text)}, "skill.MD": {Data: []byte(text)}}
		for name, want := range map[string]string{
			"SKILL.md": want,
			"skill.MD": drops + "the file is not called SKILL.md, in capitals",
		} {
			s, dropped, found := new(Reader).readForgeSkill(treeAt(fsys, "."), Match{Path: name, Name: name})
			got := ""
			for _, d := range found {
				if d.Rule == diag.SourceForgeDrops {
					got = d.Message
				}
			}
			if s == nil || got != want || dropped != strings.Contains(want, "leaves") {
				t.Errorf("%s of %q: drops %t, got %q, want %q", name, text[:min(len(text), 40)], dropped, got, want)
			}
		}
	}
}
