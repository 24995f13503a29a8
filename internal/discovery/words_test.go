package discovery

import (
	"testing"

	"cardwright/schema"
)

func TestSchemeWords(t *testing.T) {
	scopes := map[string]string{"read": "Read"}
	tests := []struct {
		name   string
		scheme schema.SecurityScheme
		scopes []string
		want   string
	}{
		{
			"key in a header",
			schema.SecurityScheme{Type: schema.APIKey, In: "header", Name: "X-API-Key"},
			nil,
			"API key in header X-API-Key",
		},
		{
			"key in the query",
			schema.SecurityScheme{Type: schema.APIKey, In: "query", Name: "key"},
			nil,
			"API key in query parameter key",
		},
		{
			"key in a cookie",
			schema.SecurityScheme{Type: schema.APIKey, In: "cookie", Name: "sid"},
			nil,
			"API key in cookie sid",
		},
		{"basic", schema.SecurityScheme{Type: schema.HTTPAuth, Scheme: "Basic"}, nil, "user name and password (HTTP Basic)"},
		{"bearer", schema.SecurityScheme{Type: schema.HTTPAuth, Scheme: "Bearer"}, nil, "bearer token"},
		{
			"bearer of a format",
			schema.SecurityScheme{Type: schema.HTTPAuth, Scheme: "bearer", BearerFormat: "JWT"},
			nil,
			"bearer token (JWT)",
		},
		{
			"another HTTP scheme",
			schema.SecurityScheme{Type: schema.HTTPAuth, Scheme: "DPoP"},
			nil,
			"HTTP authentication DPoP",
		},
		{
			"OAuth",
			schema.SecurityScheme{Type: schema.OAuth2, Flows: []schema.Flow{{
				Type: schema.AuthorizationCode, Scopes: scopes,
				PKCERequired: true,
			}}},
			[]string{"read", "write"},
			"OAuth 2.0 authorization code with PKCE, scopes read, write",
		},
		{
			"OAuth with several flows",
			schema.SecurityScheme{Type: schema.OAuth2, Flows: []schema.Flow{
				{Type: schema.Password},
				{Type: schema.DeviceCode},
				{Type: schema.ClientCredentials},
				{Type: schema.Implicit},
			}},
			[]string{"read"},
			"OAuth 2.0 client credentials or device code or implicit or password, scope read",
		},
		{
			"OpenID Connect",
			schema.SecurityScheme{Type: schema.OpenIDConnect, OpenIDConnectURL: "https://id.example/c"},
			nil,
			"OpenID Connect at https://id.example/c",
		},
		{"mutual TLS", schema.SecurityScheme{Type: schema.MutualTLS}, nil, "client certificate (mutual TLS)"},
		{"unknown", schema.SecurityScheme{Type: "smoke"}, nil, "the unknown kind smoke"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := newSchemeView(tt.scheme, tt.scopes)
			got := v.Words
			if v.Value != "" {
				got += " " + v.Value
			}
			if got += v.After; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// What is declared and not required is on offer, and what the card says about a
// scheme is told once.
func TestAgentSecurity(t *testing.T) {
	scheme := schema.SecurityScheme{Type: schema.MutualTLS, Description: "Ask us."}
	c := &schema.Card{SecuritySchemes: map[string]schema.SecurityScheme{"a": scheme, "b": scheme}}
	v := agentSecurity(c)
	if len(v.Alternatives) != 0 || len(v.Offered) != 2 {
		t.Fatalf("%d alternatives and %d on offer, want 0 and 2", len(v.Alternatives), len(v.Offered))
	}
	if v.Offered[0].Note.Head != "Ask us." || v.Offered[1].Note.Head != "" {
		t.Errorf("notes %q and %q", v.Offered[0].Note.Head, v.Offered[1].Note.Head)
	}
	c.Security = []schema.Requirement{{"a": nil, "b": nil}, {"c": nil}}
	v = agentSecurity(c)
	if len(v.Alternatives) != 2 || len(v.Alternatives[0]) != 2 || len(v.Offered) != 0 {
		t.Errorf("got %+v", v)
	}
	if got := v.Alternatives[1][0].After; got != ", which the card does not declare" {
		t.Errorf("a scheme that is not declared reads %q", got)
	}
}
