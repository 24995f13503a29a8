package schema

import (
	"cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// authentication reads what stood in the place of schemes and requirements up
// to 0.2, and what other systems have instead. It adds the schemes and returns
// the requirements.
func (r *reader) authentication(card *members, s *security) []Requirement {
	p := card.take("authentication", "authSchemes")
	if !p.there() || p.Empty() {
		return nil
	}
	if len(s.schemes)+len(s.aside) > 0 {
		card.setAside("authentication", p.Node)
		r.repair(p, "authentication says nothing to A2A beside securitySchemes, %s", r.kept("authentication"))
		return nil
	}
	var list []Requirement
	var unknown []string
	taken := map[string]int{}
	for _, a := range r.authenticators(p) {
		name := authenticatorName(a)
		if isNone(a) {
			list = append(list, Requirement{})
			continue
		}
		scheme, ok := r.scheme(a, name)
		if !ok {
			unknown = append(unknown, diag.Quote(name))
			continue
		}
		if known, ok := s.schemes[name]; ok && sameScheme(known, scheme) {
			continue
		}
		name = r.freeName(name, a, taken)
		s.schemes[name] = scheme
		list = append(list, Requirement{name: nil})
	}
	if len(unknown) > 0 {
		card.setAside("authentication", p.Node)
		r.drop(p, "A2A has no form for the authentication %s, %s", enumerate(unknown, "and"), r.kept("authentication"))
	}
	switch {
	case len(s.schemes) == 0 && len(unknown) > 0:
		r.letsIn(p)
	case len(s.schemes) > 0:
		r.repair(p, "authentication, as in A2A 0.2, is read as securitySchemes and requirements")
		return list
	default:
		r.repair(p, "authentication asks for none, which A2A says by no security scheme at all")
	}
	return nil
}

// authenticators returns the schemes that authentication lists.
func (r *reader) authenticators(p place) []place {
	if p.Is(source.Object) {
		if inner := p.get("schemes"); inner.there() {
			p = inner
		}
	}
	if !p.Is(source.Array) {
		return []place{p}
	}
	var list []place
	for _, item := range p.items() {
		list = append(list, item)
	}
	return list
}

// authenticatorName returns what a scheme without a name is called on the card.
func authenticatorName(p place) string {
	return cmp.Or(Slug(cmp.Or(p.word(), p.get("scheme").word(), p.get("type").word())), "authentication")
}
