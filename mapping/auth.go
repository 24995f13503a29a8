package mapping

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Auth is what a chain of auth providers says on a card.
type Auth struct {
	Schemes  map[string]schema.SecurityScheme // nil when there are none
	Security []schema.Requirement             // one per scheme, in the order of the chain: any one suffices
	named    map[string]diag.Span             // where the name of each scheme stands
	Places   []Place                          // pointers are relative to the card, as A2A 0.3 spells them
}

// provider is a type of auth provider and the scheme that clients see.
type provider struct {
	name    string
	setting string // that it cannot do without, "" for none
	hint    string
	scheme  schema.SecurityScheme // with %s for the setting
}

func providers() []provider {
	const discovery = "%s/.well-known/openid-configuration"
	return []provider{
		{name: "static_token", scheme: bearer("",
			"Bearer token in the Authorization header, handed out by the operator of the agent.")},
		{name: "http_verifier", scheme: bearer("",
			"Bearer token in the Authorization header, checked by a service of the operator.")},
		{
			name: "oidc", setting: "issuer", hint: "set it to the URL of the issuer",
			scheme: schema.SecurityScheme{
				Type: schema.OpenIDConnect, OpenIDConnectURL: discovery,
				Description: "Token of an OpenID Connect provider, as a bearer token in the Authorization header.",
			},
		},
		{
			name: "azure_ad", setting: "tenant_id", hint: `set it to the id of the tenant, or to "organizations" for any tenant`,
			scheme: schema.SecurityScheme{
				Type:             schema.OpenIDConnect,
				OpenIDConnectURL: strings.Replace(discovery, "%s", "https://login.microsoftonline.com/%s/v2.0", 1),
				Description:      "Microsoft Entra ID token, as a bearer token in the Authorization header.",
			},
		},
		{name: "gcp_iap", scheme: schema.SecurityScheme{
			Type: schema.APIKey, In: "header", Name: "X-Goog-Iap-Jwt-Assertion",
			Description: "Signed assertion that Google Identity-Aware Proxy adds to each request it lets through.",
		}},
		{name: "aws_sigv4", scheme: bearer("forge-aws-v1",
			"Presigned AWS STS GetCallerIdentity URL, encoded as a bearer token in the Authorization header.")},
	}
}

func bearer(format, description string) schema.SecurityScheme {
	return schema.SecurityScheme{Type: schema.HTTPAuth, Scheme: "bearer", BearerFormat: format, Description: description}
}

// AuthProviders turns a list of auth providers, each with type, name and
// settings, into security schemes and requirements. No other setting than the
// one its scheme is made of is looked at, let alone published.
//
// A provider that lacks a setting is an error. One of an unknown type, or with
// the name of an earlier one, has the given severity and is left out.
func AuthProviders(list *source.Node, severity diag.Severity) (Auth, diag.List) {
	a := Auth{}
	var found diag.List
	if !list.Is(source.Array) {
		return a, nil
	}
	for _, n := range list.Items {
		if d := a.add(n, severity); d != nil {
			found = append(found, *d)
		}
	}
	return a, found
}

// add adds the scheme of one provider, or says why it cannot.
func (a *Auth) add(n *source.Node, severity diag.Severity) *diag.Diagnostic {
	scheme, fault := schemeOf(n, severity)
	if fault != nil {
		return fault
	}
	naming := present(n.Get("name"), n.Get("type"))
	name := text(naming)
	if first, taken := a.named[name]; taken {
		d := diag.New(diag.AuthProvider, naming.Span, "two auth providers are called %s", diag.Quote(name)).
			WithSeverity(severity).WithHint("give each its own name").
			WithRelated(diag.Related{Span: first, Message: "the first one is here"})
		return &d
	}
	if a.Schemes == nil {
		a.Schemes = map[string]schema.SecurityScheme{}
		a.named = map[string]diag.Span{}
	}
	a.Schemes[name], a.named[name] = scheme, naming.Span
	a.Places = append(a.Places,
		Place{Pointer: source.Pointer("/securitySchemes", name), Span: naming.Span},
		Place{Pointer: fmt.Sprintf("/security/%d", len(a.Security)), Span: naming.Span},
	)
	a.Security = append(a.Security, schema.Requirement{name: {}})
	return nil
}

// schemeOf returns the scheme that one provider stands for, or what is wrong
// with the provider.
func schemeOf(n *source.Node, severity diag.Severity) (scheme schema.SecurityScheme, fault *diag.Diagnostic) {
	refuse := func(at *source.Node, severity diag.Severity, hint, format string, args ...any) *diag.Diagnostic {
		d := diag.New(diag.AuthProvider, at.Span, format, args...).WithSeverity(severity).WithHint(hint)
		return &d
	}
	var names []string
	for _, p := range providers() {
		names = append(names, p.name)
	}
	kind, settings := present(n.Get("type")), n.Get("settings")
	i := slices.Index(names, text(kind))
	switch known := "known types: " + strings.Join(names, ", "); {
	case kind == nil:
		return scheme, refuse(n, diag.Error, known, "the auth provider has no type")
	case i < 0:
		return scheme, refuse(kind, severity, diag.Hint(text(kind), names, known), "unknown type of auth provider %s",
			diag.Quote(text(kind)))
	}
	p := providers()[i]
	setting := text(settings.Get(p.setting))
	switch {
	case p.setting != "" && setting == "":
		return scheme, refuse(cmp.Or(settings, n), diag.Error, p.hint, "the %s provider needs settings.%s", p.name, p.setting)
	case p.setting == "issuer" && strings.ContainsAny(setting, "?#"): // OpenID Connect Discovery 1.0, section 4
		return scheme, refuse(settings.Get(p.setting), diag.Error, "write the URL up to the ?; secrets in it would be public",
			"an issuer has neither a query nor a fragment")
	case p.setting == "tenant_id":
		setting = url.PathEscape(setting)
	}
	p.scheme.OpenIDConnectURL = strings.Replace(p.scheme.OpenIDConnectURL, "%s", strings.TrimSuffix(setting, "/"), 1)
	return p.scheme, nil
}
