package source

import "slices"

// Equal reports whether two values are the same JSON value, wherever they stand
// and whatever the order of the members of an object. No value at all equals
// only itself.
func (n *Node) Equal(m *Node) bool {
	if n == nil || m == nil {
		return n == m
	}
	return n.Kind == m.Kind && n.Text == m.Text && slices.EqualFunc(n.Items, m.Items, (*Node).Equal) &&
		len(n.Members) == len(m.Members) && equalMembers(n.Members, m.Members)
}

// equalMembers compares the members of two objects with as many members.
func equalMembers(a, b []Member) bool {
	byKey := make(map[string]*Node, len(b))
	for _, m := range b {
		byKey[m.Key] = m.Value
	}
	return !slices.ContainsFunc(a, func(m Member) bool {
		value, ok := byKey[m.Key]
		return !ok || !m.Value.Equal(value)
	})
}
