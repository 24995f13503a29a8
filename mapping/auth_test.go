package mapping

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func TestAuthProviders(t *testing.T) {
	n, found := source.ParseYAML("forge.yaml", []byte(`
- {type: static_token, name: local}
- {type: http_verifier, settings: {url: "http://verify.internal"}}
- type: oidc
  name: okta
  settings: {issuer: "https://id.example/", audience: secret}
- type: azure_ad
  settings: {tenant_id: 72f988bf}
- {type: gcp_iap}
- {type: aws_sigv4, settings: {region: eu-central-1}}
`), diag.ConfigValue)
	if len(found) > 0 {
		t.Fatal(found)
	}
	auth, found := AuthProviders(n, diag.Error)
	if len(found) > 0 {
		t.Fatal(found)
	}
	for name, s := range auth.Schemes {
		if s.Description == "" {
			t.Errorf("%s has no description", name)
		}
		s.Description = ""
		auth.Schemes[name] = s
	}
	want := map[string]schema.SecurityScheme{
		"local":         {Type: schema.HTTPAuth, Scheme: "bearer"},
		"http_verifier": {Type: schema.HTTPAuth, Scheme: "bearer"},
		"okta": {
			Type:             schema.OpenIDConnect,
			OpenIDConnectURL: "https://id.example/.well-known/openid-configuration",
		},
		"azure_ad": {
			Type:             schema.OpenIDConnect,
			OpenIDConnectURL: "https://login.microsoftonline.com/72f988bf/v2.0/.well-known/openid-configuration",
		},
		"gcp_iap":   {Type: schema.APIKey, In: "header", Name: "X-Goog-Iap-Jwt-Assertion"},
		"aws_sigv4": {Type: schema.HTTPAuth, Scheme: "bearer", BearerFormat: "forge-aws-v1"},
	}
	if d := cmp.Diff(want, auth.Schemes); d != "" {
		t.Errorf("schemes (-want +got):\n%s", d)
	}
	security := []schema.Requirement{
		{"local": {}},
		{"http_verifier": {}},
		{"okta": {}},
		{"azure_ad": {}},
		{"gcp_iap": {}},
		{"aws_sigv4": {}},
	}
	if d := cmp.Diff(security, auth.Security); d != "" {
		t.Errorf("security (-want +got):\n%s", d)
	}
	if p := auth.Places[4]; p.Pointer != "/securitySchemes/okta" || p.Span.String() != "forge.yaml:5:9" {
		t.Errorf("place of the third scheme: %v", p)
	}
}

func TestAuthProvidersFaults(t *testing.T) {
	tests := []struct{ name, in, message, hint, place string }{
		{
			"no type", "- {name: x}", "the auth provider has no type",
			"known types: static_token, http_verifier, oidc, azure_ad, gcp_iap, aws_sigv4", "f:1:3",
		},
		{
			"not a map", "- oidc", "the auth provider has no type",
			"known types: static_token, http_verifier, oidc, azure_ad, gcp_iap, aws_sigv4", "f:1:3",
		},
		{"near", "- {type: odic}", `unknown type of auth provider "odic"`, `did you mean "oidc"?`, "f:1:10"},
		{
			"far", "- {type: kerberos}", `unknown type of auth provider "kerberos"`,
			"known types: static_token, http_verifier, oidc, azure_ad, gcp_iap, aws_sigv4", "f:1:10",
		},
		{
			"no settings", "- {type: oidc}", "the oidc provider needs settings.issuer", "set it to the URL of the issuer",
			"f:1:3",
		},
		{
			"empty setting", "- {type: azure_ad, settings: {tenant_id: ''}}", "the azure_ad provider needs settings.tenant_id",
			`set it to the id of the tenant, or to "organizations" for any tenant`, "f:1:30",
		},
		{
			"one name twice", "- {type: oidc, settings: {issuer: https://a.example}}\n- {type: gcp_iap, name: oidc}",
			`two auth providers are called "oidc"`, "give each its own name", "f:2:25",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, _ := source.ParseYAML("f", []byte(tt.in), diag.ConfigValue)
			_, found := AuthProviders(n, diag.Error)
			if len(found) != 1 {
				t.Fatalf("got %d findings, want one: %v", len(found), found)
			}
			d := found[0]
			if d.Message != tt.message || d.Hint != tt.hint || d.Span.String() != tt.place || d.Severity != diag.Error ||
				d.Rule != diag.AuthProvider {
				t.Errorf("got %+v", d)
			}
		})
	}
	t.Run("tolerated", func(t *testing.T) {
		n, _ := source.ParseYAML("f", []byte("- {type: kerberos}\n- {type: gcp_iap}\n- {type: gcp_iap}"), diag.ConfigValue)
		auth, found := AuthProviders(n, diag.Warning)
		if len(auth.Security) != 1 || len(found) != 2 || found.Worst() != diag.Warning {
			t.Errorf("got %v and %v", auth.Security, found)
		}
	})
	t.Run("none", func(t *testing.T) {
		if auth, found := AuthProviders(nil, diag.Error); auth.Schemes != nil || found != nil {
			t.Errorf("got %v and %v", auth, found)
		}
	})
}
