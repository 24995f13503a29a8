// Package schematest makes cards for tests. No part of the product imports it.
package schematest

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"cardwright/internal/source"
	"cardwright/schema"
)

// FullCard holds everything that a card can hold.
func FullCard() *schema.Card {
	params := &source.Node{Kind: source.Object}
	params.SetText("style", "numbered")
	params.Set("limits", source.NewTexts([]string{"a", "b"}))
	return &schema.Card{
		Name:        "Code Review",
		Description: "Reviews pull requests.\nFinds <defects> & vulnerabilities.",
		Interfaces: []schema.Interface{
			{URL: "https://acme.example/a2a/review", Binding: "JSONRPC", Version: "0.3"},
			{URL: "https://acme.example/a2a/review", Binding: "JSONRPC", Version: "1.0"},
			{URL: "grpc.acme.example:443", Binding: "GRPC", Version: "1.0", Tenant: "review"},
			{URL: "grpc.acme.example:443", Binding: "GRPC", Version: "0.3"},
			{URL: "https://acme.example/rest", Binding: "HTTP+JSON", Version: "0.3", Tenant: "review"},
		},
		Provider:         &schema.Provider{Organization: "Acme Inc.", URL: "https://acme.example"},
		Version:          "1.4.0",
		IconURL:          "https://acme.example/icon.png",
		DocumentationURL: "https://acme.example/docs",
		Capabilities: schema.Capabilities{
			Streaming:              new(true),
			PushNotifications:      new(false),
			ExtendedAgentCard:      new(true),
			StateTransitionHistory: new(true),
			Extensions: []schema.Extension{
				{URI: "https://acme.example/ext/cite/v1", Description: "Cites its sources.", Required: true, Params: params},
				{URI: "https://acme.example/ext/plain/v1"},
			},
		},
		SecuritySchemes: map[string]schema.SecurityScheme{
			"key":    {Type: schema.APIKey, In: "header", Name: "X-API-Key", Description: "A key from the portal."},
			"bearer": {Type: schema.HTTPAuth, Scheme: "bearer", BearerFormat: "JWT", Description: "A token from the portal."},
			"oidc": {
				Type: schema.OpenIDConnect, OpenIDConnectURL: "https://id.acme.example/.well-known/openid-configuration",
				Description: "Sign in at Acme.",
			},
			"mtls": {Type: schema.MutualTLS},
			"oauth": {
				Type: schema.OAuth2, Description: "Sign in at Acme.",
				OAuth2MetadataURL: "https://id.acme.example/.well-known/oauth-authorization-server",
				Flows: []schema.Flow{
					{
						Type: schema.Password, TokenURL: "https://id.acme.example/token", RefreshURL: "https://id.acme.example/refresh",
						Scopes: map[string]string{"read": "Read."},
					},
					{
						Type: schema.ClientCredentials, TokenURL: "https://id.acme.example/token",
						RefreshURL: "https://id.acme.example/refresh", Scopes: map[string]string{"read": "Read.", "admin": ""},
					},
					{
						Type: schema.AuthorizationCode, AuthorizationURL: "https://id.acme.example/authorize",
						TokenURL: "https://id.acme.example/token", RefreshURL: "https://id.acme.example/refresh",
						Scopes: map[string]string{"write": "Write.", "read": "Read."}, PKCERequired: true,
					},
					{
						Type: schema.Implicit, AuthorizationURL: "https://id.acme.example/authorize",
						RefreshURL: "https://id.acme.example/refresh", Scopes: map[string]string{"read": "Read."},
					},
					{
						Type: schema.DeviceCode, DeviceAuthorizationURL: "https://id.acme.example/device",
						TokenURL: "https://id.acme.example/token", RefreshURL: "https://id.acme.example/refresh",
						Scopes: map[string]string{"read": "Read."},
					},
				},
			},
		},
		Security: []schema.Requirement{
			{"key": nil, "mtls": nil},
			{"oauth": {"read", "write"}},
			{"bearer": nil, "oidc": {"openid"}},
		},
		InputModes:  []string{"text/plain", "application/json"},
		OutputModes: []string{"text/plain"},
		Skills: []schema.Skill{
			{
				ID: "review", Name: "Review", Description: "Reviews a pull request.", Tags: []string{"code"},
				Examples: []string{"Review #12"}, InputModes: []string{"text/x-diff"}, OutputModes: []string{"text/markdown"},
				Security: []schema.Requirement{{"oauth": {"admin"}}, {"bearer": nil}},
			},
			{ID: "Chat", Name: "Chat", Description: "Answers “questions”.", Tags: []string{"chat", "q&a"}},
		},
		Signatures: []schema.Signature{{Protected: "eyJhbGciOiJFUzI1NiJ9", Signature: "c2ln", Header: params}},
	}
}

// LargeCard has skills of the usual size: a description of some 300
// characters, a few tags and now and then an example.
func LargeCard(skills int) *schema.Card {
	c := FullCard()
	c.Skills = nil
	for i := range skills {
		s := schema.Skill{
			ID:   fmt.Sprintf("skill-%05d", i),
			Name: fmt.Sprintf("Skill %d", i),
			Description: "Reads documents of many kinds, extracts text, tables and forms, and fills in what is missing. " +
				"Use it when somebody mentions documents, forms or tables, or asks to merge, divide or convert them; " +
				"not for pictures, which another skill handles. " +
				"Keeps the layout wherever the format allows it – “as is”.",
			Tags: []string{"documents", "forms"},
		}
		if i%4 == 0 {
			s.Examples = []string{"Merge these two files", "Fill in this form"}
		}
		c.Skills = append(c.Skills, s)
	}
	return c
}

// Maker makes random cards, the same ones in every run.
type Maker struct {
	*rand.Rand
	// Holes lets members be empty where the specification wants one.
	Holes bool
}

// Chance is true in so many of a hundred cases.
func (m Maker) Chance(percent int) bool { return m.IntN(100) < percent }

// text is some text, seldom an odd or an empty one.
func (m Maker) text(word string) string {
	switch {
	case m.Holes && m.Chance(10):
		return ""
	case m.Chance(10):
		return word + "<&>\u2028é\x00\"😀"
	}
	return word + strconv.Itoa(m.IntN(10))
}

func (m Maker) texts(word string) []string {
	list := []string{m.text(word)}
	for m.Chance(40) {
		list = append(list, m.text(word))
	}
	if m.Holes && m.Chance(10) {
		return nil
	}
	return list
}

func (m Maker) optional(word string) string {
	if m.Chance(50) {
		return ""
	}
	return m.text(word)
}

func (m Maker) flag() *bool {
	if m.Chance(40) {
		return nil
	}
	return new(m.Chance(50))
}

func (m Maker) value(depth int) *source.Node {
	switch n := m.IntN(8); {
	case n == 0:
		return &source.Node{Kind: source.Null, Text: "null"}
	case n == 1:
		return source.NewBool(m.Chance(50))
	case n == 2:
		return &source.Node{Kind: source.Number, Text: []string{"0", "-1.50", "1e3", "0x1F"}[m.IntN(4)]}
	case n == 3 || depth == 0:
		return source.NewText([]string{"", "x", "\n"}[m.IntN(3)])
	case n < 6:
		list := &source.Node{Kind: source.Array}
		for range m.IntN(3) {
			list.Items = append(list.Items, m.value(depth-1))
		}
		return list
	default:
		return m.Object(depth - 1)
	}
}

// Object returns any JSON object, so many levels deep at most.
func (m Maker) Object(depth int) *source.Node {
	o := &source.Node{Kind: source.Object}
	for i := range m.IntN(4) {
		o.Set(fmt.Sprintf("k%d-%d", m.IntN(10), i), m.value(depth))
	}
	return o
}

func (m Maker) scheme() schema.SecurityScheme {
	s := schema.SecurityScheme{Type: []schema.SchemeType{
		schema.APIKey, schema.HTTPAuth, schema.OAuth2,
		schema.OpenIDConnect, schema.MutualTLS,
	}[m.IntN(5)], Description: m.optional("d")}
	switch s.Type {
	case schema.APIKey:
		s.In, s.Name = []string{"header", "query", "cookie"}[m.IntN(3)], m.text("n")
	case schema.HTTPAuth:
		s.Scheme, s.BearerFormat = m.text("bearer"), m.optional("JWT")
	case schema.OAuth2:
		s.OAuth2MetadataURL = m.optional("u")
		for _, i := range m.Perm(5)[:1+m.IntN(5)] {
			f := schema.Flow{
				Type: schema.FlowTypes()[i], AuthorizationURL: m.text("a"),
				DeviceAuthorizationURL: m.text("d"), TokenURL: m.text("t"), RefreshURL: m.optional("r"), PKCERequired: m.Chance(50),
			}
			f.Scopes = map[string]string{
				"s" + strconv.Itoa(m.IntN(3)): m.optional("S"),
				"s" + strconv.Itoa(m.IntN(3)): m.text("S"),
			}
			s.Flows = append(s.Flows, f)
		}
	case schema.OpenIDConnect:
		s.OpenIDConnectURL = m.text("u")
	case schema.MutualTLS:
	}
	return s
}

func (m Maker) requirements(names []string) []schema.Requirement {
	var list []schema.Requirement
	for m.Chance(50) {
		r := schema.Requirement{}
		for m.Chance(70) && len(names) > 0 {
			var scopes []string
			for m.Chance(30) {
				scopes = append(scopes, "s"+strconv.Itoa(m.IntN(3)))
			}
			r[names[m.IntN(len(names))]] = scopes
		}
		list = append(list, r)
	}
	return list
}

// Card returns a card with anything that one can have.
func (m Maker) Card() *schema.Card {
	c := &schema.Card{
		Name: m.text("name"), Description: m.text("description"), Version: m.text("1."),
		IconURL: m.optional("icon"), DocumentationURL: m.optional("doc"),
		Capabilities: schema.Capabilities{
			Streaming: m.flag(), PushNotifications: m.flag(), ExtendedAgentCard: m.flag(),
			StateTransitionHistory: m.flag(),
		},
		InputModes: m.texts("text/plain"), OutputModes: m.texts("text/plain"),
		SecuritySchemes: map[string]schema.SecurityScheme{},
	}
	for range 1 + m.IntN(4) {
		c.Interfaces = append(c.Interfaces, schema.Interface{
			URL: m.text("u"), Binding: "JSONRPC",
			Version: []string{"1.0", "0.3"}[m.IntN(2)], Tenant: m.optional("t"),
		})
	}
	if m.Chance(50) {
		c.Provider = &schema.Provider{Organization: m.optional("o"), URL: m.optional("u")}
	}
	for m.Chance(40) {
		c.Capabilities.Extensions = append(c.Capabilities.Extensions,
			schema.Extension{URI: m.text("uri"), Description: m.optional("d"), Required: m.Chance(50), Params: m.Object(4)})
	}
	var names []string
	for i := range m.IntN(5) {
		name := m.text("scheme") + strconv.Itoa(i)
		names = append(names, name)
		c.SecuritySchemes[name] = m.scheme()
	}
	c.Security = m.requirements(names)
	for i := range 1 + m.IntN(4) {
		s := schema.Skill{
			ID: m.text("id") + strconv.Itoa(i), Name: m.text("n"), Description: m.text("d"), Tags: m.texts("t"),
			Security: m.requirements(names),
		}
		if m.Chance(50) {
			s.Examples, s.InputModes, s.OutputModes = m.texts("e"), m.texts("m"), m.texts("m")
		}
		c.Skills = append(c.Skills, s)
	}
	if m.Chance(20) {
		c.Signatures = []schema.Signature{{Protected: m.text("p"), Signature: m.text("s"), Header: m.Object(2)}}
	}
	return c
}

// Reachable are the members, as message/name, that cards of a version can have.
func Reachable(v schema.Protocol) map[string]bool {
	all := map[string]bool{}
	var visit func(message string)
	visit = func(message string) {
		for _, m := range schema.Members(message) {
			if name := message + "/" + m.Name; m.In.Has(v) && !all[name] {
				all[name] = true
				visit(m.Of)
			}
		}
		if message == schema.SchemeMessage && v.Has(schema.Flat) {
			for _, t := range schema.SchemeTypes() {
				visit(t.Message())
			}
		}
	}
	visit(schema.CardMessage)
	return all
}
