package source

import "cmp"

// Limits are the limits of what is read from untrusted input. Sizes are in bytes. The zero
// value of a field means its default.
type Limits struct {
	Frontmatter int // one frontmatter block, fences not counted; 64 KiB
	Source      int // a file that is read whole: config, MCP, packs; 1 MiB
	Card        int // a card or an output file; 4 MiB
	Nesting     int // levels of a JSON or YAML value; 100 (a frontmatter: 16)
	Depth       int // directory levels below a source's path; 16
	Skills      int // skills of one agent; 100,000
}

// WithDefaults returns l with every zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Frontmatter: cmp.Or(l.Frontmatter, 64<<10),
		Source:      cmp.Or(l.Source, 1<<20),
		Card:        cmp.Or(l.Card, 4<<20),
		Nesting:     cmp.Or(l.Nesting, 100),
		Depth:       cmp.Or(l.Depth, 16),
		Skills:      cmp.Or(l.Skills, 100_000),
	}
}
