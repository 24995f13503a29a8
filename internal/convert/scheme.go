package convert

import (
	"cmp"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readScheme reads a security scheme in the form of either version, or of both at
// once. It returns false for one that A2A cannot say.
func readScheme(r *reader, p place, name string) (schema.SecurityScheme, bool) {
	if p.Node.Is(source.String) {
		return schemeOf(r, SchemeMeant(p.Node.Text), r.take(p.With(source.NewObject(0))), "in")
	}
	if !p.Node.Is(source.Object) {
		return schema.SecurityScheme{}, false
	}
	before := r.moment()
	m := r.take(p)
	s, wrapped := wrappedScheme(r, m)
	f, flat := flatScheme(r, m, name)
	bare := s
	bare.Extra = nil // the form of 0.3 is not read yet
	switch {
	case wrapped && flat && !schema.SameScheme(bare, f):
		r.drop(p, "the security scheme %s differs between its form of 0.3 and that of 1.0, which is used", diag.Quote(name))
	case wrapped && !flat && r.only == schema.Flat:
		r.repair(p, "the security scheme %s has the form of A2A 1.0", diag.Quote(name))
	case flat && !wrapped && r.only == schema.Listed:
		r.repair(p, "the security scheme %s has the form of A2A 0.3", diag.Quote(name))
	}
	if !wrapped && !flat {
		r.rewind(before) // all of it is set aside
		return schema.SecurityScheme{}, false
	}
	extra := m.rest("security schemes")
	if !wrapped {
		f.Extra = extra
		return f, true
	}
	s.Extra = cmp.Or(s.Extra, extra)
	return s, true
}

// wrappedScheme reads a scheme in the form of 1.0 (section 4.5.1). It returns false
// where there is none.
func wrappedScheme(r *reader, m *members) (schema.SecurityScheme, bool) {
	for _, t := range schema.SchemeTypes() {
		for _, key := range []string{t.Wrapper(), schema.SnakeName(t.Wrapper())} {
			inner := m.At(key)
			if !inner.Node.Is(source.Object) {
				continue
			}
			m.mark(key)
			if key != t.Wrapper() {
				r.repair(inner, "%s is read as %q", diag.Quote(key), t.Wrapper())
			}
			body := r.take(inner)
			s, ok := schemeOf(r, schema.SecurityScheme{Type: t}, body, "location")
			s.Extra = body.rest("security schemes")
			return s, ok
		}
	}
	return schema.SecurityScheme{}, false
}

// flatScheme reads a scheme in the form of 0.3 (section 5.5.3), or without a
// type. It returns false where there is none.
func flatScheme(r *reader, m *members, name string) (schema.SecurityScheme, bool) {
	declared := m.take("type")
	kind := SchemeMeant(declared.Node.Word())
	if declared.Node.Word() == "" {
		kind = impliedKind(m)
	}
	if kind.Type == schema.OAuth2 && !m.At("flows").There() && m.At("openIdConnectUrl").Node.Word() != "" {
		kind = schema.SecurityScheme{Type: schema.OpenIDConnect}
	}
	s, ok := schemeOf(r, kind, m, "in")
	switch {
	case !ok:
	case declared.Node.Word() == "":
		r.repair(m.place, "the security scheme %s has no type; it is read as %q", diag.Quote(name), string(s.Type))
	case string(s.Type) != declared.Node.Text:
		r.repair(declared, "the type %s is read as %q", diag.Quote(declared.Node.Text),
			strings.TrimSpace(string(s.Type)+" "+s.Scheme))
	}
	return s, ok
}

// SchemeMeant returns the type that a word means, and for HTTP authentication its
// scheme, if the word names one.
func SchemeMeant(said string) schema.SecurityScheme {
	switch strings.TrimSuffix(word(said), "securityscheme") {
	case "apikey", "key":
		return schema.SecurityScheme{Type: schema.APIKey}
	case "http", "httpauth":
		return schema.SecurityScheme{Type: schema.HTTPAuth}
	case "bearer", "bearertoken", "bearerauth", "httpbearer", "jwt":
		return schema.SecurityScheme{Type: schema.HTTPAuth, Scheme: "bearer"}
	case "basic", "basicauth", "httpbasic":
		return schema.SecurityScheme{Type: schema.HTTPAuth, Scheme: "basic"}
	case "oauth2", "oauth", "oauth20":
		return schema.SecurityScheme{Type: schema.OAuth2}
	case "openidconnect", "oidc", "openid":
		return schema.SecurityScheme{Type: schema.OpenIDConnect}
	case "mutualtls", "mtls":
		return schema.SecurityScheme{Type: schema.MutualTLS}
	}
	return schema.SecurityScheme{}
}

// impliedKind returns the type of a scheme that states none, from its members.
func impliedKind(m *members) schema.SecurityScheme {
	switch {
	case m.At("openIdConnectUrl").Node.Word() != "":
		return schema.SecurityScheme{Type: schema.OpenIDConnect}
	case m.At("flows").Node.Is(source.Object):
		return schema.SecurityScheme{Type: schema.OAuth2}
	case m.At("scheme").Node.Word() != "":
		return SchemeMeant(m.At("scheme").Node.Text)
	case m.At("name").Node.Word() != "" && m.Node.HasAny("in", "location"):
		return schema.SecurityScheme{Type: schema.APIKey}
	}
	return schema.SecurityScheme{}
}

// schemeOf reads the members of a scheme of the given kind; in says where an API
// key is sent. It returns false where one is missing that cannot be assumed.
func schemeOf(r *reader, kind schema.SecurityScheme, m *members, in string) (s schema.SecurityScheme, ok bool) {
	s.Type = kind.Type
	if s.Type == schema.APIKey {
		s.In = keyPlace(r, m, in)
	}
	readPlain(r, m, s.Type.Message(), &s, "in", "location")
	switch s.Type {
	case "":
		m.mark("description") // which goes where the scheme goes
	case schema.APIKey:
		if s.In == "" || s.Name == "" {
			lacks := "where the API key is sent"
			switch {
			case s.Name != "":
				lacks = "whether the API key is sent in a header"
			case s.In != "":
				lacks = "the name of the API key"
			}
			if !r.Stated {
				s.In, s.Name = cmp.Or(s.In, "header"), cmp.Or(s.Name, "X-API-Key")
			}
			r.assume(m.place, "the card does not say %s, assumed: %s %s", lacks, s.In, diag.Quote(s.Name))
		}
		ok = true
	case schema.HTTPAuth:
		s.Scheme = cmp.Or(s.Scheme, kind.Scheme)
		ok = s.Scheme != ""
	case schema.OAuth2:
		s.Flows = readFlows(r, m)
		ok = len(s.Flows) > 0
	case schema.OpenIDConnect:
		ok = s.OpenIDConnectURL != ""
	case schema.MutualTLS:
		ok = true
	}
	if s.Type == schema.MutualTLS && s.Description == schema.MutualTLSDescription {
		s.Description = "" // the writer of 0.3 cards adds it
	}
	if SchemeMeant(m.At("scheme").Node.Word()).Type == s.Type {
		m.mark("scheme") // it has named the type
	}
	return s, ok
}

// keyPlace reads where an API key is sent, which 0.3 calls in and 1.0 location.
// It returns "" where the document does not tell.
func keyPlace(r *reader, m *members, name string) string {
	p := m.take(name, "in", "location", "in_") // the last is what a2a-python's own dump writes
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

// readFlows reads the OAuth flows of a scheme. Without them, the members of a flow
// beside each other make one.
func readFlows(r *reader, m *members) []schema.Flow {
	p := m.take("flows")
	if !p.Node.Is(source.Object) {
		if f, ok := readFlow(r, m, impliedFlow(m)); ok {
			r.assume(m.place, "the scheme has no OAuth flow; %q is assumed", string(f.Type))
			return []schema.Flow{f}
		}
		return nil
	}
	flows := r.take(p)
	var list []schema.Flow
	for _, t := range schema.FlowTypes() {
		member := flows.take(string(t))
		if !member.Node.Is(source.Object) {
			continue
		}
		body := r.take(member)
		f, ok := readFlow(r, body, t)
		f.Extra = body.rest("OAuth flows")
		if !ok {
			r.drop(member, "the OAuth flow %q lacks a URL, so it is left out", string(t))
			continue
		}
		list = append(list, f)
	}
	for i := range flows.Node.Members {
		if e := &flows.Node.Members[i]; !flows.taken[i] && !e.Value.Empty() {
			r.drop(flows.Named(e), "A2A has no OAuth flow %s, so it is left out", diag.Quote(e.Key))
		}
	}
	return list
}

// impliedFlow returns the flow that the URLs of a scheme call for.
func impliedFlow(m *members) schema.FlowType {
	switch {
	case m.At("tokenUrl").Node.Word() == "":
		return ""
	case m.At("authorizationUrl").Node.Word() == "":
		return schema.ClientCredentials
	}
	return schema.AuthorizationCode
}

// readFlow reads the members of a flow, and returns false where a URL is missing.
func readFlow(r *reader, m *members, t schema.FlowType) (schema.Flow, bool) {
	f := schema.Flow{Type: t}
	if t == "" {
		return f, false
	}
	readPlain(r, m, t.Message(), &f)
	f.Scopes = readScopes(r, m.plain("scopes"))
	whole := f.AuthorizationURL != "" || t != schema.AuthorizationCode && t != schema.Implicit
	whole = whole && (f.DeviceAuthorizationURL != "" || t != schema.DeviceCode)
	return f, whole && (f.TokenURL != "" || t == schema.Implicit)
}

// readScopes reads what a flow can ask for: a map to what a scope allows, or a list
// of names.
func readScopes(r *reader, p place) map[string]string {
	scopes := map[string]string{}
	if p.There() && !p.Node.Is(source.Object) {
		for _, name := range r.spelledList(p) {
			if scopes[name] = ""; !r.Stated {
				scopes[name] = name
			}
		}
		r.repair(p, "the scopes are not a map; they are read as names")
	}
	for m, description := range p.Entries() {
		if scopes[m.Key] = r.spelled(description); scopes[m.Key] == "" && !r.Stated {
			scopes[m.Key] = m.Key
			r.repair(description, "the scope %s has no description, its name is used", diag.Quote(m.Key))
		}
	}
	return scopes
}
