package convert

import (
	"cmp"
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readAuthentication reads what stood in the place of schemes and requirements up
// to 0.2. It adds the schemes that are not declared, and returns the
// requirements: written beside securitySchemes, it means that a client needs one
// of those.
func readAuthentication(r *reader, card *members, s *security) legacy {
	p := card.take("authentication")
	if !p.There() || p.Node.Empty() {
		return legacy{}
	}
	l := legacy{at: p, beside: len(s.schemes) > 0}
	declared := maps.Clone(s.schemes)
	asked, others := authenticators(p)
	var unknown []string
	for _, a := range asked {
		if isNone(a) || s.anonymous[a.Node.Word()] {
			l.requirements = append(l.requirements, schema.Requirement{})
			continue
		}
		names := meantSchemes(declared, a)
		if len(names) == 0 {
			names = readAuthenticator(r, a, s)
		}
		if len(names) == 0 {
			unknown = append(unknown, diag.Quote(authenticatorName(a)))
		}
		for _, name := range names {
			l.requirements = append(l.requirements, schema.Requirement{name: nil})
		}
	}
	l.unread = len(unknown) > 0
	switch {
	case l.unread:
		card.setAside("authentication", p.Node)
		r.drop(p, "A2A has no form for the authentication %s, %s", diag.Enumerate(unknown, "and"),
			r.kept("authentication", p.Node))
	case others != nil:
		card.setAside("authentication", others)
		r.drop(p, "A2A has no place for the members of authentication other than schemes, %s",
			r.kept("authentication", others))
	}
	return l
}

// readAuthenticator declares the scheme that an entry of authentication is about, and
// returns its name, none where A2A has no form for it.
func readAuthenticator(r *reader, a place, s *security) []string {
	scheme, ok := readScheme(r, a, authenticatorName(a))
	if !ok {
		return nil
	}
	taken := map[string]int{}
	for name := range s.schemes {
		taken[name] = 1
	}
	name := authenticatorName(a)
	if known, ok := s.schemes[name]; !ok || !schema.SameScheme(known, scheme) {
		name = freeID(name, taken)
	}
	s.schemes[name] = scheme
	return []string{name}
}

// legacy is what authentication asks for.
type legacy struct {
	at           place
	requirements []schema.Requirement
	unread       bool // A2A has no form for part of it
	beside       bool // the card has securitySchemes as well
}

// needs reports whether authentication asks for anything.
func (l legacy) needs() bool {
	return slices.ContainsFunc(l.requirements, func(q schema.Requirement) bool { return len(q) > 0 })
}

// joinAuthentication decides between the requirements of a card and what authentication asks
// for beside them. Of two that disagree, one that asks for something counts
// before one that asks for nothing.
func joinAuthentication(r *reader, card *members, s *security, older legacy) {
	stated := slices.ContainsFunc([]string{"securityRequirements", "security_requirements", "security"},
		func(key string) bool { return card.At(key).There() })
	switch {
	case !older.at.There():
		return
	case !older.needs() && older.unread: // which has been reported
	case !older.needs():
		r.repair(older.at, "authentication is none, so the card gets no requirement")
	case optional(older.at):
		r.repair(older.at, "authentication is not required, so its schemes are declared but not required")
	case schema.SameRequirements(s.requirements, older.requirements):
		r.repair(older.at, "authentication is the same as the requirements of the card, so it is left out")
	case len(s.requirements) > 0:
		r.drop(older.at, "authentication differs from the requirements of the card, which are used")
	default:
		s.requirements = older.requirements
		switch {
		case stated:
			r.drop(older.at, "the requirements of the card are empty, so authentication is used")
		case older.beside:
			r.repair(older.at, "authentication beside securitySchemes is read as requirements")
		default:
			r.repair(older.at, "authentication, as in A2A 0.2, is read as securitySchemes and requirements")
		}
	}
	if older.unread && len(s.requirements) == 0 {
		openRequirement(r, older.at)
	}
}

// optional reports whether authentication is declared as not required.
func optional(p place) bool {
	required := p.At("required")
	return required.Node.Is(source.Bool) && required.Node.Text == "false"
}

// AsksNothing reports whether the authentication of a card of A2A 0.2, or what stands in the
// place of its requirements, says that clients need no credentials: none, public, open, an
// empty list.
func AsksNothing(authentication *source.Node) bool {
	p := source.At(authentication, "")
	if !p.There() || p.Node.Empty() || isNone(p) || optional(p) || saysOpen(p) {
		return true
	}
	list, _ := authenticators(p)
	return !slices.ContainsFunc(list, func(a place) bool { return !isNone(a) })
}

// authenticators returns the schemes that authentication lists, and the members
// beside the list that are about none of them, nil where there are none. What
// stands beside one scheme that is only named describes that scheme.
func authenticators(p place) (list []place, others *source.Node) {
	schemes := p
	if p.Node.Is(source.Object) {
		if inner := p.At("schemes"); inner.There() {
			schemes = inner
			others = source.NewObject(len(p.Node.Members))
			for _, m := range p.Node.Members {
				said := m.Key == "schemes" || m.Key == "required" || m.Key == "type" && isNone(p.With(m.Value))
				if !said && !m.Value.Empty() {
					others.Members = append(others.Members, m)
				}
			}
		}
	}
	if schemes.Node.Is(source.Array) {
		list = slices.Collect(schemes.List())
	} else {
		list = []place{schemes}
	}
	if others == nil || len(others.Members) == 0 {
		return list, nil
	}
	if len(list) == 1 && list[0].Node.Is(source.String) && !isNone(list[0]) {
		named := list[0]
		if others.Get("type") == nil {
			others.Members = append(others.Members, textMember("type", named.Node.Text, named.Where()))
		}
		others.Span = p.Where()
		return []place{p.With(others)}, nil
	}
	return list, others
}

// authenticatorName returns what a scheme without a name is called on the card.
func authenticatorName(p place) string {
	return cmp.Or(schema.Slug(wordOf(p, "scheme", "type")), "authentication")
}

// meantSchemes returns the names of the declared schemes that a mere name means,
// sorted: the one of this name, else all of the kind that it stands for, or all
// where authentication says no more than that it is required.
func meantSchemes(declared map[string]schema.SecurityScheme, a place) []string {
	said := a.Node.Word()
	if a.Node.Is(source.Object) && len(a.Node.Members) == 1 {
		said = a.At("type").Node.Word()
	}
	kind := SchemeMeant(said)
	var byName, byKind []string
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		scheme := declared[name]
		if said != "" && word(name) == word(said) {
			byName = append(byName, name)
		}
		if kind.Type != "" && scheme.Type == kind.Type && (kind.Scheme == "" || word(scheme.Scheme) == word(kind.Scheme)) {
			byKind = append(byKind, name)
		}
	}
	switch {
	case len(byName) > 0:
		return byName
	case word(said) == "required", a.At("required").Node.Is(source.Bool) && len(a.Node.Members) == 1:
		return slices.Sorted(maps.Keys(declared))
	}
	return byKind
}
