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

var schemesChecks = []check{
	{diag.SchemeAPIKey, both, schemeAPIKey},
	{diag.SchemeAPIKeyQuery, both, schemeAPIKeyQuery},
	{diag.SchemeHTTP, both, schemeHTTP},
	{diag.SchemeOIDCURL, both, schemeOIDCURL},
	{diag.SchemeShape, both, schemeShape},
	{diag.SchemeUnused, both, schemeUnused},
	{diag.SchemeURLInsecure, both, schemeURLInsecure},
}

// scheme is an entry of securitySchemes.
type scheme struct {
	place
	name    string
	flat    bool   // it has the form of 0.3
	kind    string // of the flat form: its type
	wrapped []form // of 1.0; a sound scheme has one
}

// form is a scheme in the form of one version: where its members stand, and
// its kind as 0.3 spells it.
type form struct {
	place
	kind string
}

// wrapperOf returns the member that holds a scheme of a type in 1.0 (section 4.5.1),
// "" for no type of 0.3.
func wrapperOf(kind string) string {
	if schema.SchemeType(kind).Message() == "" {
		return ""
	}
	return schema.SchemeType(kind).Wrapper()
}

func schemes(declared place) []scheme {
	var list []scheme
	for m, p := range declared.Entries() {
		s := scheme{place: p.Anchored(), name: m.Key}
		if kind := p.At("type").Node.Word(); wrapperOf(kind) != "" {
			s.flat, s.kind = true, kind
		}
		for _, t := range schema.SchemeTypes() {
			if inner := p.At(t.Wrapper()); inner.Node != nil {
				s.wrapped = append(s.wrapped, form{inner, string(t)})
			}
		}
		list = append(list, s)
	}
	return list
}

// forms returns the scheme in each form that it has.
func (s scheme) forms() []form {
	if s.flat {
		return append([]form{{s.place, s.kind}}, s.wrapped...)
	}
	return s.wrapped
}

func schemeShape(c *card) {
	for _, s := range c.schemes {
		if f, ok := schemeFault(s, c.in); ok {
			f.at = s.place
			c.report(f)
		}
	}
	reportShape(c)
}

func schemeFault(s scheme, in versions) (finding, bool) {
	name := quote(s.name)
	switch {
	case !s.Node.Is(source.Object):
		return finding{message: fmt.Sprintf("the scheme %s is %s, must be an object", name, s.Node.Kind.Article())}, true
	case !s.flat && len(s.wrapped) == 0:
		return unknownScheme(s, in), true
	case in&v10 != 0 && len(s.wrapped) == 0:
		kind := s.kind
		if kind == string(schema.OAuth2) && s.At("flows").Node == nil && s.At("openIdConnectUrl").Node.Word() != "" {
			kind = string(schema.OpenIDConnect)
		}
		return fault(s.place, fmt.Sprintf("put its members into %q", wrapperOf(kind)),
			"the scheme %s has the form of 0.3, which 1.0 clients ignore", name), true
	case in&v10 != 0 && len(s.wrapped) > 1:
		return fault(s.place, "declare one scheme for each type", "the scheme %s has %d types, must have one", name,
			len(s.wrapped)), true
	case in&v03 != 0 && !s.flat:
		f := fault(s.place, fmt.Sprintf(`add "type": %q and its members at the top of the scheme`, s.wrapped[0].kind),
			"the scheme %s has the form of 1.0, which 0.3 clients ignore", name)
		if s.wrapped[0].At("flows").At("deviceCode").Node != nil {
			f.hint = "0.3 has no device code flow: add another flow"
		}
		return f, true
	}
	return finding{}, false
}

// unknownScheme reports a scheme of an unknown type.
func unknownScheme(s scheme, in versions) finding {
	f := fault(s.place, "types of 0.3: apiKey, http, oauth2, openIdConnect, mutualTLS", "the scheme %s has no type",
		quote(s.name))
	if t := s.At("type"); t.Node.Scalar() {
		f.message = fmt.Sprintf("the scheme %s has the unknown type %s", quote(s.name), quote(t.Node.Text))
		if meant := convert.SchemeMeant(t.Node.Text); meant.Type != "" {
			f.hint = fmt.Sprintf("did you mean %q?", string(meant.Type))
		}
	}
	if in&v03 == 0 {
		f.hint = "types of 1.0: apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme, " +
			"openIdConnectSecurityScheme, mtlsSecurityScheme"
		if s.At("type").Node == nil {
			f.message = fmt.Sprintf("the scheme %s has no type", quote(s.name))
		}
	}
	for m := range s.Entries() {
		if w := wrapperOf(m.Key); w != "" {
			f.hint = fmt.Sprintf("rename %q to %q", m.Key, w)
		}
	}
	return f
}

func schemeAPIKey(c *card) {
	c.eachLocation(func(at place) {
		if at.Node.Word() != "" && !slices.Contains([]string{"header", "query", "cookie"}, at.Node.Word()) {
			c.find(at, "", "an API key is sent in a header, query or cookie, not in %s", quote(at.Node.Word()))
		}
	})
	for _, s := range c.schemes {
		for _, f := range s.forms() {
			name, in := f.At("name"), cmp.Or(f.At("location").Node.Word(), f.At("in").Node.Word())
			if in != "query" && in != "cookie" {
				in = "header"
			}
			if f.kind == "apiKey" && !sendable(name.Node.Word(), in) {
				c.find(name, "write the name as clients send it, such as X-API-Key",
					"the API key has the name %s, which no %s has", quote(name.Node.Text), in)
				break
			}
		}
	}
	reportShape(c)
}

// sendable reports whether an API key can be sent under a name: the name of a header or a
// cookie is a token (RFC 9110, 5.6.2), and no other has spaces.
func sendable(name, in string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		token := r > ' ' && r < unicode.MaxASCII && !strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
		return unicode.IsSpace(r) || in != "query" && !token
	})
}

func schemeAPIKeyQuery(c *card) {
	c.eachLocation(func(at place) {
		if at.Node.Word() == "query" {
			c.find(at, "send the key in a header", "an API key in a URL ends up in logs and browser histories")
		}
	})
}

// eachLocation calls judge with the place where each API key scheme says how
// the key is sent; of the two forms of a dual scheme the first.
func (c *card) eachLocation(judge func(place)) {
	for _, s := range c.schemes {
		seen := map[string]bool{}
		for _, f := range s.forms() {
			at := f.At("in")
			if f.Node != s.Node {
				at = f.At("location")
			}
			if f.kind == "apiKey" && !seen[at.Node.Word()] {
				seen[at.Node.Word()] = true
				judge(at)
			}
		}
	}
}

func schemeHTTP(c *card) {
	for _, s := range c.schemes {
		for _, f := range s.forms() {
			if f.kind == "http" && strings.EqualFold(f.At("scheme").Node.Word(), "basic") {
				c.findAs(diag.Warning, f.At("scheme"), "prefer bearer tokens",
					"the scheme %s is HTTP Basic, which sends the password with every request", quote(s.name))
				break
			}
			if name := f.At("scheme").Node.Word(); f.kind == "http" && name != "" &&
				!slices.Contains(httpSchemes, strings.ToLower(name)) {
				const registered = "use a name of the IANA registry of HTTP authentication schemes, such as bearer"
				c.findAs(diag.Warning, f.At("scheme"), diag.Hint(strings.ToLower(name), httpSchemes, registered),
					"the scheme %s is HTTP %s, which clients do not know", quote(s.name), quote(name))
				break
			}
		}
	}
	reportShape(c)
}

// httpSchemes are the names of the IANA registry of HTTP authentication schemes,
// in lower case.
var httpSchemes = strings.Fields(
	"basic bearer concealed digest dpop gnap hoba mutual negotiate oauth privatetoken scram-sha-1 scram-sha-256 vapid")

// eachSchemeURL calls judge for every URL of a scheme, each once.
func (c *card) eachSchemeURL(judge func(s scheme, at place)) {
	for _, s := range c.schemes {
		seen := map[string]bool{}
		for _, f := range s.forms() {
			places := []place{f.At("openIdConnectUrl"), f.At("oauth2MetadataUrl")}
			for _, flow := range flowsOf(f.At("flows")) {
				places = append(places, flow.At("authorizationUrl"), flow.At("deviceAuthorizationUrl"), flow.At("tokenUrl"),
					flow.At("refreshUrl"))
			}
			for _, at := range places {
				if text := at.Node.Word(); text != "" && !seen[text] {
					seen[text] = true
					judge(s, at)
				}
			}
		}
	}
}

func schemeURLInsecure(c *card) {
	c.eachSchemeURL(func(s scheme, at place) {
		u := web(at.Node.Text)
		switch {
		case u == nil:
			c.find(at, "", "%s of the scheme %s is not an absolute https URL", quote(at.Node.Text), quote(s.name))
		case u.Scheme == "http" && !isLoopback(hostOf(at.Node.Text)):
			c.find(at, "use https", "%s of the scheme %s does not use TLS, so credentials are sent unencrypted", quote(at.Node.Text),
				quote(s.name))
		case strings.Contains(at.Node.Text, "#"):
			before, fragment, _ := strings.Cut(at.Node.Text, "#")
			c.findAs(diag.Warning, at, "write "+quote(before),
				"%s of the scheme %s has the fragment %s, which clients do not send", quote(at.Node.Text), quote(s.name),
				quote(fragment))
		}
	})
}

func schemeOIDCURL(c *card) {
	const suffix = "/.well-known/openid-configuration"
	c.eachSchemeURL(func(_ scheme, at place) {
		if strings.HasSuffix(at.Pointer(), "/openIdConnectUrl") && web(at.Node.Text) != nil &&
			!strings.HasSuffix(web(at.Node.Text).Path, suffix) {
			c.find(at, "use the URL of the discovery document, not of the issuer", "%s is not a discovery URL, must end in %s",
				quote(at.Node.Text), suffix)
		}
	})
}

func schemeUnused(c *card) {
	if len(c.demands) == 0 {
		return // security-none says so
	}
	used := map[string]bool{}
	c.eachNeed(func(n need) { used[n.scheme] = true })
	for _, d := range c.demands {
		if d.fault != nil {
			return // what it was to name is unknown
		}
	}
	for _, s := range c.schemes {
		if _, broken := schemeFault(s, c.in); !used[s.name] && !broken {
			c.find(s.place, "delete it, or require it", "the scheme %s is declared, but no requirement uses it", quote(s.name))
		}
	}
}
