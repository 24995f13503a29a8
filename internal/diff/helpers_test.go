package diff

import (
	"cardwright/internal/source"
	"cardwright/schema"
)

// base returns a card that has something of everything.
func base() *schema.Card {
	params := &source.Node{Kind: source.Object}
	params.SetText("style", "permalink")
	extra := &source.Node{Kind: source.Object}
	extra.SetText("x-team", "billing")
	return &schema.Card{
		Name:        "Billing",
		Description: "Explains invoices.",
		Interfaces: []schema.Interface{
			{URL: "https://acme.example/a2a", Binding: "JSONRPC", Version: "1.0"},
			{URL: "grpc.acme.example:443", Binding: "GRPC", Version: "1.0", Tenant: "billing"},
			{URL: "https://acme.example/a2a", Binding: "JSONRPC", Version: "0.3"},
		},
		Provider:         &schema.Provider{Organization: "Acme Inc.", URL: "https://acme.example"},
		Version:          "1.2.0",
		IconURL:          "https://acme.example/icon.png",
		DocumentationURL: "https://acme.example/docs",
		Capabilities: schema.Capabilities{
			Streaming:              new(true),
			StateTransitionHistory: new(true),
			Extensions: []schema.Extension{
				{URI: "https://acme.example/ext/cite", Description: "Cites.", Params: params},
				{URI: "https://acme.example/ext/trace"},
			},
		},
		SecuritySchemes: map[string]schema.SecurityScheme{
			"key": {Type: schema.APIKey, In: "header", Name: "X-Key", Description: "From the portal."},
			"oauth": {Type: schema.OAuth2, Flows: []schema.Flow{
				{
					Type: schema.AuthorizationCode, AuthorizationURL: "https://id.acme.example/authorize",
					TokenURL: "https://id.acme.example/token", Scopes: map[string]string{"read": "Read.", "write": "Write."},
				},
			}},
		},
		Security:    []schema.Requirement{{"key": nil}, {"oauth": {"read"}}},
		InputModes:  []string{"text/plain", "application/json"},
		OutputModes: []string{"text/plain", "application/json"},
		Skills: []schema.Skill{
			{
				ID: "correct", Name: "Correct", Description: "Corrects an invoice.",
				Tags: []string{"billing", "invoices"}, Examples: []string{"Fix 4711", "Fix 4712"},
				Security: []schema.Requirement{{"oauth": {"read", "write"}}},
			},
			{
				ID: "explain", Name: "Explain", Description: "Explains an invoice.", Tags: []string{"billing"},
				InputModes: []string{"text/plain", "application/pdf"},
			},
		},
		Signatures: []schema.Signature{{Protected: "eyJh", Signature: "c2ln"}},
		Open:       schema.Open{Extra: extra},
	}
}

// changed returns the base card after a change.
func changed(change func(c *schema.Card)) *schema.Card {
	c := base()
	change(c)
	return c
}

// oauth changes the flow of the scheme oauth.
func oauth(change func(f *schema.Flow)) func(c *schema.Card) {
	return func(c *schema.Card) { change(&c.SecuritySchemes["oauth"].Flows[0]) }
}

// scheme changes the scheme of that name.
func scheme(name string, change func(s *schema.SecurityScheme)) func(c *schema.Card) {
	return func(c *schema.Card) {
		s := c.SecuritySchemes[name]
		change(&s)
		c.SecuritySchemes[name] = s
	}
}

// rulesOf returns the rules of changes.
func rulesOf(changes []Change) []string {
	var ids []string
	for _, c := range changes {
		ids = append(ids, c.Rule.String())
	}
	return ids
}
