package convert

import (
	"cmp"
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// legacy is what authentication asks for, which stood in the place of schemes and
// requirements up to 0.2.
type legacy struct {
	at           place
	requirements []schema.Requirement
	unread       bool // A2A has no form for part of it
}

// mostAuthenticators bounds the schemes of authentication: each is compared with all that
// are declared.
const mostAuthenticators = 100

// readAuthentication reads authentication: it declares the schemes that are not
// declared, and returns the requirements.
func readAuthentication(r *reader, card *members, s *security) legacy {
	l := legacy{at: card.member("authentication")}
	if !l.at.There() || AsksNothing(l.at.Node) {
		return l
	}
	declared := maps.Clone(s.schemes)
	asked, others := authenticators(l.at)
	if len(asked) > mostAuthenticators {
		l.unread = true
		card.setAside("authentication", l.at.Node)
		r.drop(l.at, "authentication has more than %d schemes, %s", mostAuthenticators, r.kept("authentication", l.at.Node))
		return l
	}
	var unknown []string
	for _, a := range asked {
		if isNone(a) || s.anonymous[a.Node.Word()] {
			l.requirements = append(l.requirements, schema.Requirement{})
			continue
		}
		names := meantSchemes(declared, a)
		if len(names) == 0 {
			names = declareAuthenticator(r, a, s)
		}
		if len(names) == 0 {
			unknown = append(unknown, diag.Quote(authenticatorName(a)))
		}
		for _, name := range names {
			l.requirements = append(l.requirements, schema.Requirement{name: nil})
		}
	}
	switch {
	case len(unknown) > 0:
		l.unread = true
		card.setAside("authentication", l.at.Node)
		r.drop(l.at, "A2A has no form for the authentication %s, %s", diag.Enumerate(unknown, "and"),
			r.kept("authentication", l.at.Node))
	case len(others.Fields()) > 0:
		card.setAside("authentication", others)
		r.drop(l.at, "A2A has no place for the members of authentication other than schemes, %s",
			r.kept("authentication", others))
	}
	return l
}

// declareAuthenticator declares the scheme that an entry of authentication is about, and
// returns its name, none where A2A has no form for it.
func declareAuthenticator(r *reader, a place, s *security) []string {
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

// joinAuthentication decides between the requirements of a card and what authentication asks
// for beside them. Of two that disagree, one that asks for something counts
// before one that asks for nothing.
func joinAuthentication(r *reader, s *security, older legacy) {
	asked := schema.Asked(older.requirements)
	switch {
	case !older.at.There() || older.at.Node.Empty():
		return
	case asked == nil && older.unread: // which has been reported
	case asked == nil:
		r.repair(older.at, "authentication asks for nothing, so the card gets no requirement")
	case schema.SameRequirements(s.requirements, asked):
		r.repair(older.at, "authentication is the same as the requirements of the card, so it is left out")
	case len(s.requirements) > 0:
		r.drop(older.at, "authentication differs from the requirements of the card, which are used")
	default:
		s.requirements = asked
		r.repair(older.at, "authentication, as in A2A 0.2, is read as securitySchemes and requirements")
	}
	if older.unread && len(s.requirements) == 0 {
		openRequirement(r, older.at)
	}
}

// AsksNothing reports whether the authentication of a card of A2A 0.2, or what stands in the
// place of its requirements, says that clients need no credentials: none, public, open, an
// empty list.
func AsksNothing(authentication *source.Node) bool {
	p := source.At(authentication, "")
	if !p.There() || p.Node.Empty() || isNone(p) || saysOpen(p) {
		return true
	}
	list, _ := authenticators(p)
	return !slices.ContainsFunc(list, func(a place) bool { return !isNone(a) })
}

// authenticators returns the schemes that authentication lists, and the members
// beside the list, nil where there is none.
func authenticators(p place) (list []place, others *source.Node) {
	schemes := p
	if inner := p.At("schemes"); inner.There() {
		schemes, others = inner, source.NewObject(0)
		for _, m := range p.Node.Members {
			if m.Key != "schemes" && m.Key != "required" && !m.Value.Empty() {
				others.Members = append(others.Members, m)
			}
		}
	}
	if schemes.Node.Is(source.Array) {
		return slices.Collect(schemes.List()), others
	}
	return []place{schemes}, others
}

// authenticatorName returns what a scheme without a name is called on the card.
func authenticatorName(p place) string {
	return cmp.Or(schema.Slug(wordOf(p, "scheme", "type")), "authentication")
}

// meantSchemes returns the names of the declared schemes that a mere name means,
// sorted: the one of this name, else all of the kind that it stands for.
func meantSchemes(declared map[string]schema.SecurityScheme, a place) []string {
	said := a.Node.Word()
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
	if len(byName) > 0 {
		return byName
	}
	return byKind
}
