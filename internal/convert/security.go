package convert

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
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

// security reads the schemes and requirements of a card. What has no meaning in
// A2A is set aside with a warning: leaving it out would read as "no
// authentication needed".
func (r *reader) security(card *members) security {
	s := security{schemes: map[string]schema.SecurityScheme{}, anonymous: map[string]bool{}, aside: map[string]bool{}}
	schemes := r.schemesOf(card)
	r.places["/securitySchemes"] = schemes
	for _, key := range []string{"authentication", "security", "securityRequirements"} {
		if p := card.At(key); p.There() {
			r.places["/securityRequirements"] = p
		}
	}
	if isNone(schemes) {
		r.repair(schemes, "securitySchemes is %s, so the card gets no scheme", shown(schemes.Node))
	} else if schemes.There() && !schemes.Is(source.Object) && !schemes.Is(source.Array) {
		card.setAside("securitySchemes", schemes.Node)
		r.drop(schemes, "securitySchemes is %s and declares nothing, %s", schemes.Kind.Article(),
			r.kept("securitySchemes", schemes.Node))
	}
	aside := source.NewObject(0)
	for name, p := range r.declared(schemes) {
		if name == "" {
			r.drop(p, "a security scheme has no name and is left out")
			continue
		}
		r.places[source.Pointer("/securitySchemes", name)] = p
		r.declare(&s, name, p, aside)
	}
	card.setAside("securitySchemes", aside)
	older := r.authentication(card, &s)
	s.requirements = r.requirements(card, s)
	r.joinAuthentication(card, &s, older)
	if len(s.schemes) == 0 {
		s.schemes = nil
	}
	return s
}

// schemesOf returns the member securitySchemes. Where the card has both spellings
// of it, they are read as one map; of two schemes of one name that differ, the
// one in camelCase counts.
func (r *reader) schemesOf(card *members) place {
	const name = "securitySchemes"
	first, second := card.At(name), card.At(schema.SnakeName(name))
	if !first.Is(source.Object) || !second.Is(source.Object) || first.Equal(second.Node) {
		return card.take(name)
	}
	card.mark(name)
	card.mark(schema.SnakeName(name))
	both := *first.Node
	both.Members = slices.Clone(first.Members)
	for _, m := range second.Members {
		switch known := first.Get(m.Key); {
		case known == nil:
			both.Members = append(both.Members, m)
		case !known.Equal(m.Value):
			r.drop(second.At(m.Key), "%s defines the security scheme %s differently than %s, which is used",
				diag.Quote(schema.SnakeName(name)), diag.Quote(m.Key), diag.Quote(name))
		}
	}
	r.repair(second, "%s and %s are read as one", diag.Quote(schema.SnakeName(name)), diag.Quote(name))
	return first.With(&both)
}

// declared iterates over the schemes by name. Two of one name in a list are two
// schemes all the same.
func (r *reader) declared(schemes place) iter.Seq2[string, place] {
	return func(yield func(string, place) bool) {
		for m, p := range schemes.Entries() {
			if !yield(m.Key, p) {
				return
			}
		}
		if schemes.Is(source.Array) && len(schemes.Items) > 0 {
			r.repair(schemes, "securitySchemes is a list; it is read as a map by name")
		}
		taken := map[string]int{}
		for item := range schemes.List() {
			name, p := namedIn(item)
			if name == "" {
				r.drop(p, "a security scheme has no name and is left out")
				continue
			}
			if !yield(r.freeName(name, p, taken), p) {
				return
			}
		}
	}
}

// freeName returns the name of a scheme in a list, with a number where an
// earlier one has that name.
func (r *reader) freeName(name string, p place, taken map[string]int) string {
	free := freeID(name, taken)
	if free != name {
		r.assume(p, "two security schemes are called %s, the name %s is assumed for the second", diag.Quote(name),
			diag.Quote(free))
	}
	return free
}

// namedIn returns the name of a scheme in a list, "" for none, and the scheme:
// {"key": {…}} names it, and so does an id, a name, the scheme of HTTP or a type.
func namedIn(p place) (string, place) {
	if p.Is(source.Object) && len(p.Members) == 1 && p.Members[0].Value.Is(source.Object) {
		key := p.Members[0].Key
		if t := WrappedType(key); t != "" {
			return string(t), p
		}
		return key, p.At(key)
	}
	name := cmp.Or(p.At("id").Word(), p.At("name").Word())
	if name == "" {
		name = cmp.Or(p.At("type").Word(), p.At("scheme").Word(), p.Word())
		if scheme := p.At("scheme").Word(); strings.EqualFold(name, string(schema.HTTPAuth)) && scheme != "" {
			name = strings.ToLower(scheme)
		}
	}
	if p.Is(source.Object) && p.Get("id") != nil { // it is the name, and no member of the scheme
		p.Node = p.Without("id")
	}
	return name, p
}

// declare adds a scheme, or sets it aside.
func (r *reader) declare(s *security, name string, p place, aside *source.Node) {
	if p.Is(source.String) {
		r.repair(p, "a security scheme is a string, which is read as its type")
	}
	if isNone(p) {
		s.anonymous[name] = true
		r.repair(p, "the security scheme %s needs no credentials, so it is left out", diag.Quote(name))
		return
	}
	if scheme, ok := r.scheme(p, name); ok {
		s.schemes[name] = scheme
		return
	}
	if !s.aside[name] {
		s.aside[name] = true
		aside.Set(name, p.Node)
		r.empties(p)
	}
	r.drop(p, "A2A has no form for the security scheme %s, %s", diag.Quote(name), r.kept("securitySchemes", p.Node))
}

// isNone reports whether a scheme asks for nothing.
func isNone(p place) bool {
	if p.Is(source.Bool) {
		return p.Text == "false"
	}
	return saysNone(wordOf(p, "type", "scheme"))
}

// saysNone reports whether a word for a scheme says that there is none.
func saysNone(said string) bool {
	switch word(said) {
	case "none", "public", "anonymous", "noauth", "noauthentication", "unauthenticated":
		return true
	}
	return false
}

// requirements reads the alternatives of a card or a skill, from the member of
// either version and in the form of either.
func (r *reader) requirements(m *members, s security) []schema.Requirement {
	wrapped, flat := m.take("securityRequirements"), m.take("security")
	if r.only == schema.Flat && wrapped.There() {
		r.repair(wrapped, "securityRequirements is read as security")
	}
	if r.only == schema.Listed && flat.There() {
		r.repair(flat, "security is read as securityRequirements")
	}
	list, unread := r.alternatives(m, wrapped, s)
	old, more := r.alternatives(m, flat, s)
	switch {
	case len(list) == 0 && len(old) == 0:
		r.letsIn(append(unread, more...), s)
	case len(list) == 0:
		return old
	case len(old) > 0 && !schema.SameRequirements(list, old):
		r.drop(flat, "security differs from securityRequirements, so it is left out")
	}
	return list
}

// alternatives reads a list of requirements, a member of m. One that only allows everyone is
// the same as none, and unread are those that A2A has no form for where no other is left.
func (r *reader) alternatives(m *members, p place, s security) (list []schema.Requirement, unread []place) {
	aside := &source.Node{Kind: source.Array}
	for item := range r.each(p) {
		if requirement, ok := r.requirement(item, s); ok {
			if odd := r.oddOf(item); odd != nil {
				m.odd = m.odd.With(strconv.Itoa(len(list)), odd)
			}
			list = append(list, requirement)
			continue
		}
		unread = append(unread, item)
		aside.Items = append(aside.Items, asNames(item))
		r.drop(item, "A2A has no form for the security requirement, %s", r.kept("security", asNames(item)))
	}
	m.setAside("security", aside)
	switch {
	case slices.ContainsFunc(list, func(q schema.Requirement) bool { return len(q) > 0 }):
		return list, nil
	case len(list) > 0:
		return nil, nil // everyone is allowed in the document as well
	}
	return nil, unread
}

// oddOf returns the unknown members of a requirement and of the objects in it that list
// scopes, nil when there are none.
func (r *reader) oddOf(p place) (odd *source.Node) {
	schemes := p
	if wrapped := p.At("schemes"); wrapped.Is(source.Object) {
		m := r.take(p)
		m.mark("schemes")
		odd, schemes = m.ignore("a security requirement"), wrapped
	}
	for m, scopes := range schemes.Entries() {
		if scopes.Is(source.Object) {
			list := r.take(scopes)
			list.mark("list")
			if inner := list.ignore("a list of scopes"); inner != nil {
				odd = odd.With(m.Key, inner)
			}
		}
	}
	return odd
}

// asNames returns a requirement as it is set aside: one that is nothing but names
// as a list of them, since empty values are not written.
func asNames(requirement place) *source.Node {
	if kept, _ := requirement.Pruned(); kept != nil {
		return kept
	}
	var names []string
	for m := range requirement.Entries() {
		names = append(names, m.Key)
	}
	return source.NewTexts(names)
}

// letsIn refuses to write a card of which nothing is left that it asks for: clients
// would call the agent without credentials.
func (r *reader) letsIn(unread []place, s security) {
	for _, p := range unread {
		what := "it"
		schemes, _, _ := r.namedSchemes(p)
		for _, name := range slices.Sorted(maps.Keys(schemes)) {
			if s.undeclared(name) || s.aside[name] {
				what = "the scheme " + diag.Quote(name)
				break
			}
		}
		r.open(p, what)
	}
}

// open reports, as an error, what A2A has no form for and a card must not lose.
func (r *reader) open(at place, what string) {
	r.add(diag.New(ruleDropped, at.Where(),
		"A2A has no form for %s, and without the requirement clients would call the agent without credentials", what).
		WithSeverity(diag.Error).
		WithPointer(at.Pointer()).
		WithHint("require a scheme of A2A (apiKey, http, oauth2, openIdConnect, mutualTLS), or delete the requirement"))
}

// requirement reads the schemes that are needed together: {NAME: [SCOPE]} as in
// 0.3, {"schemes": {NAME: {"list": [SCOPE]}}} as in 1.0, a name, or a list of
// names. It returns false for what names none.
func (r *reader) requirement(p place, s security) (schema.Requirement, bool) {
	if p.Is(source.Object) && optional(p) || s.undeclared(p.Word()) && isNone(p) {
		r.repair(p, "a security requirement needs no credentials, so it is left out")
		return schema.Requirement{}, true
	}
	schemes, form, at := r.namedSchemes(p)
	if schemes == nil {
		return nil, false
	}
	for name, scopes := range schemes {
		if _, known := s.schemes[name]; s.aside[name] || name == "" || !known && scopes.Scalar() && !scopes.Empty() {
			return nil, false
		}
	}
	if form != "" {
		r.repair(at, "a security requirement %s", form)
	}
	requirement := schema.Requirement{}
	for _, name := range slices.Sorted(maps.Keys(schemes)) {
		if s.anonymous[name] {
			continue
		}
		if saysNone(name) && s.undeclared(name) && schemes[name].Empty() {
			r.repair(at, "a security requirement names %s, which needs no credentials", diag.Quote(name))
			continue
		}
		if _, known := s.schemes[name]; !known {
			r.report("security-reference", at, "declare it in securitySchemes",
				"a security requirement names the scheme %s, which is not declared", diag.Quote(name))
		}
		requirement[name] = r.spelledList(schemes[name])
	}
	return requirement, true
}

const formOf03 = "has the form of A2A 0.3"

// namedSchemes returns the schemes that a requirement names, with their scopes, nil
// where it cannot be read; what is odd about its form, "" for nothing; and where they
// stand.
func (r *reader) namedSchemes(p place) (schemes map[string]place, form string, at place) {
	schemes = map[string]place{}
	wrapped := p.At("schemes").Is(source.Object)
	switch {
	case p.Is(source.String):
		schemes[p.Text] = place{}
		return schemes, "is a text that names its scheme", p
	case p.Is(source.Array):
		for item := range p.List() {
			schemes[item.Word()] = place{}
		}
		return schemes, "is a list that names its schemes", p
	case !p.Is(source.Object):
		return nil, "", p
	case wrapped && r.only == schema.Flat:
		form = "has the form of A2A 1.0"
	case !wrapped && r.only == schema.Listed && len(p.Members) > 0:
		form = formOf03
	}
	if wrapped {
		p = p.At("schemes")
	}
	for m, scopes := range p.Entries() {
		if scopes.Is(source.Object) {
			scopes = scopes.At("list")
		}
		schemes[m.Key] = scopes
	}
	return schemes, form, p
}
