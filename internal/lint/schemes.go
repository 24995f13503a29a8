package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

var schemeChecks = checks{
	diag.SchemeAPIKey:      {both, eachForm("apiKey", schemeAPIKey)},
	diag.SchemeAPIKeyQuery: {both, eachForm("apiKey", schemeAPIKeyQuery)},
	diag.SchemeHTTP:        {both, eachForm("http", schemeHTTP)},
	diag.SchemeOIDCURL:     {both, eachForm("openIdConnect", schemeOIDCURL)},
	diag.SchemeShape:       {both, schemeShape},
	diag.SchemeURLInsecure: {both, eachForm("", schemeURLInsecure)},
	diag.SchemeUnused:      {both, schemeUnused},
}

// scheme is an entry of securitySchemes.
type scheme struct {
	location
	name  string
	forms []form // the flat one first
}

// form is a scheme in the form of one version: where its members stand, and
// its kind as 0.3 spells it.
type form struct {
	location
	name string // of the scheme
	kind string
	flat bool // of 0.3
}

// wrapperOf returns the member that holds a scheme of a type in 1.0 (section 4.5.1),
// "" for no type of 0.3.
func wrapperOf(kind string) string {
	if schema.SchemeType(kind).Message() == "" {
		return ""
	}
	return schema.SchemeType(kind).Wrapper()
}

func schemes(declared location) []scheme {
	var list []scheme
	for m, p := range declared.Entries() {
		s := scheme{location: p.Anchored(), name: m.Key}
		if kind := p.At("type").Node.Word(); wrapperOf(kind) != "" {
			s.forms = append(s.forms, form{s.location, s.name, kind, true})
		}
		for _, t := range schema.SchemeTypes() {
			if inner := p.At(t.Wrapper()); inner.Node != nil {
				s.forms = append(s.forms, form{inner, s.name, string(t), false})
			}
		}
		list = append(list, s)
	}
	return list
}

// eachForm returns a check of the schemes of a kind, "" for all. Of a dual scheme the
// first form that has a finding is reported.
func eachForm(kind string, check func(c *card, f form)) func(*card) {
	return func(c *card) {
		for _, s := range c.schemes {
			before := c.count
			for _, f := range s.forms {
				if c.count == before && (kind == "" || f.kind == kind) {
					check(c, f)
				}
			}
		}
	}
}

// fault returns what is wrong with the form of a scheme, "" for nothing.
func (s scheme) fault(in versions) string {
	flat := len(s.forms) > 0 && s.forms[0].flat
	wrapped := len(s.forms)
	if flat {
		wrapped--
	}
	switch {
	case !s.Node.Is(source.Object):
		return "is " + s.Node.Kind.Article() + ", must be an object"
	case len(s.forms) == 0 && s.At("type").Node.Scalar():
		return "has the unknown type " + diag.Quote(s.At("type").Node.Text)
	case len(s.forms) == 0:
		return "has no type"
	case in.Has(v10) && wrapped == 0:
		return "has the form of 0.3, which 1.0 clients ignore"
	case in.Has(v10) && wrapped > 1:
		return fmt.Sprintf("has %d types, must have one", wrapped)
	case in.Has(v03) && !flat:
		return "has the form of 1.0, which 0.3 clients ignore"
	}
	return ""
}

func schemeShape(c *card) {
	for _, s := range c.schemes {
		if fault := s.fault(c.in); fault != "" {
			c.find(s.location, s.hint(c.in), "the scheme %s %s", diag.Quote(s.name), fault)
		}
	}
}

// hint says how to fix a scheme in the form of another version, or in none.
func (s scheme) hint(in versions) string {
	switch {
	case !s.Node.Is(source.Object):
		return ""
	case len(s.forms) == 0:
		return s.typeHint(in)
	case len(s.forms) > 1:
		return "declare one scheme for each type"
	}
	f := s.forms[0]
	oidc := f.kind == string(schema.OAuth2) && f.At("flows").Node == nil && f.At("openIdConnectUrl").Node.Word() != ""
	switch {
	case f.flat && oidc:
		return fmt.Sprintf("put its members into %q", schema.OpenIDConnect.Wrapper())
	case f.flat:
		return fmt.Sprintf("put its members into %q", wrapperOf(f.kind))
	case f.At("flows").At("deviceCode").Node != nil:
		return "0.3 has no device code flow: add another flow"
	}
	return fmt.Sprintf(`add "type": %q and its members at the top of the scheme`, f.kind)
}

// typeHint says which type a scheme without a known one may have.
func (s scheme) typeHint(in versions) string {
	for m := range s.Entries() {
		if w := wrapperOf(m.Key); w != "" {
			return fmt.Sprintf("rename %q to %q", m.Key, w)
		}
	}
	if !in.Has(v03) {
		return "types of 1.0: apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, " +
			"openIdConnectSecurityScheme, mtlsSecurityScheme"
	}
	if meant := convert.SchemeMeant(s.At("type").Node.ScalarText()); meant.Type != "" {
		return diag.Meant(string(meant.Type))
	}
	return "types of 0.3: apiKey, http, oauth2, openIdConnect, mutualTLS"
}

// keyLocation returns where a scheme says how an API key is sent.
func (f form) keyLocation() location {
	if f.flat {
		return f.At("in")
	}
	return f.At("location")
}

func schemeAPIKey(c *card, f form) {
	at, name := f.keyLocation(), f.At("name")
	in := at.Node.Word()
	if in != "" && !slices.Contains([]string{"header", "query", "cookie"}, in) {
		c.find(at, "", "an API key is sent in a header, query or cookie, not in %s", diag.Quote(in))
		in = ""
	}
	if in = cmp.Or(in, "header"); !sendable(name.Node.Word(), in) {
		c.find(name, "write the name as clients send it, such as X-API-Key",
			"the API key has the name %s, which no %s has", diag.Quote(name.Node.Text), in)
	}
}

// sendable reports whether an API key can be sent under a name: the name of a header or a
// cookie is a token (RFC 9110, 5.6.2), and no other has spaces.
func sendable(name, in string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		token := r > ' ' && r < unicode.MaxASCII && !strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
		return unicode.IsSpace(r) || in != "query" && !token
	})
}

func schemeAPIKeyQuery(c *card, f form) {
	if at := f.keyLocation(); at.Node.Word() == "query" {
		c.find(at, "send the key in a header", "an API key in a URL ends up in logs and browser histories")
	}
}

func schemeHTTP(c *card, f form) {
	at, name := f.At("scheme"), f.At("scheme").Node.Word()
	lower := strings.ToLower(name)
	switch {
	case lower == "basic":
		c.find(at, "prefer bearer tokens", "the scheme %s is HTTP Basic, which sends the password with every request",
			diag.Quote(f.name)).Severity = diag.Warning
	case name != "" && !slices.Contains(httpSchemes, lower):
		const registered = "use a name of the IANA registry of HTTP authentication schemes, such as bearer"
		c.find(at, diag.Hint(lower, httpSchemes, registered), "the scheme %s is HTTP %s, which clients do not know",
			diag.Quote(f.name), diag.Quote(name)).Severity = diag.Warning
	}
}

// httpSchemes are the names of the IANA registry of HTTP authentication schemes,
// in lower case.
var httpSchemes = strings.Fields(
	"basic bearer concealed digest dpop gnap hoba mutual negotiate oauth privatetoken scram-sha-1 scram-sha-256 vapid")

func schemeURLInsecure(c *card, f form) {
	urls := []location{f.At("openIdConnectUrl"), f.At("oauth2MetadataUrl")}
	for _, flow := range f.flows() {
		for _, key := range []string{"authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"} {
			urls = append(urls, flow.At(key))
		}
	}
	seen := map[string]bool{"": true}
	for _, at := range urls {
		if !seen[at.Node.Word()] {
			seen[at.Node.Word()] = true
			checkSchemeURL(c, f, at)
		}
	}
}

func checkSchemeURL(c *card, f form, at location) {
	u := web(at.Node.Text)
	before, fragment, cut := strings.Cut(at.Node.Text, "#")
	switch {
	case u == nil:
		c.find(at, "", "%s of the scheme %s is not an absolute https URL", diag.Quote(at.Node.Text), diag.Quote(f.name))
	case u.Scheme == "http" && !isLoopback(hostOf(at.Node.Text)):
		c.find(at, "use https", "%s of the scheme %s does not use TLS, so credentials are sent unencrypted",
			diag.Quote(at.Node.Text), diag.Quote(f.name))
	case cut:
		c.find(at, "write "+diag.Quote(before), "%s of the scheme %s has the fragment %s, which clients do not send",
			diag.Quote(at.Node.Text), diag.Quote(f.name), diag.Quote(fragment)).Severity = diag.Warning
	}
}

func schemeOIDCURL(c *card, f form) {
	const suffix = "/.well-known/openid-configuration"
	at := f.At("openIdConnectUrl")
	if u := web(at.Node.Word()); u != nil && !strings.HasSuffix(u.Path, suffix) {
		c.find(at, "use the URL of the discovery document, not of the issuer", "%s is not a discovery URL, must end in %s",
			diag.Quote(at.Node.Text), suffix)
	}
}

func schemeUnused(c *card) {
	used := map[string]bool{}
	for n := range needs(c) {
		used[n.scheme] = true
	}
	if len(c.demands) == 0 || slices.ContainsFunc(c.demands, func(d demand) bool { return d.broken }) {
		return // security-none says so, or what is required is unknown
	}
	for _, s := range c.schemes {
		if !used[s.name] && s.fault(c.in) == "" {
			c.find(s.location, "delete it, or require it", "the scheme %s is declared, but no requirement uses it",
				diag.Quote(s.name))
		}
	}
}
