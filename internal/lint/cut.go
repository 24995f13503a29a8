package lint

import (
	"cmp"
	"slices"

	"cardwright/internal/source"
)

// faultBudget is how many faults of shape a card may have before the JSON
// Schemas judge only its beginning. A fault costs the validator a hundred times
// the memory of the two bytes that can make it, and no person reads so many.
const faultBudget = 10 * most

// cutter goes through a card and stops where the budget is used up.
type cutter struct {
	in   versions
	left int
}

// cut returns n, or a copy of what of it lies ahead of the point where the
// cutter stopped. Pointers into the copy are pointers into n.
func (c *cutter) cut(n *source.Node, s *shape) *source.Node {
	s = s.of(n)
	if s.known(c.in) {
		c.left -= s.faults(n, c.in)
	}
	var entry *shape
	var members map[string]*shape
	if s != nil {
		entry, members = s.entry, s.members
	}
	for i, item := range n.Items {
		kept := c.cut(item, entry)
		if c.left < 0 {
			begin := *n
			begin.Items = append(slices.Clone(n.Items[:i]), kept)
			return &begin
		}
	}
	for i, m := range n.Members {
		m.Value = c.cut(m.Value, cmp.Or(members[m.Key], entry))
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
func (s *shape) faults(n *source.Node, in versions) int {
	switch {
	case s.kind != n.Kind:
		return 1
	case n.Kind != source.Object || s.members == nil:
		return 0
	}
	count, some := 0, false
	for name, m := range s.members {
		there := n.Get(name) != nil
		some = some || there
		if m.required && m.known(in) && !there {
			count++
		}
	}
	if count == 0 && !some {
		return 1
	}
	return count
}
