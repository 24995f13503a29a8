package schema

import (
	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// SameSkill reports whether two skills are written alike.
func SameSkill(a, b Skill) bool {
	w := newWiring(All)
	return w.skill(&a, 0).Equal(w.skill(&b, 0))
}

// SameScheme reports whether two schemes say the same where 0.3 can say it.
func SameScheme(a, b SecurityScheme) bool {
	flat := func(s SecurityScheme) *source.Node {
		w := newWiring(Flat)
		w.splitSchemes(map[string]SecurityScheme{"": s})
		return writeSchemes(w, nil, top)
	}
	return flat(a).Equal(flat(b))
}

// SameRequirements reports whether two lists ask for the same.
func SameRequirements(a, b []Requirement) bool {
	w := newWiring(Flat)
	written := func(list []Requirement) *source.Node {
		return array(list, diag.Span{}, func(r Requirement) *source.Node { return w.requirement03(r, top) })
	}
	return written(a).Equal(written(b))
}

// DividedSchemes names the schemes that each OAuth scheme of several flows
// becomes in a form, where each has one flow.
func DividedSchemes(c *Card, p Protocol) map[string][]string {
	w := newWiring(p)
	w.splitSchemes(c.SecuritySchemes)
	names := map[string][]string{}
	for name, parts := range w.parts {
		for _, part := range parts {
			names[name] = append(names[name], part.name)
		}
	}
	return names
}

// Interfaces are interfaces that were seen, by what they say, with the members of
// each that A2A does not define.
type Interfaces map[string]*source.Node

// Add adds an interface, and returns false where it is there already, with nothing
// in it that the first has not.
func (s Interfaces) Add(e Interface) bool {
	said := e.Said()
	first, known := s[said]
	if !known {
		s[said] = e.Extra
	}
	return !known || e.Extra != nil && !e.Extra.Equal(first)
}
