package source

// Equal tells whether two values are the same JSON value, wherever they stand
// and whatever the order of the members of an object. No value at all equals
// only itself.
func (n *Node) Equal(m *Node) bool {
	if n == nil || m == nil {
		return n == m
	}
	if n.Kind != m.Kind || n.Text != m.Text || len(n.Items) != len(m.Items) || len(n.Members) != len(m.Members) {
		return false
	}
	for i := range n.Items {
		if !n.Items[i].Equal(m.Items[i]) {
			return false
		}
	}
	return equalMembers(n.Members, m.Members)
}

// equalMembers compares the members of two objects, of which there are as many.
func equalMembers(a, b []Member) bool {
	byKey := make(map[string]*Node, len(b))
	for _, m := range b {
		byKey[m.Key] = m.Value
	}
	for _, m := range a {
		value, ok := byKey[m.Key]
		if !ok || !m.Value.Equal(value) {
			return false
		}
	}
	return true
}
