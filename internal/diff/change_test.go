package diff

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// single lists changes that are one difference, which is reported by one rule, and
// by its mirror when it is taken back.
var single = []struct {
	name, rule string
	change     func(c *schema.Card)
}{
	{"flag set", "capability-gained", func(c *schema.Card) { c.Capabilities.PushNotifications = new(true) }},
	{"flag turned off", "capability-lost", func(c *schema.Card) { c.Capabilities.Streaming = new(false) }},
	{"flag left out", "capability-lost", func(c *schema.Card) { c.Capabilities.Streaming = nil }},
	{"extended card", "capability-gained", func(c *schema.Card) { c.Capabilities.ExtendedAgentCard = new(true) }},
	{"0.3 flag", "capability-lost", func(c *schema.Card) { c.Capabilities.StateTransitionHistory = nil }},
	{"description", "description-changed", func(c *schema.Card) { c.Description = "Explains all invoices." }},
	{"documentation", "documentation-changed", func(c *schema.Card) { c.DocumentationURL = "" }},
	{"extension", "extension-added", func(c *schema.Card) {
		c.Capabilities.Extensions = append(c.Capabilities.Extensions, schema.Extension{URI: "https://acme.example/ext/new"})
	}},
	{
		"extension gone", "extension-removed",
		func(c *schema.Card) { c.Capabilities.Extensions = c.Capabilities.Extensions[:1] },
	},
	{
		"extension described", "extension-changed",
		func(c *schema.Card) { c.Capabilities.Extensions[1].Description = "Traces." },
	},
	{"extension parameters", "extension-changed", func(c *schema.Card) { c.Capabilities.Extensions[0].Params = nil }},
	{
		"extension now required", "extension-required",
		func(c *schema.Card) { c.Capabilities.Extensions[0].Required = true },
	},
	{"icon", "icon-changed", func(c *schema.Card) { c.IconURL = "https://acme.example/i.svg" }},
	{"default input mode", "input-mode-added", func(c *schema.Card) { c.InputModes = append(c.InputModes, "text/html") }},
	{"default input mode gone", "input-mode-removed", func(c *schema.Card) { c.InputModes = c.InputModes[:1] }},
	{"default output mode", "output-mode-added", func(c *schema.Card) {
		c.OutputModes = append(c.OutputModes,
			"text/html")
	}},
	{"default output mode gone", "output-mode-removed", func(c *schema.Card) { c.OutputModes = c.OutputModes[:1] }},
	{
		"input mode of a skill", "input-mode-added",
		func(c *schema.Card) { c.Skills[1].InputModes = append(c.Skills[1].InputModes, "text/html") },
	},
	{
		"input mode of a skill gone", "input-mode-removed",
		func(c *schema.Card) { c.Skills[1].InputModes = c.Skills[1].InputModes[:1] },
	},
	{
		"own output modes, less than inherited", "output-mode-removed",
		func(c *schema.Card) { c.Skills[1].OutputModes = []string{"text/plain"} },
	},
	{
		"own output modes, more than inherited", "output-mode-added",
		func(c *schema.Card) { c.Skills[1].OutputModes = append(c.OutputModes, "text/html") },
	},
	{"interface", "interface-added", func(c *schema.Card) {
		c.Interfaces = append(c.Interfaces, schema.Interface{
			URL: "https://acme.example/rest", Binding: "HTTP+JSON",
			Version: "1.0",
		})
	}},
	{"interface gone", "interface-removed", func(c *schema.Card) { c.Interfaces = slices.Delete(c.Interfaces, 1, 2) }},
	{"interface moved", "interface-url-changed", func(c *schema.Card) { c.Interfaces[1].URL = "grpc2.acme.example:443" }},
	{"another tenant", "interface-url-changed", func(c *schema.Card) { c.Interfaces[1].Tenant = "accounts" }},
	{"interface for another version", "interface-added", func(c *schema.Card) {
		c.Interfaces = append(c.Interfaces, schema.Interface{
			URL: "grpc.acme.example:443", Binding: "GRPC", Version: "1.1",
			Tenant: "billing",
		})
	}},
	{
		"interface for fewer versions", "interface-removed",
		func(c *schema.Card) { c.Interfaces = c.Interfaces[:2] },
	},
	{"name", "name-changed", func(c *schema.Card) { c.Name = "Invoices" }},
	{"order of tags", "form-changed", func(c *schema.Card) { slices.Reverse(c.Skills[0].Tags) }},
	{"order of examples", "form-changed", func(c *schema.Card) { slices.Reverse(c.Skills[0].Examples) }},
	{"order of modes", "form-changed", func(c *schema.Card) { slices.Reverse(c.InputModes) }},
	{"provider", "provider-changed", func(c *schema.Card) { c.Provider.Organization = "Acme Corp." }},
	{"another way in", "requirement-loosened", func(c *schema.Card) {
		c.Security = append(c.Security,
			schema.Requirement{"oauth": {"write"}})
	}},
	{"fewer scopes", "requirement-loosened", func(c *schema.Card) { c.Security[1] = schema.Requirement{"oauth": nil} }},
	{
		"also without credentials", "requirement-dropped",
		func(c *schema.Card) { c.Security = append(c.Security, schema.Requirement{}) },
	},
	{"no requirements", "requirement-dropped", func(c *schema.Card) { c.Security = nil }},
	{"one way in less", "requirement-tightened", func(c *schema.Card) { c.Security = c.Security[:1] }},
	{"one scheme more", "requirement-tightened", func(c *schema.Card) {
		c.Security[1] = schema.Requirement{"oauth": {"read"}, "key": nil}
		c.Security = c.Security[1:]
	}},
	{
		"own requirements, more than inherited", "requirement-tightened",
		func(c *schema.Card) { c.Skills[1].Security = []schema.Requirement{{"oauth": {"read", "write"}}} },
	},
	{"own requirements gone", "requirement-dropped", func(c *schema.Card) { c.Skills[0].Security = nil }},
	{
		"scheme", "scheme-added",
		func(c *schema.Card) { c.SecuritySchemes["tls"] = schema.SecurityScheme{Type: schema.MutualTLS} },
	},
	{"scheme gone", "scheme-removed", func(c *schema.Card) { delete(c.SecuritySchemes, "oauth") }},
	{"type", "scheme-changed", scheme("key", func(s *schema.SecurityScheme) { s.Type = schema.OpenIDConnect })},
	{"place of the key", "scheme-changed", scheme("key", func(s *schema.SecurityScheme) { s.In = "cookie" })},
	{"name of the key", "scheme-changed", scheme("key", func(s *schema.SecurityScheme) { s.Name = "X-API-Key" })},
	{"OAuth metadata", "scheme-changed", scheme("oauth",
		func(s *schema.SecurityScheme) { s.OAuth2MetadataURL = "https://id.acme.example/metadata" })},
	{"token URL", "scheme-changed", oauth(func(f *schema.Flow) { f.TokenURL = "https://id2.acme.example/token" })},
	{
		"description of a scheme", "scheme-description-changed",
		scheme("key", func(s *schema.SecurityScheme) { s.Description = "" }),
	},
	{
		"description of a scope", "scheme-description-changed",
		oauth(func(f *schema.Flow) { f.Scopes["read"] = "Read invoices." }),
	},
	{"scope", "scheme-extended", oauth(func(f *schema.Flow) { f.Scopes["admin"] = "All." })},
	{"flow", "scheme-extended", scheme("oauth", func(s *schema.SecurityScheme) {
		s.Flows = append(s.Flows, schema.Flow{Type: schema.ClientCredentials, TokenURL: "https://id.acme.example/token"})
	})},
	{"signature", "signature-changed", func(c *schema.Card) { c.Signatures[0].Signature = "b3RoZXI" }},
	{"signature gone", "signature-changed", func(c *schema.Card) { c.Signatures = nil }},
	{"skill", "skill-added", func(c *schema.Card) {
		c.Skills = append(c.Skills, schema.Skill{ID: "send", Name: "Send", Description: "Sends an invoice."})
	}},
	{"skill gone", "skill-removed", func(c *schema.Card) { c.Skills = c.Skills[1:] }},
	{"skill renamed", "skill-id-changed", func(c *schema.Card) { c.Skills[0].ID = "amend" }},
	{"id of a skill gone", "skill-id-changed", func(c *schema.Card) { c.Skills[0].ID = "" }},
	{"name of a skill", "skill-name-changed", func(c *schema.Card) { c.Skills[0].Name = "Amend" }},
	{
		"description of a skill", "skill-description-changed",
		func(c *schema.Card) { c.Skills[0].Description = "Amends an invoice." },
	},
	{"tags", "skill-tags-changed", func(c *schema.Card) { c.Skills[0].Tags = []string{"billing"} }},
	{"examples", "skill-examples-changed", func(c *schema.Card) { c.Skills[0].Examples = nil }},
	{
		"unknown member", "unknown-member-changed",
		func(c *schema.Card) { c.Extra.Members[0].Value = source.NewText("accounts") },
	},
	{"unknown member gone", "unknown-member-changed", func(c *schema.Card) { c.Extra = nil }},
	{"version", "version-changed", func(c *schema.Card) { c.Version = "1.2.1" }},
}

// mirror returns the name of the rule about the opposite change.
func mirror(name string) string {
	rule, _ := diag.ParseRuleID(name)
	return find(rule).Mirror.String()
}

func TestCards(t *testing.T) {
	for _, tt := range single {
		t.Run(tt.name, func(t *testing.T) {
			there := Cards(base(), changed(tt.change))
			if diff := cmp.Diff([]string{tt.rule}, rulesOf(there)); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			back := Cards(changed(tt.change), base())
			want := []string{mirror(tt.rule)}
			if slices.Equal(rulesOf(back), []string{"requirement-dropped"}) && tt.rule == "requirement-tightened" {
				want = rulesOf(back) // the stricter of two mirrors
			}
			if diff := cmp.Diff(want, rulesOf(back)); diff != "" {
				t.Errorf("rules the other way round (-want +got):\n%s", diff)
			}
			for _, c := range append(there, back...) {
				if c.Class != find(c.Rule).Class {
					t.Errorf("%s is %s", c.Rule, c.Class)
				}
			}
		})
	}
}

// A new extension that clients need to know is not just one more.
func TestCardsRequiredExtension(t *testing.T) {
	newer := changed(func(c *schema.Card) {
		c.Capabilities.Extensions = append(c.Capabilities.Extensions,
			schema.Extension{URI: "https://acme.example/ext/new", Required: true})
	})
	if diff := cmp.Diff([]string{"extension-required"}, rulesOf(Cards(base(), newer))); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"extension-removed"}, rulesOf(Cards(newer, base()))); diff != "" {
		t.Errorf("rules the other way round (-want +got):\n%s", diff)
	}
}

// Every rule of the table has a test above, and every other direction a rule.
// Changes of a single member are tested with all that the table of members says.
func TestRules(t *testing.T) {
	// by TestAgents, TestListings, TestDocuments and TestEditsOfInterfaces
	tested := map[string]bool{
		"listed-added": true, "listed-changed": true, "listed-removed": true, "agent-added": true, "agent-removed": true,
		"form-changed": true, "card-moved": true, "client-gained": true, "client-lost": true, "client-moved": true,
		"protocol-version-changed": true,
	}
	for _, tt := range single {
		tested[tt.rule], tested[mirror(tt.rule)] = true, true
	}
	for _, r := range shared() {
		if !tested[r.ID.String()] {
			t.Errorf("no test for %s", r.ID)
		}
	}
	ids := map[string]bool{}
	for _, r := range Rules() {
		ids[r.ID.String()] = true
	}
	for _, r := range Rules() {
		if !ids[r.Mirror.String()] {
			t.Errorf("the mirror %q of %s is no rule", r.Mirror, r.ID)
		}
	}
	if !slices.IsSortedFunc(Rules(), func(a, b Rule) int { return cmpText(a.ID.String(), b.ID.String()) }) {
		t.Error("the table is not sorted, or has an id twice")
	}
}

// cmpText orders texts, and takes equal ones for out of order.
func cmpText(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

// Several changes at once: each is reported, the worst first, with its places.
func TestCardsOrderAndPlaces(t *testing.T) {
	newer := changed(func(c *schema.Card) {
		c.Name = "Invoices"
		c.Version = "2.0.0"
		c.Skills = c.Skills[1:]
		c.Skills[0].InputModes = []string{"application/pdf", "text/html"}
		delete(c.SecuritySchemes, "key")
		c.Security = c.Security[1:]
	})
	type fact struct{ Rule, Old, New, Message string }
	var got []fact
	for _, c := range Cards(base(), newer) {
		got = append(got, fact{c.Rule.String(), c.OldPointer, c.NewPointer, c.Message})
	}
	want := []fact{
		{"scheme-removed", "/securitySchemes/key", "/securitySchemes/key", `the security scheme "key" is gone`},
		{
			"requirement-tightened", "/securityRequirements", "/securityRequirements",
			`a client with "key" no longer has access`,
		},
		{
			"input-mode-removed", "/skills/1/inputModes/0", "/skills/0/inputModes",
			`the skill "explain" no longer takes "text/plain"`,
		},
		{"skill-removed", "/skills/0", "/skills", `the skill "correct" is gone`},
		{"input-mode-added", "/skills/1/inputModes", "/skills/0/inputModes/1", `the skill "explain" takes "text/html"`},
		{"name-changed", "/name", "/name", "the name of the agent changed"},
		{"version-changed", "/version", "/version", "the version of the agent changed"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// What means the same is the same.
func TestCardsSame(t *testing.T) {
	tests := map[string]func(c *schema.Card){
		"nothing":           func(*schema.Card) {},
		"a mode twice":      func(c *schema.Card) { c.InputModes = append(c.InputModes, "text/plain") },
		"inherited modes":   func(c *schema.Card) { c.Skills[0].InputModes = c.InputModes },
		"inherited modes 2": func(c *schema.Card) { c.Skills[0].OutputModes = c.OutputModes },
		"order of alternatives": func(c *schema.Card) {
			slices.Reverse(c.Security)
		},
		"inherited requirements": func(c *schema.Card) { c.Skills[1].Security = c.Security },
		"a requirement that another one covers": func(c *schema.Card) {
			c.Security = append(c.Security, schema.Requirement{"key": nil, "oauth": {"read"}})
		},
		"a requirement that the only one covers": func(c *schema.Card) {
			c.Skills[0].Security = append(c.Skills[0].Security, schema.Requirement{"key": nil, "oauth": {"read", "write"}})
		},
		"an interface twice": func(c *schema.Card) { c.Interfaces = append(c.Interfaces, c.Interfaces[1]) },
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			if got := append(Cards(base(), changed(change)), Cards(changed(change), base())...); got != nil {
				t.Errorf("got %v", rulesOf(got))
			}
		})
	}
}

// A change of the defaults of the card is reported once, for the card.
func TestCardsDefaultsOnce(t *testing.T) {
	newer := changed(func(c *schema.Card) {
		c.OutputModes = c.OutputModes[:1]
		c.Skills[1].OutputModes = []string{"text/plain", "application/json"} // keeps what it inherited
	})
	if diff := cmp.Diff([]string{"output-mode-removed"}, rulesOf(Cards(base(), newer))); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

func TestCardsBothWays(t *testing.T) {
	newer := changed(func(c *schema.Card) {
		c.Security = []schema.Requirement{{"key": nil, "oauth": {"write"}}, {"oauth": nil}}
	})
	want := []string{"requirement-tightened", "requirement-loosened"}
	if diff := cmp.Diff(want, rulesOf(Cards(base(), newer))); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

// A skill with another id is reported as that, with what else has changed in it.
func TestCardsRenamed(t *testing.T) {
	newer := changed(func(c *schema.Card) {
		c.Skills[1].ID, c.Skills[1].Name = "tell", "Tell"
		c.Skills[1].InputModes = c.Skills[1].InputModes[:1]
	})
	want := []string{"skill-id-changed", "input-mode-removed", "skill-name-changed"}
	if diff := cmp.Diff(want, rulesOf(Cards(base(), newer))); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

// Skills that swap their ids are not skills with other texts.
func TestCardsSwappedIDs(t *testing.T) {
	newer := changed(func(c *schema.Card) { c.Skills[0].ID, c.Skills[1].ID = c.Skills[1].ID, c.Skills[0].ID })
	if diff := cmp.Diff([]string{"skill-id-changed", "skill-id-changed"}, rulesOf(Cards(base(), newer))); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

// Ids that a card has twice stay apart, and so do skills of one content.
func TestCardsDuplicateIDs(t *testing.T) {
	alike := changed(func(c *schema.Card) {
		c.Skills = []schema.Skill{{ID: "a", Name: "A", Description: "Same."}, {ID: "b", Name: "B", Description: "Same."}}
	})
	if got := Cards(alike, alike); got != nil {
		t.Errorf("got %v", rulesOf(got))
	}
	older := changed(func(c *schema.Card) { c.Skills[1].ID = "correct" })
	if got := Cards(older, older); got != nil {
		t.Errorf("got %v", rulesOf(got))
	}
	newer := changed(func(c *schema.Card) { c.Skills = c.Skills[:1] })
	if diff := cmp.Diff([]string{"skill-removed"}, rulesOf(Cards(older, newer))); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

// Clients may always use PKCE: only that it is required can break one.
func TestCardsPKCE(t *testing.T) {
	newer := changed(oauth(func(f *schema.Flow) { f.PKCERequired = true }))
	if diff := cmp.Diff([]string{"scheme-changed"}, rulesOf(Cards(base(), newer))); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"scheme-extended"}, rulesOf(Cards(newer, base()))); diff != "" {
		t.Errorf("rules the other way round (-want +got):\n%s", diff)
	}
}
