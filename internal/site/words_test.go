package site

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
			if got := schemeWords(tt.scheme, tt.scopes); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNeeds(t *testing.T) {
	schemes := map[string]schema.SecurityScheme{
		"a": {Type: schema.MutualTLS}, "b": {Type: schema.HTTPAuth, Scheme: "bearer"},
	}
	required := []schema.Requirement{{"a": nil, "b": {"read"}}, {"c": nil}, {}}
	want := []string{
		"client certificate (mutual TLS) and bearer token, scope read",
		"the scheme c, which the card does not declare", "no authentication",
	}
	if diff := cmp.Diff(want, needs(required, schemes)); diff != "" {
		t.Errorf("needs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"client certificate (mutual TLS)", "bearer token"}, offered(schemes)); diff != "" {
		t.Errorf("offered (-want +got):\n%s", diff)
	}
}
