package mapping

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/schema"
)

func TestForge(t *testing.T) {
	g := forge(yaml(t, `agent_id: incident-desk
version: 0.4.2
framework: forge
model: {provider: openai, name: gpt-4o}
tools:
  - {name: web_search, type: builtin}
  - {name: cli_execute, config: {env_passthrough: [GITHUB_TOKEN]}}
  - {type: builtin}
egress: {allowed_domains: [wttr.in]}
skills: {path: desk.md}
auth:
  providers:
    - {type: oidc, name: staff, settings: {issuer: "https://id.example/"}}
    - {type: kerberos}
`))
	if d := cmp.Diff(schema.Card{
		Name:        "incident-desk",
		Version:     "0.4.2",
		InputModes:  []string{"text/plain", "application/json"},
		OutputModes: []string{"text/plain", "application/json"},
		SecuritySchemes: map[string]schema.SecurityScheme{"staff": {
			Type:             schema.OpenIDConnect,
			OpenIDConnectURL: "https://id.example/.well-known/openid-configuration",
			Description:      "Token of an OpenID Connect provider, as a bearer token in the Authorization header.",
		}},
		Security: []schema.Requirement{{"staff": {}}},
	}, g.CardPart.Card); d != "" {
		t.Errorf("card (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]schema.Skill{
		{ID: "web_search", Name: "web_search", Tags: []string{"tool"}},
		{ID: "cli_execute", Name: "cli_execute", Tags: []string{"tool"}},
	}, bare(g.Skills)); d != "" {
		t.Errorf("tools (-want +got):\n%s", d)
	}
	const want = "8:5 warning source-name-missing: the tool has no name, so it is left out of the card\n" +
		"14:14 warning auth-provider: unknown type of auth provider \"kerberos\"\n"
	if got := shown(g.Found); got != want {
		t.Errorf("found\n%s", got)
	}
	for pointer, place := range map[string]string{
		"/name": "f:1:11", "/version": "f:2:10", "/security/0": "f:13:26",
		"/securitySchemes/staff": "f:13:26", "/defaultInputModes": "f:1:1",
	} {
		places := g.CardPart.PlacesOf(pointer)
		if got := places[0].Span.String(); got != place {
			t.Errorf("place of %s is %s, want %s", pointer, got, place)
		}
	}
}

func TestForgeSkill(t *testing.T) {
	const none = ""
	for _, tt := range []struct {
		header string
		want   schema.Skill
		drops  string
	}{
		{
			"name: k8s_triage\nicon: x\ncategory: SRE\ntags: [Kubernetes, sre, on-call]\n" +
				"description: ' Finds causes. '\nmetadata: {forge: {egress_domains: [a.internal], denied_tools: [http_request]}}",
			schema.Skill{
				ID: "k8s_triage", Name: "k8s_triage", Description: "Finds causes.",
				Tags: []string{"sre", "kubernetes", "on-call"},
			},
			none,
		},
		{"name: a\nmetadata:", schema.Skill{ID: "a", Name: "a"}, none},
		{"name: Deploy Prod\ndescription: d", schema.Skill{ID: "Deploy Prod", Name: "Deploy Prod", Description: "d"}, none},
		{
			"name: a\ndescription: d\ntags: [x]\n" +
				"metadata: {a2a: {id: b, name: B, description: D, tags: [Y z], examples: ['Do it']}}",
			schema.Skill{ID: "b", Name: "B", Description: "D", Tags: []string{"Y z"}, Examples: []string{"Do it"}},
			none,
		},
		{
			"name: a\nmetadata: {author: x}",
			schema.Skill{ID: "a", Name: "a"},
			`metadata "author" is a string, not a map`,
		},
		{"name: a\nmetadata: [x]", schema.Skill{ID: "a", Name: "a"}, "metadata is an array"},
		{
			"name: a\ntags: [data science]",
			schema.Skill{ID: "a", Name: "a", Tags: []string{"data science"}},
			`the tag "data science" is not in kebab case`,
		},
		{
			"name: a\ncategory: R&D",
			schema.Skill{ID: "a", Name: "a", Tags: []string{"r&d"}},
			`the tag "R&D" is not in kebab case`,
		},
		{
			"name: a\ntags: x, y",
			schema.Skill{ID: "a", Name: "a", Tags: []string{"x", "y"}},
			"tags is a string, not a list",
		},
		{"name: a\ndescription: [x]", schema.Skill{ID: "a", Name: "a"}, "description is an array"},
		{"description: d", schema.Skill{ID: "pdf", Name: "pdf", Description: "d"}, "it has no name"},
	} {
		header := parse(t, tt.header)
		drops := forgeDrops(header, Match{Flat: true}, []byte("---\n"+tt.header+"\n---\n"), false)
		s, _ := forgeSkill(header, file, drops, false)
		if d := cmp.Diff(tt.want, s.Skill); d != "" || drops != tt.drops {
			t.Errorf("%q: %s (-want +got):\n%s", tt.header, drops, d)
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
