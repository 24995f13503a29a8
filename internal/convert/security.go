package convert

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// security is what a card says about authentication.
type security struct {
	schemes      map[string]schema.SecurityScheme
	requirements []schema.Requirement
	anonymous    map[string]bool // schemes of the type none
	aside        map[string]bool // schemes that A2A has no form for
}

// undeclared reports whether no scheme of the card has that name.
func (s security) undeclared(name string) bool {
	_, known := s.schemes[name]
	return !known && !s.anonymous[name] && !s.aside[name]
}

// readSecurity reads the schemes and requirements of a card. What has no meaning in
// A2A is set aside with a warning: leaving it out would read as "no
// authentication needed".
func readSecurity(r *reader, card *members) security {
	s := security{schemes: map[string]schema.SecurityScheme{}, anonymous: map[string]bool{}, aside: map[string]bool{}}
	schemes := card.member("securitySchemes")
	r.places["/securitySchemes"] = schemes
	for _, key := range []string{"authentication", "security", "securityRequirements"} {
		if p := card.place.At(key); p.There() {
			r.places["/securityRequirements"] = p
		}
	}
	if schemes.Node.Scalar() {
		card.setAside("securitySchemes", schemes.Node)
		r.drop(schemes, "securitySchemes is %s and declares nothing, %s", schemes.Node.Kind.Article(),
			r.kept("securitySchemes", schemes.Node))
	}
	aside := source.NewObject(0)
	for m, p := range schemes.Entries() {
		declareScheme(r, &s, m.Key, p, aside)
	}
	if schemes.Node.Is(source.Array) && len(schemes.Node.Items) > 0 {
		r.repair(schemes, "securitySchemes is a list; it is read as a map by name")
	}
	for p := range schemes.List() {
		name := cmp.Or(wordOf(p, "id", "name"), strings.ToLower(p.At("scheme").Node.Word()), p.At("type").Node.Word())
		if p.Node.Get("id") != nil { // it is the name, and no member of the scheme
			p.Node = p.Node.Without("id")
		}
		declareScheme(r, &s, name, p, aside)
	}
	card.setAside("securitySchemes", aside)
	older := readAuthentication(r, card, &s)
	s.requirements = readRequirements(r, card, s)
	joinAuthentication(r, &s, older)
	if len(s.schemes) == 0 {
		s.schemes = nil
	}
	return s
}

// declareScheme adds a scheme, or sets it aside.
func declareScheme(r *reader, s *security, name string, p place, aside *source.Node) {
	if name == "" || !s.undeclared(name) {
		r.drop(p, "a security scheme has no name of its own and is left out")
		return
	}
	r.places[source.Pointer("/securitySchemes", name)] = p
	if p.Node.Is(source.String) {
		r.repair(p, "a security scheme is a string, which is read as its type")
	}
	if isNone(p) {
		s.anonymous[name] = true
		r.repair(p, "the security scheme %s needs no credentials, so it is left out", diag.Quote(name))
		return
	}
	if scheme, ok := readScheme(r, p, name); ok {
		s.schemes[name] = scheme
		return
	}
	s.aside[name] = true
	aside.Set(name, p.Node)
	r.empties(p)
	r.drop(p, "A2A has no form for the security scheme %s, %s", diag.Quote(name), r.kept("securitySchemes", p.Node))
}

// isNone reports whether a scheme asks for nothing.
func isNone(p place) bool {
	return p.Node.Is(source.Bool) && p.Node.Text == "false" || saysNone(wordOf(p, "type", "scheme"))
}

// saysNone reports whether a word for a scheme says that there is none.
func saysNone(said string) bool {
	switch word(said) {
	case "none", "public", "anonymous", "noauth", "noauthentication", "unauthenticated":
		return true
	}
	return false
}

// readRequirements reads the alternatives of a card or a skill, from the member of
// either version and in the form of either.
func readRequirements(r *reader, m *members, s security) []schema.Requirement {
	wrapped, flat := m.member("securityRequirements"), m.member("security")
	if r.only == schema.Flat && wrapped.There() {
		r.repair(wrapped, "securityRequirements is read as security")
	}
	if r.only == schema.Listed && flat.There() {
		r.repair(flat, "security is read as securityRequirements")
	}
	list, unread := readAlternatives(r, wrapped, s)
	old, more := readAlternatives(r, flat, s)
	switch {
	case len(list) == 0 && len(old) == 0:
		for _, p := range append(unread, more...) {
			openRequirement(r, p)
		}
	case len(list) == 0:
		return old
	case len(old) > 0 && !schema.SameRequirements(list, old):
		r.drop(flat, "security differs from securityRequirements, so it is left out")
	}
	return list
}

// readAlternatives reads a list of requirements. One that only allows everyone is
// the same as none, and unread are those that A2A has no form for where no other is left.
func readAlternatives(r *reader, p place, s security) (list []schema.Requirement, unread []place) {
	if s.isOpen(p) {
		r.repair(p, "%s says that clients need no credentials, so the card gets no requirement", diag.Quote(p.Token()))
		return nil, nil
	}
	for item := range eachEntry(r, p) {
		if requirement, ok := readRequirement(r, item, s); ok {
			list = append(list, requirement)
			continue
		}
		unread = append(unread, item)
		r.drop(item, "A2A has no form for the security requirement, it is left out")
	}
	if len(list) > 0 { // a list that allows everyone does so in the document as well
		unread = nil
	}
	return schema.Asked(list), unread
}

// isOpen reports whether an object in the place of a list of requirements says in
// words that clients need no credentials.
func (s security) isOpen(p place) bool {
	return p.Node.Is(source.Object) && saysOpen(p) &&
		!slices.ContainsFunc(p.Node.Members, func(m source.Member) bool { return !s.undeclared(m.Key) })
}

func saysOpen(p place) bool {
	for _, key := range []string{"authRequired", "auth_required", "required"} {
		if yes, ok := truth(p.Node.Get(key)); ok {
			return !yes
		}
	}
	for _, key := range []string{"authorization", "authentication", "auth", "type"} {
		if said := p.At(key).Node.Word(); said != "" {
			return saysNone(said) || word(said) == "open"
		}
	}
	return false
}

// openRequirement reports, as an error, what A2A has no form for and a card must not lose.
func openRequirement(r *reader, at place) {
	r.add(diag.New(diag.ConvertDropped, at.Where(),
		"A2A has no form for what is required here, and without it clients would call the agent without credentials").
		WithSeverity(diag.Error).
		WithPointer(at.Pointer()).
		WithHint("require a scheme of A2A (apiKey, http, oauth2, openIdConnect, mutualTLS), or delete the requirement"))
}

// readRequirement reads the schemes that are needed together: {NAME: [SCOPE]} as in
// 0.3, {"schemes": {NAME: {"list": [SCOPE]}}} as in 1.0, a name, or a list of
// names. It returns false for what names none.
func readRequirement(r *reader, p place, s security) (schema.Requirement, bool) {
	if s.undeclared(p.Node.Word()) && isNone(p) {
		r.repair(p, "a security requirement needs no credentials, so it is left out")
		return schema.Requirement{}, true
	}
	schemes, at := namedSchemes(r, p)
	if schemes == nil {
		return nil, false
	}
	for name, scopes := range schemes {
		_, known := s.schemes[name]
		if s.aside[name] || name == "" || !known && scopes.Node.Scalar() && !scopes.Node.Empty() {
			return nil, false
		}
	}
	requirement := schema.Requirement{}
	for _, name := range slices.Sorted(maps.Keys(schemes)) {
		switch _, known := s.schemes[name]; {
		case s.anonymous[name]:
			continue
		case !known:
			r.report(diag.SecurityReference, at, "declare it in securitySchemes",
				"a security requirement names the scheme %s, which is not declared", diag.Quote(name))
		}
		requirement[name] = r.texts(schemes[name])
	}
	return requirement, true
}

// namedSchemes returns the schemes that a requirement names, with their scopes, nil
// where it cannot be read, and where they stand.
func namedSchemes(r *reader, p place) (schemes map[string]place, at place) {
	schemes = map[string]place{}
	wrapped := p.At("schemes").Node.Is(source.Object)
	switch {
	case p.Node.Is(source.String):
		r.repair(p, "a security requirement is a text that names its scheme")
		schemes[p.Node.Text] = place{}
	case p.Node.Is(source.Array):
		r.repair(p, "a security requirement is a list that names its schemes")
		for item := range p.List() {
			schemes[item.Node.Word()] = place{}
		}
	case !p.Node.Is(source.Object):
		return nil, p
	case wrapped && r.only == schema.Flat:
		r.repair(p, "a security requirement has the form of A2A 1.0")
	case !wrapped && r.only == schema.Listed && len(p.Node.Members) > 0:
		r.repair(p, "a security requirement has the form of A2A 0.3")
	}
	if wrapped {
		p = inner(r, p, "schemes")
	}
	for m, scopes := range p.Entries() {
		if scopes.Node.Is(source.Object) {
			scopes = inner(r, scopes, "list")
		}
		schemes[m.Key] = scopes
	}
	return schemes, p
}

// inner returns a member of an object that A2A gives no other one.
func inner(r *reader, p place, key string) place {
	for m, v := range p.Entries() {
		if m.Key != key && !v.Node.Empty() {
			r.drop(p.Named(m), "%s beside %q has no place in a security requirement and is left out", diag.Quote(m.Key), key)
		}
	}
	return p.At(key)
}
