package lint

import (
	"slices"

	"cardwright/internal/source"
)

// faultBudget is how many faults of shape a card may have before the JSON
// Schemas judge only its beginning. A fault costs the validator a hundred times
// the memory of the two bytes that can make it, and nobody reads so many.
const faultBudget = 10 * most

// cutter goes through a card and stops where the budget is used up.
type cutter struct {
	in   versions
	left int
}

// cut returns n, or a copy of what of it lies ahead of the point where the
// cutter stopped. Pointers into the copy are pointers into n.
func (c *cutter) cut(n *source.Node, s shapes) *source.Node {
	s = s.of(n)
	c.left -= s.faults(n, c.in)
	for i, item := range n.Items {
		kept := c.cut(item, s.entry())
		if c.left < 0 {
			begin := *n
			begin.Items = append(slices.Clone(n.Items[:i]), kept)
			return &begin
		}
	}
	for i, m := range n.Members {
		inner := s.member(m.Key)
		if !inner.known(both) {
			inner = s.entry()
		}
		m.Value = c.cut(m.Value, inner)
		if c.left < 0 {
			begin := *n
			begin.Members = append(slices.Clone(n.Members[:i]), m)
			return &begin
		}
	}
	return n
}

// faults counts what is certainly wrong with a value itself: its kind, the
// members that it lacks, or that it has none of those it could have.
func (s shapes) faults(n *source.Node, in versions) int {
	count := 0
	for i := range s {
		if s[i] == nil || !s[i].in.Has(in) {
			continue
		}
		switch {
		case s[i].kind != "" && s[i].kind != n.Kind.String():
			count++
		case n.Kind == source.Object && len(s[i].required) > 0:
			for _, name := range s[i].required {
				if n.Get(name) == nil {
					count++
				}
			}
		case n.Kind == source.Object && s[i].members != nil:
			if !slices.ContainsFunc(n.Members, func(m source.Member) bool { return s[i].members[m.Key] != nil }) {
				count++
			}
		}
	}
	return count
}
