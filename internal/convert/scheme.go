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
		return schemeOf(r, SchemeMeant(p.Node.Text), r.members(p.With(source.NewObject(0))), "in")
	}
	if !p.Node.Is(source.Object) {
		return schema.SecurityScheme{}, false
	}
	m := r.members(p)
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
	case !wrapped && !flat:
		return schema.SecurityScheme{}, false
	}
	if wrapped && !flat && !r.Stated {
		for _, row := range schema.Members(s.Type.Message()) {
			if beside := m.exact(row.Name); beside.There() {
				r.drop(beside, "%s stands beside the form of 1.0 and is left out", diag.Quote(row.Name))
			}
		}
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
			inner := m.place.At(key)
			if !inner.Node.Is(source.Object) {
				continue
			}
			m.exact(key)
			if key != t.Wrapper() {
				r.repair(inner, "%s is read as %q", diag.Quote(key), t.Wrapper())
			}
			body := r.members(inner)
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
	declared := m.member("type")
	kind := SchemeMeant(declared.Node.Word())
	if declared.Node.Word() == "" {
		kind = impliedKind(m)
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
	case m.place.At("openIdConnectUrl").Node.Word() != "":
		return schema.SecurityScheme{Type: schema.OpenIDConnect}
	case m.place.At("flows").Node.Is(source.Object):
		return schema.SecurityScheme{Type: schema.OAuth2}
	case m.place.At("name").Node.Word() != "" && m.place.Node.HasAny("in", "location"):
		return schema.SecurityScheme{Type: schema.APIKey}
	}
	return SchemeMeant(m.place.At("scheme").Node.Word())
}

// schemeOf reads the members of a scheme of the given kind; in is what its form calls
// the place of an API key. It returns false where one is missing that cannot be assumed.
func schemeOf(r *reader, kind schema.SecurityScheme, m *members, in string) (s schema.SecurityScheme, ok bool) {
	s.Type = kind.Type
	readPlain(r, m, s.Type.Message(), &s, "in", "location")
	switch s.Type {
	case "":
		m.exact("description") // which goes where the scheme goes
		return s, false
	case schema.APIKey:
		s.In = r.text(m.member(in, "in", "location", "in_")) // the last is what a2a-python's own dump writes
		if (s.In == "" || s.Name == "") && !r.Stated {
			s.In, s.Name = cmp.Or(s.In, "header"), cmp.Or(s.Name, "X-API-Key")
			r.assume(m.place, "the card does not say where the API key is sent, assumed: %s %s", s.In, diag.Quote(s.Name))
		}
	case schema.OAuth2:
		s.Flows = readFlows(r, m)
	case schema.HTTPAuth:
		s.Scheme = cmp.Or(s.Scheme, kind.Scheme)
	case schema.MutualTLS:
		if s.Description == schema.MutualTLSDescription {
			s.Description = "" // the writer of cards adds it
		}
	}
	if SchemeMeant(m.place.At("scheme").Node.Word()).Type == s.Type {
		m.exact("scheme") // it has named the type
	}
	return s, whole(s.Type.Message(), &s) && (s.Type != schema.OAuth2 || len(s.Flows) > 0)
}

// whole reports whether a message has the texts that it requires in each version that
// has them.
func whole(message string, of any) bool {
	for _, m := range schema.Members(message) {
		if m.Required && m.Plain() && m.Text(of) == "" {
			return false
		}
	}
	return true
}

// readFlows reads the OAuth flows of a scheme.
func readFlows(r *reader, m *members) []schema.Flow {
	p := m.member("flows")
	if !p.Node.Is(source.Object) {
		return nil
	}
	flows := r.members(p)
	var list []schema.Flow
	for _, t := range schema.FlowTypes() {
		member := flows.member(string(t))
		if !member.Node.Is(source.Object) {
			continue
		}
		body := r.members(member)
		f := schema.Flow{Type: t}
		readPlain(r, body, t.Message(), &f)
		f.Scopes = readScopes(r, body.exact("scopes"))
		f.Extra = body.rest("OAuth flows")
		if !whole(t.Message(), &f) {
			r.drop(member, "the OAuth flow %q lacks a URL, so it is left out", string(t))
			continue
		}
		list = append(list, f)
	}
	for i := range flows.place.Node.Members {
		if e := &flows.place.Node.Members[i]; !flows.read[i] && !e.Value.Empty() {
			r.drop(flows.place.Named(e), "A2A has no OAuth flow %s, so it is left out", diag.Quote(e.Key))
		}
	}
	return list
}

// readScopes reads what a flow can ask for: a map to what a scope allows. Where it
// does not say, the name is written.
func readScopes(r *reader, p place) map[string]string {
	scopes := map[string]string{}
	if p.There() && !p.Node.Is(source.Object) {
		r.drop(p, "the scopes of an OAuth flow are %s and left out", p.Node.Kind.Article())
	}
	for m, description := range p.Entries() {
		if scopes[m.Key] = r.text(description); scopes[m.Key] == "" {
			r.silent = append(r.silent, description)
		}
	}
	return scopes
}
