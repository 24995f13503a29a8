package mapping

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/schema"
)

func TestAuthProviders(t *testing.T) {
	auth, found := AuthProviders(yaml(t, `
- {type: static_token, name: local}
- {type: http_verifier, settings: {url: "http://verify.internal"}}
- type: oidc
  name: okta
  settings: {issuer: "https://id.example/", audience: secret}
- type: azure_ad
  settings: {tenant_id: 72f988bf}
- {type: gcp_iap}
- {type: aws_sigv4, settings: {region: eu-central-1}}
`), diag.Error)
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
	const discovery = "/.well-known/openid-configuration"
	want := map[string]schema.SecurityScheme{
		"local":         {Type: schema.HTTPAuth, Scheme: "bearer"},
		"http_verifier": {Type: schema.HTTPAuth, Scheme: "bearer"},
		"okta":          {Type: schema.OpenIDConnect, OpenIDConnectURL: "https://id.example" + discovery},
		"azure_ad": {
			Type:             schema.OpenIDConnect,
			OpenIDConnectURL: "https://login.microsoftonline.com/72f988bf/v2.0" + discovery,
		},
		"gcp_iap":   {Type: schema.APIKey, In: "header", Name: "X-Goog-Iap-Jwt-Assertion"},
		"aws_sigv4": {Type: schema.HTTPAuth, Scheme: "bearer", BearerFormat: "forge-aws-v1"},
	}
	if d := cmp.Diff(want, auth.Schemes); d != "" {
		t.Errorf("schemes (-want +got):\n%s", d)
	}
	const order = "[map[local:[]] map[http_verifier:[]] map[okta:[]] map[azure_ad:[]] map[gcp_iap:[]] map[aws_sigv4:[]]]"
	if got := fmt.Sprint(auth.Security); got != order {
		t.Errorf("security %s, want %s", got, order)
	}
	if p := auth.Places[4]; p.Pointer != "/securitySchemes/okta" || p.Span.String() != "f:5:9" {
		t.Errorf("place of the third scheme: %v", p)
	}
}

func TestAuthProvidersFaults(t *testing.T) {
	for in, want := range map[string]string{
		"- {name: x}":        "1:3 error",
		"- oidc":             "1:3 error",
		"- {type: kerberos}": "1:10 warning",
		"- {type: oidc}":     "1:3 error",
		"- {type: azure_ad, settings: {tenant_id: ''}}":                                        "1:30 error",
		"- {type: oidc, settings: {issuer: 'https://a.example?key=x'}}":                        "1:35 error",
		"- {type: oidc, settings: {issuer: https://a.example}}\n- {type: gcp_iap, name: oidc}": "2:25 warning",
	} {
		_, found := AuthProviders(yaml(t, in), diag.Warning)
		if got := ruled(found); got != want+" auth-provider" || found[0].Hint == "" {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	if auth, found := AuthProviders(nil, diag.Error); auth.Schemes != nil || found != nil {
		t.Errorf("of none: got %v and %v", auth, found)
	}
}
