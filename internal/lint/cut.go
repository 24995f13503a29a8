package lint

import (
	"slices"

	"cardwright/internal/source"
)

// valueBudget is how many values of a card the JSON Schemas judge, which is more than a card
// of ten thousand skills has. A fault costs the validator a hundred times the memory of the
// two bytes that can make it.
const valueBudget = 200_000

// cutter goes through a card and stops where the budget is used up.
type cutter struct{ left int }

// cut returns n, or a copy of its part ahead of the point where the cutter stopped. Pointers
// into the copy are pointers into n.
func (c *cutter) cut(n *source.Node) *source.Node {
	c.left--
	begin := *n
	for i, item := range n.Items {
		if kept := c.cut(item); c.left < 0 {
			begin.Items = append(slices.Clone(n.Items[:i]), kept)
			return &begin
		}
	}
	for i, m := range n.Members {
		if m.Value = c.cut(m.Value); c.left < 0 {
			begin.Members = append(slices.Clone(n.Members[:i]), m)
			return &begin
		}
	}
	return n
}
