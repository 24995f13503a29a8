package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diff"
)

// single lists changes that are one difference, which is reported by one rule, and by its
// mirror when it is taken back: the rule, the place, and what is there then.
func single() [][3]string {
	const key, flow = "/securitySchemes/key", "/securitySchemes/oauth/oauth2SecurityScheme/flows/authorizationCode"
	const requirement = `{"schemes": {"oauth": {"list": `
	return [][3]string{
		{"capability-gained", "/capabilities/pushNotifications", "true"},
		{"capability-lost", "/capabilities/streaming", "false"},
		{"capability-lost", "/capabilities/streaming", ""},
		{"capability-gained", "/capabilities/extendedAgentCard", "true"},
		{"capability-lost", "/capabilities/stateTransitionHistory", ""},
		{"description-changed", "/description", `"Explains all invoices."`},
		{"documentation-changed", "/documentationUrl", ""},
		{"extension-added", "/capabilities/extensions/-", `{"uri": "https://acme.example/ext/new"}`},
		{"extension-removed", "/capabilities/extensions/1", ""},
		{"extension-changed", "/capabilities/extensions/1/description", `"Traces."`},
		{"extension-changed", "/capabilities/extensions/0/params", ""},
		{"extension-required", "/capabilities/extensions/0/required", "true"},
		{"icon-changed", "/iconUrl", `"https://acme.example/i.svg"`},
		{"input-mode-added", "/defaultInputModes/-", `"text/html"`},
		{"input-mode-removed", "/defaultInputModes/1", ""},
		{"output-mode-added", "/defaultOutputModes/-", `"text/html"`},
		{"output-mode-removed", "/defaultOutputModes/1", ""},
		{"input-mode-added", "/skills/1/inputModes/-", `"text/html"`},
		{"input-mode-removed", "/skills/1/inputModes/1", ""},
		{"output-mode-removed", "/skills/1/outputModes", `["text/plain"]`},
		{"output-mode-added", "/skills/1/outputModes", `["text/plain", "application/json", "text/html"]`},
		{
			"interface-added", "/supportedInterfaces/-",
			`{"url": "https://acme.example/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"}`,
		},
		{
			"interface-added", "/supportedInterfaces/-",
			`{"url": "grpc.acme.example:443", "protocolBinding": "GRPC", "protocolVersion": "1.1", "tenant": "billing"}`,
		},
		{"interface-removed", "/supportedInterfaces/1", ""},
		{"interface-removed", "/supportedInterfaces/2", ""},
		{"interface-url-changed", "/supportedInterfaces/1/url", `"grpc2.acme.example:443"`},
		{"interface-url-changed", "/supportedInterfaces/1/tenant", `"accounts"`},
		{"name-changed", "/name", `"Invoices"`},
		{"form-changed", "/skills/0/tags", `["invoices", "billing"]`},
		{"form-changed", "/skills/0/examples", `["Fix 4712", "Fix 4711"]`},
		{"form-changed", "/defaultInputModes", `["application/json", "text/plain"]`},
		{"provider-changed", "/provider/organization", `"Acme Corp."`},
		{"requirement-loosened", "/securityRequirements/-", requirement + `["write"]}}}`},
		{"requirement-loosened", "/securityRequirements/1", requirement + `[]}}}`},
		{"requirement-dropped", "/securityRequirements/-", `{"schemes": {}}`},
		{"requirement-dropped", "/securityRequirements", ""},
		{"requirement-tightened", "/securityRequirements/1", ""},
		{"requirement-tightened", "/skills/1/securityRequirements", `[` + requirement + `["read", "write"]}}}]`},
		{"requirement-dropped", "/skills/0/securityRequirements", ""},
		{"scheme-added", "/securitySchemes/tls", `{"mtlsSecurityScheme": {"description": "TLS."}}`},
		{"scheme-removed", "/securitySchemes/oauth", ""},
		{"scheme-changed", key, `{"openIdConnectSecurityScheme": {"openIdConnectUrl": "https://id.acme.example"}}`},
		{"scheme-changed", key + "/apiKeySecurityScheme/location", `"cookie"`},
		{"scheme-changed", key + "/apiKeySecurityScheme/name", `"X-API-Key"`},
		{"form-changed", key + "/apiKeySecurityScheme/name", `"x-key"`},
		{"scheme-changed", "/securitySchemes/oauth/oauth2SecurityScheme/oauth2MetadataUrl", `"https://id.acme.example/m"`},
		{"scheme-changed", flow + "/tokenUrl", `"https://id2.acme.example/token"`},
		{"scheme-changed", flow + "/pkceRequired", "true"}, // clients may always use it
		{"scheme-changed", flow + "/scopes/write", ""},
		{"scheme-description-changed", key + "/apiKeySecurityScheme/description", ""},
		{"scheme-description-changed", flow + "/scopes/read", `"Read invoices."`},
		{"scheme-extended", flow + "/scopes/admin", `"All."`},
		{
			"scheme-extended", "/securitySchemes/oauth/oauth2SecurityScheme/flows/clientCredentials",
			`{"tokenUrl": "https://id.acme.example/token", "scopes": {}}`,
		},
		{"signature-changed", "/signatures/0/signature", `"b3RoZXI"`},
		{"signature-changed", "/signatures", ""},
		{"skill-added", "/skills/-", `{"id": "send", "name": "Send", "description": "Sends one.", "tags": ["a"]}`},
		{"skill-removed", "/skills/0", ""},
		{"skill-id-changed", "/skills/0/id", `"amend"`},
		{"skill-name-changed", "/skills/0/name", `"Amend"`},
		{"skill-description-changed", "/skills/0/description", `"Amends an invoice."`},
		{"skill-tags-changed", "/skills/0/tags", `["billing"]`},
		{"skill-examples-changed", "/skills/0/examples", ""},
		{"unknown-member-changed", "/x-team", `"accounts"`},
		{"unknown-member-changed", "/x-team", ""},
		{"version-changed", "/version", `"1.2.1"`},
	}
}

// ruleNamed returns the rule of that name.
func ruleNamed(t *testing.T, name string) diff.Rule {
	t.Helper()
	i := slices.IndexFunc(diff.Rules(), func(r diff.Rule) bool { return r.ID.String() == name })
	if i < 0 {
		t.Fatalf("there is no rule %s", name)
	}
	return diff.Rules()[i]
}

func TestCards(t *testing.T) {
	others := map[string]string{"requirement-loosened": "requirement-dropped", "scheme-changed": "scheme-extended"}
	for _, tt := range single() {
		older, newer := read(t, "base").Card, read(t, "base", tt[1], tt[2]).Card
		there, back := diff.Cards(older, newer), diff.Cards(newer, older)
		mirror := ruleNamed(t, tt[0]).Mirror.String()
		if rulesOf(there) != tt[0] || rulesOf(back) != mirror && rulesOf(back) != others[mirror] {
			t.Errorf("%s %s: %s, and back %s", tt[1], tt[2], rulesOf(there), rulesOf(back))
		}
		for _, c := range append(there, back...) {
			if c.Class != ruleNamed(t, c.Rule.String()).Class {
				t.Errorf("%s is %s", c.Rule, c.Class)
			}
		}
	}
}

// The rules are in order, and every other direction is a rule.
func TestRules(t *testing.T) {
	last := ""
	for _, r := range diff.Rules() {
		if id := r.ID.String(); id <= last {
			t.Errorf("%s is out of order", id)
		}
		last = r.ID.String()
		ruleNamed(t, r.Mirror.String())
	}
}

// Several changes at once: each is reported, the worst first, with its places.
func TestCardsOrderAndPlaces(t *testing.T) {
	newer := read(t, "base", "/name", `"Invoices"`, "/version", `"2.0.0"`, "/skills/0", "",
		"/skills/0/inputModes", `["application/pdf", "text/html"]`, "/securitySchemes/key", "",
		"/securityRequirements/0", "")
	var got []string
	for _, c := range diff.Cards(read(t, "base").Card, newer.Card) {
		got = append(got, strings.Join([]string{c.Rule.String(), c.OldPointer, c.NewPointer, c.Message}, " "))
	}
	want := []string{
		`scheme-removed /securitySchemes/key /securitySchemes/key the security scheme "key" is gone`,
		`requirement-tightened /securityRequirements /securityRequirements a client with "key" no longer has access`,
		`input-mode-removed /skills/1/inputModes/0 /skills/0/inputModes the skill "explain" no longer takes "text/plain"`,
		`skill-removed /skills/0 /skills the skill "correct" is gone`,
		`input-mode-added /skills/1/inputModes /skills/0/inputModes/1 the skill "explain" takes "text/html"`,
		`name-changed /name /name the name of the agent changed`,
		`version-changed /version /version the version of the agent changed`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// What the parts of a card do to each other.
func TestCardsTogether(t *testing.T) {
	const both, write = `{"schemes": {"key": {"list": []}, "oauth": {"list": ["read"]}}}`, `"schemes": {"oauth": {"list": `
	const a = `{"id": "a", "name": "A", "description": "Same.", "tags": ["a"]}`
	for _, tt := range []struct {
		name  string
		edits []string
		want  string
	}{
		{"a mode twice", []string{"/defaultInputModes/-", `"text/plain"`}, ""},
		{"inherited modes", []string{"/skills/0/inputModes", `["text/plain", "application/json"]`}, ""},
		{"inherited output modes", []string{"/skills/0/outputModes", `["text/plain", "application/json"]`}, ""},
		{
			"the default of a skill that keeps what it inherited",
			[]string{"/defaultOutputModes/1", "", "/skills/1/outputModes", `["text/plain", "application/json"]`},
			"output-mode-removed",
		},
		{
			"order of alternatives",
			[]string{"/securityRequirements/0", "", "/securityRequirements/-", `{"schemes": {"key": {"list": []}}}`},
			"",
		},
		{"a requirement that another one covers", []string{"/securityRequirements/-", both}, ""},
		{
			"a requirement that the only one covers", []string{
				"/skills/0/securityRequirements/-",
				`{"schemes": {"key": {"list": []}, "oauth": {"list": ["read", "write"]}}}`,
			}, "",
		},
		{
			"one scheme more", []string{"/securityRequirements", `[` + both + `]`}, "requirement-tightened",
		},
		{
			"both ways", []string{"/securityRequirements", `[{"schemes": {"key": {"list": []}, "oauth": {"list": ["write"]}}},
				{` + write + `[]}}}]`}, "requirement-tightened requirement-loosened",
		},
		{
			"an interface twice", []string{
				"/supportedInterfaces/-",
				`{"url": "grpc.acme.example:443", "protocolBinding": "GRPC", "protocolVersion": "1.0", "tenant": "billing"}`,
			}, "",
		},
		{
			"a required extension",
			[]string{"/capabilities/extensions/-", `{"uri": "https://a.example/new", "required": true}`},
			"extension-required",
		},
		{
			"skills that swap their ids",
			[]string{"/skills/0/id", `"explain"`, "/skills/1/id", `"correct"`},
			"skill-id-changed skill-id-changed",
		},
		{
			"a renamed skill",
			[]string{"/skills/0/id", `"mend"`, "/skills/0/name", `"Mend"`, "/skills/0/tags", `["invoices", "billing"]`},
			"skill-id-changed skill-name-changed form-changed",
		},
		{"an id twice", []string{"/skills/1/id", `"correct"`}, "skill-id-changed"},
		{
			"skills of one content",
			[]string{"/skills/-", a, "/skills/-", strings.Replace(a, `"a"`, `"b"`, 1)},
			"skill-added skill-added",
		},
	} {
		newer := read(t, "base", tt.edits...).Card
		if got := rulesOf(diff.Cards(read(t, "base").Card, newer)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if back := rulesOf(diff.Cards(newer, read(t, "base").Card)); tt.want == "" && back != "" {
			t.Errorf("%s, the other way round: %s", tt.name, back)
		}
		if got := rulesOf(diff.Cards(newer, newer)); got != "" {
			t.Errorf("%s: it differs from itself: %s", tt.name, got)
		}
	}
}
