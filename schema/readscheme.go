package schema

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// scheme reads a security scheme in the form of either version, or of both at
// once. It returns false for one that A2A cannot say.
func (r *reader) scheme(p place, name string) (SecurityScheme, bool) {
	if p.Is(source.String) {
		return r.schemeOf(kindOf(p.Text), r.take(p.with(object(0))), "in")
	}
	if !p.Is(source.Object) {
		return SecurityScheme{}, false
	}
	m := r.take(p)
	s, wrapped := r.wrappedScheme(m)
	f, flat := r.flatScheme(m, name)
	switch {
	case wrapped && flat && !sameScheme(s, f):
		r.drop(p, "the security scheme %s says something else in the form of 0.3 than in that of 1.0, which counts", diag.Quote(name))
	case wrapped && !flat && r.only == V03:
		r.repair(p, "the security scheme %s has the form of A2A 1.0", diag.Quote(name))
	case flat && !wrapped && r.only == V10:
		r.repair(p, "the security scheme %s has the form of A2A 0.3", diag.Quote(name))
	}
	m.ignore("a security scheme")
	if !wrapped {
		return f, flat
	}
	return s, true
}

// wrappedScheme reads a scheme in the form of 1.0 (section 4.5.1), or in the
// short one of some versions of a2a-go. It returns false where there is none.
func (r *reader) wrappedScheme(m *members) (SecurityScheme, bool) {
	for _, t := range schemeTypes() {
		for _, key := range wrappers(t) {
			inner := m.get(key)
			if !inner.Is(source.Object) {
				continue
			}
			m.mark(key)
			if key != wrapper(t) {
				r.repair(inner, "%s is read as %q", diag.Quote(key), wrapper(t))
			}
			body := r.take(inner)
			s, ok := r.schemeOf(SecurityScheme{Type: t}, body, "location")
			body.ignore("a security scheme")
			return s, ok
		}
	}
	return SecurityScheme{}, false
}

func schemeTypes() []SchemeType {
	return []SchemeType{APIKey, HTTPAuth, OAuth2, OpenIDConnect, MutualTLS}
}

// wrappers are the members that a scheme of the type may be held in.
func wrappers(t SchemeType) []string { return []string{wrapper(t), snake(wrapper(t)), string(t)} }

// wrappedType returns the type of the scheme that a member of that name holds,
// "" for any other member.
func wrappedType(key string) SchemeType {
	for _, t := range schemeTypes() {
		if slices.Contains(wrappers(t), key) {
			return t
		}
	}
	return ""
}

// flatScheme reads a scheme in the form of 0.3 (section 5.5.3), or without a
// type. It returns false where there is none.
func (r *reader) flatScheme(m *members, name string) (SecurityScheme, bool) {
	declared := m.take("type")
	kind := kindOf(declared.word())
	if declared.word() == "" {
		kind = impliedKind(m)
	}
	s, ok := r.schemeOf(kind, m, "in")
	switch {
	case !ok:
	case declared.word() == "":
		r.repair(m.place, "the security scheme %s states no type, it is read as %q", diag.Quote(name), string(s.Type))
	case string(s.Type) != declared.Text:
		r.repair(declared, "the type %s is read as %q", diag.Quote(declared.Text), strings.TrimSpace(string(s.Type)+" "+s.Scheme))
	}
	return s, ok
}

// kindOf returns the type that a word stands for, and for HTTP authentication
// its scheme, where the word names one.
func kindOf(said string) SecurityScheme {
	switch word(said) {
	case "apikey", "key":
		return SecurityScheme{Type: APIKey}
	case "http":
		return SecurityScheme{Type: HTTPAuth}
	case "bearer", "bearertoken", "bearerauth", "httpbearer", "jwt":
		return SecurityScheme{Type: HTTPAuth, Scheme: "bearer"}
	case "basic", "basicauth", "httpbasic":
		return SecurityScheme{Type: HTTPAuth, Scheme: "basic"}
	case "oauth2", "oauth", "oauth20":
		return SecurityScheme{Type: OAuth2}
	case "openidconnect", "oidc", "openid":
		return SecurityScheme{Type: OpenIDConnect}
	case "mutualtls", "mtls":
		return SecurityScheme{Type: MutualTLS}
	}
	return SecurityScheme{}
}

// impliedKind tells what a scheme without a type is, from its members.
func impliedKind(m *members) SecurityScheme {
	switch {
	case m.get("openIdConnectUrl").word() != "":
		return SecurityScheme{Type: OpenIDConnect}
	case m.get("flows").Is(source.Object):
		return SecurityScheme{Type: OAuth2}
	case m.get("scheme").word() != "":
		return kindOf(m.get("scheme").Text)
	case m.get("name").word() != "" && hasAny(m.Node, "in", "location"):
		return SecurityScheme{Type: APIKey}
	}
	return SecurityScheme{}
}

// schemeOf reads the members of a scheme of the given kind; in says where an API
// key is sent. It returns false where one is missing that cannot be assumed.
func (r *reader) schemeOf(kind SecurityScheme, m *members, in string) (s SecurityScheme, ok bool) {
	s.Type = kind.Type
	switch s.Type {
	case APIKey:
		s.In, s.Name = r.keyPlace(m, in), r.spelled(m.take("name"))
		if s.In == "" || s.Name == "" {
			s.In, s.Name = cmp.Or(s.In, "header"), cmp.Or(s.Name, "X-API-Key")
			r.assume(m.place, "the card does not say where the API key is sent, assumed: %s %s", s.In, diag.Quote(s.Name))
		}
		ok = true
	case HTTPAuth:
		s.Scheme = cmp.Or(r.spelled(m.take("scheme")), kind.Scheme)
		s.BearerFormat = r.spelled(m.take("bearerFormat"))
		ok = s.Scheme != ""
	case OAuth2:
		s.Flows = r.flows(m)
		s.OAuth2MetadataURL = r.spelled(m.take("oauth2MetadataUrl"))
		ok = len(s.Flows) > 0
	case OpenIDConnect:
		s.OpenIDConnectURL = r.spelled(m.take("openIdConnectUrl"))
		ok = s.OpenIDConnectURL != ""
	case MutualTLS:
		ok = true
	}
	if s.Description = r.spelled(m.take("description")); s.Type == MutualTLS && s.Description == mutualTLSDescription {
		s.Description = "" // nobody gave it one
	}
	if kindOf(m.get("scheme").word()).Type == s.Type {
		m.mark("scheme") // it has named the type
	}
	return s, ok
}

// keyPlace reads where an API key is sent, which 0.3 calls in and 1.0 location.
// It returns "" where the document does not tell.
func (r *reader) keyPlace(m *members, name string) string {
	p := m.take(name, "in", "location")
	said := r.spelled(p)
	in := strings.ToLower(said)
	switch in {
	case "header", "query", "cookie":
		if in != said {
			r.repair(p, "%s is read as %q", diag.Quote(said), in)
		}
		return in
	}
	if said != "" {
		r.drop(p, "an API key is sent in a header, a query or a cookie, not in %s", diag.Quote(said))
	}
	return ""
}

// flows reads the OAuth flows of a scheme. Without them, the members of a flow
// beside each other make one.
func (r *reader) flows(m *members) []Flow {
	p := m.take("flows")
	if !p.Is(source.Object) {
		if f, ok := r.flow(m, impliedFlow(m)); ok {
			r.assume(m.place, "the scheme states no OAuth flow, %q is assumed", string(f.Type))
			return []Flow{f}
		}
		return nil
	}
	flows := r.take(p)
	var list []Flow
	for _, t := range FlowTypes() {
		member := flows.take(string(t))
		if !member.Is(source.Object) {
			continue
		}
		body := r.take(member)
		f, ok := r.flow(body, t)
		body.ignore("an OAuth flow")
		if !ok {
			r.drop(member, "the OAuth flow %q lacks a URL and is left out", string(t))
			continue
		}
		list = append(list, f)
	}
	flows.ignore("OAuth")
	return list
}

// impliedFlow tells which flow the URLs of a scheme call for.
func impliedFlow(m *members) FlowType {
	switch {
	case m.get("tokenUrl").word() == "":
		return ""
	case m.get("authorizationUrl").word() == "":
		return ClientCredentials
	}
	return AuthorizationCode
}

// flow reads the members of a flow, and returns false where a URL is missing.
func (r *reader) flow(m *members, t FlowType) (Flow, bool) {
	f := Flow{Type: t}
	switch t {
	case "":
		return f, false
	case AuthorizationCode, Implicit:
		f.AuthorizationURL = r.spelled(m.take("authorizationUrl"))
	case DeviceCode:
		f.DeviceAuthorizationURL = r.spelled(m.take("deviceAuthorizationUrl"))
	}
	if t != Implicit {
		f.TokenURL = r.spelled(m.take("tokenUrl"))
	}
	f.RefreshURL = r.spelled(m.take("refreshUrl"))
	f.Scopes = r.scopes(m.plain("scopes"))
	if pkce := r.flag(m.take("pkceRequired")); pkce != nil {
		f.PKCERequired = *pkce
	}
	whole := f.AuthorizationURL != "" || t != AuthorizationCode && t != Implicit
	whole = whole && (f.DeviceAuthorizationURL != "" || t != DeviceCode)
	return f, whole && (f.TokenURL != "" || t == Implicit)
}

// scopes reads what a flow can ask for: a map to what a scope allows, or a list
// of names.
func (r *reader) scopes(p place) map[string]string {
	scopes := map[string]string{}
	if p.there() && !p.Is(source.Object) {
		for _, name := range r.spelledList(p) {
			scopes[name] = name
		}
		r.repair(p, "the scopes are no map, they are read as names")
	}
	for name, description := range p.entries() {
		scopes[name] = cmp.Or(r.spelled(description), name)
	}
	return scopes
}

// sameScheme tells whether two schemes say the same where 0.3 can say it.
func sameScheme(a, b SecurityScheme) bool {
	v03 := func(s SecurityScheme) *source.Node {
		w := wiring{v03: true}
		w.splitSchemes(map[string]SecurityScheme{"": s})
		return w.securitySchemes()
	}
	return v03(a).Equal(v03(b))
}
