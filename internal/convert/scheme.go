package convert

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// scheme reads a security scheme in the form of either version, or of both at
// once. It returns false for one that A2A cannot say.
func (r *reader) scheme(p place, name string) (schema.SecurityScheme, bool) {
	if p.Is(source.String) {
		return r.schemeOf(kindOf(p.Text), r.take(p.With(source.NewObject(0))), "in")
	}
	if !p.Is(source.Object) {
		return schema.SecurityScheme{}, false
	}
	before := r.moment()
	m := r.take(p)
	s, wrapped := r.wrappedScheme(m)
	f, flat := r.flatScheme(m, name)
	bare := s
	bare.Extra = nil // that of the form of 0.3 is not read yet
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
	if wrapped {
		r.ignoreOthers(m, s.Type)
	}
	extra := m.rest("security schemes")
	if !wrapped {
		f.Extra = extra
		return f, true
	}
	s.Extra = cmp.Or(s.Extra, extra)
	return s, true
}

// ignoreOthers leaves out the members of a scheme that stand beside its wrapper and
// made no scheme of their own.
func (r *reader) ignoreOthers(m *members, t schema.SchemeType) {
	names := []string{"in", "location"}
	for _, row := range schema.Members(t.Message()) {
		names = append(names, row.Name, schema.SnakeName(row.Name))
	}
	for i := range m.Members {
		if e := &m.Members[i]; !m.taken[i] && !e.Value.Empty() && slices.Contains(names, e.Key) {
			m.taken[i] = true
			r.drop(m.Named(e), "%s is beside the form of A2A 1.0, which is used, so it is left out", diag.Quote(e.Key))
		}
	}
}

// wrappedScheme reads a scheme in the form of 1.0 (section 4.5.1), or in the
// short one of some versions of a2a-go. It returns false where there is none.
func (r *reader) wrappedScheme(m *members) (schema.SecurityScheme, bool) {
	for _, t := range schema.SchemeTypes() {
		for _, key := range wrappers(t) {
			inner := m.At(key)
			if !inner.Is(source.Object) {
				continue
			}
			m.mark(key)
			if key != t.Wrapper() {
				r.repair(inner, "%s is read as %q", diag.Quote(key), t.Wrapper())
			}
			body := r.take(inner)
			s, ok := r.schemeOf(schema.SecurityScheme{Type: t}, body, "location")
			s.Extra = body.rest("security schemes")
			return s, ok
		}
	}
	return schema.SecurityScheme{}, false
}

// wrappers are the members that a scheme of the type may be held in.
func wrappers(t schema.SchemeType) []string {
	return []string{t.Wrapper(), schema.SnakeName(t.Wrapper()), string(t)}
}

// WrappedType returns the type of the scheme that a member of that name holds,
// "" for any other member.
func WrappedType(key string) schema.SchemeType {
	for _, t := range schema.SchemeTypes() {
		if slices.Contains(wrappers(t), key) {
			return t
		}
	}
	return ""
}

// flatScheme reads a scheme in the form of 0.3 (section 5.5.3), or without a
// type. It returns false where there is none.
func (r *reader) flatScheme(m *members, name string) (schema.SecurityScheme, bool) {
	declared := m.take("type")
	kind := kindOf(declared.Word())
	if declared.Word() == "" {
		kind = impliedKind(m)
	}
	at, found := discovery(m)
	if found = found && kind.Type == schema.OAuth2; found {
		kind = schema.SecurityScheme{Type: schema.OpenIDConnect}
	}
	s, ok := r.schemeOf(kind, m, "in")
	if found {
		m.mark(at.Token())
		s.OpenIDConnectURL, ok = at.Text, true
		r.repair(at, "OAuth beside the URL of an OpenID configuration is read as OpenID Connect")
		return s, ok
	}
	switch {
	case !ok:
	case declared.Word() == "":
		r.repair(m.place, "the security scheme %s has no type; it is read as %q", diag.Quote(name), string(s.Type))
	case string(s.Type) != declared.Text:
		r.repair(declared, "the type %s is read as %q", diag.Quote(declared.Text),
			strings.TrimSpace(string(s.Type)+" "+s.Scheme))
	}
	return s, ok
}

// discovery returns the URL of an OpenID configuration among the members of a
// scheme that states no flows, and false where there is none.
func discovery(m *members) (place, bool) {
	if m.At("flows").There() {
		return place{}, false
	}
	for _, p := range m.Entries() {
		if isDiscovery(p) {
			return p, true
		}
	}
	return place{}, false
}

// isDiscovery reports whether a value is the URL of an OpenID configuration.
func isDiscovery(p place) bool {
	return strings.HasSuffix(strings.TrimSuffix(p.Word(), "/"), "/.well-known/openid-configuration")
}

// kindOf returns the type that a word means, and for HTTP authentication its
// scheme, if the word names one.
func kindOf(said string) schema.SecurityScheme {
	switch word(said) {
	case "apikey", "key":
		return schema.SecurityScheme{Type: schema.APIKey}
	case "http":
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

// impliedKind tells what a scheme without a type is, from its members.
func impliedKind(m *members) schema.SecurityScheme {
	switch {
	case m.At("openIdConnectUrl").Word() != "":
		return schema.SecurityScheme{Type: schema.OpenIDConnect}
	case m.At("flows").Is(source.Object):
		return schema.SecurityScheme{Type: schema.OAuth2}
	case m.At("scheme").Word() != "":
		return kindOf(m.At("scheme").Text)
	case m.At("name").Word() != "" && m.HasAny("in", "location"):
		return schema.SecurityScheme{Type: schema.APIKey}
	}
	return schema.SecurityScheme{}
}

// schemeOf reads the members of a scheme of the given kind; in says where an API
// key is sent. It returns false where one is missing that cannot be assumed.
func (r *reader) schemeOf(kind schema.SecurityScheme, m *members, in string) (s schema.SecurityScheme, ok bool) {
	s.Type = kind.Type
	if s.Type == schema.APIKey {
		s.In = r.keyPlace(m, in)
	}
	r.plain(m, s.Type.Message(), &s, "in", "location")
	switch s.Type {
	case "":
		m.mark("description") // which goes where the scheme goes
	case schema.APIKey:
		r.keyName(m, &s)
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
		s.Flows = r.flows(m)
		ok = len(s.Flows) > 0
	case schema.OpenIDConnect:
		ok = s.OpenIDConnectURL != ""
	case schema.MutualTLS:
		ok = true
	}
	if s.Type == schema.MutualTLS && s.Description == schema.MutualTLSDescription {
		s.Description = "" // nobody gave it one
	}
	if kindOf(m.At("scheme").Word()).Type == s.Type {
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

// keyName reads by what name an API key is sent from members that name the place
// as well: {"header": "X-Key"}. A member name counts before them.
func (r *reader) keyName(m *members, s *schema.SecurityScheme) {
	for _, alias := range []struct{ key, in string }{
		{"header", "header"},
		{"headerName", "header"},
		{"query", "query"},
		{"cookie", "cookie"},
		{"cookieName", "cookie"},
		{"param", "query"},
	} {
		for _, key := range []string{alias.key, schema.SnakeName(alias.key)} {
			p := m.At(key)
			name, _, _ := strings.Cut(p.Word(), ":")
			in := cmp.Or(s.In, alias.in)
			if !isKeyName(name) || s.Name != "" && s.Name != name || in != alias.in && !strings.HasPrefix(alias.key, "param") ||
				m.mark(key) < 0 {
				continue
			}
			s.In, s.Name = in, name
			r.repair(p, "%s is read as the name of the API key, which is sent in a %s", diag.Quote(key), in)
		}
	}
}

// isKeyName reports whether a text can be the name of a header, a query parameter
// or a cookie.
func isKeyName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool {
		return c <= ' ' || c > '~' || strings.ContainsRune(`"(),/;<=>?@\{}`, c)
	})
}

// flows reads the OAuth flows of a scheme. Without them, the members of a flow
// beside each other make one.
func (r *reader) flows(m *members) []schema.Flow {
	p := m.take("flows")
	if !p.Is(source.Object) {
		if f, ok := r.flow(m, impliedFlow(m)); ok {
			r.assume(m.place, "the scheme has no OAuth flow; %q is assumed", string(f.Type))
			return []schema.Flow{f}
		}
		return nil
	}
	flows := r.take(p)
	var list []schema.Flow
	for _, t := range schema.FlowTypes() {
		member := flows.take(string(t))
		if !member.Is(source.Object) {
			continue
		}
		body := r.take(member)
		f, ok := r.flow(body, t)
		f.Extra = body.rest("OAuth flows")
		if !ok {
			r.drop(member, "the OAuth flow %q lacks a URL, %s", string(t), r.kept("flow-"+string(t), member.Node))
			m.setAside("flow-"+string(t), member.Node)
			continue
		}
		list = append(list, f)
	}
	unread := source.NewObject(0)
	for i := range flows.Members {
		if e := &flows.Members[i]; !flows.taken[i] && !e.Value.Empty() {
			unread.Members = append(unread.Members, *e)
			r.drop(flows.Named(e), "A2A has no OAuth flow %s, %s", diag.Quote(e.Key), r.kept("flows", e.Value))
		}
	}
	m.setAside("flows", unread)
	return list
}

// impliedFlow tells which flow the URLs of a scheme call for.
func impliedFlow(m *members) schema.FlowType {
	switch {
	case m.At("tokenUrl").Word() == "":
		return ""
	case m.At("authorizationUrl").Word() == "":
		return schema.ClientCredentials
	}
	return schema.AuthorizationCode
}

// flow reads the members of a flow, and returns false where a URL is missing.
func (r *reader) flow(m *members, t schema.FlowType) (schema.Flow, bool) {
	f := schema.Flow{Type: t}
	if t == "" {
		return f, false
	}
	r.plain(m, t.Message(), &f)
	f.Scopes = r.scopes(m.plain("scopes"))
	whole := f.AuthorizationURL != "" || t != schema.AuthorizationCode && t != schema.Implicit
	whole = whole && (f.DeviceAuthorizationURL != "" || t != schema.DeviceCode)
	return f, whole && (f.TokenURL != "" || t == schema.Implicit)
}

// scopes reads what a flow can ask for: a map to what a scope allows, or a list
// of names.
func (r *reader) scopes(p place) map[string]string {
	scopes := map[string]string{}
	if p.There() && !p.Is(source.Object) {
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
