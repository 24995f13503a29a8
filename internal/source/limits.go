package source

import "cmp"

// MaxHeader is how many bytes a header may have, without its fences.
const MaxHeader = 64 << 10

// Limits are the limits of what is read from untrusted input. Sizes are in bytes. The zero
// value of a field means its default.
type Limits struct {
	Source  int `key:"source"`  // a file that is read whole: config, MCP, packs; 1 MiB
	Card    int `key:"card"`    // a card or an output file; 4 MiB
	Nesting int `key:"nesting"` // levels of a JSON or YAML value; 100 (a frontmatter: 16)
	Depth   int `key:"depth"`   // directory levels below a source's path; 16
	Skills  int `key:"skills"`  // skills of one agent; 100,000
}

// WithDefaults returns l with every zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	return l.Or(Limits{
		Source: 1 << 20, Card: 4 << 20, Nesting: 100, Depth: 16, Skills: 100_000,
	})
}

// Or returns l with every zero field replaced by that of others.
func (l Limits) Or(others Limits) Limits {
	return Limits{
		Source:  cmp.Or(l.Source, others.Source),
		Card:    cmp.Or(l.Card, others.Card),
		Nesting: cmp.Or(l.Nesting, others.Nesting),
		Depth:   cmp.Or(l.Depth, others.Depth),
		Skills:  cmp.Or(l.Skills, others.Skills),
	}
}
