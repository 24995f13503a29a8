package source

import "slices"

// manyMembers is the size from which looking up a name in an index beats
// comparing it with every other.
const manyMembers = 16

// index finds the members of a large object by name: the author of a document
// decides how many it has and how often they are looked for. It belongs to one
// array of members, so that a copy of a node with other members does without.
type index struct {
	first *Member
	byKey map[string]int
}

// of reports whether the index belongs to these members.
func (x *index) of(list []Member) bool {
	return x != nil && len(list) == len(x.byKey) && &list[0] == x.first
}

// indexed returns the index of members with different names, nil for few.
func indexed(list []Member) *index {
	if len(list) < manyMembers {
		return nil
	}
	x := &index{first: &list[0], byKey: make(map[string]int, 2*len(list))}
	for i := range list {
		x.byKey[list[i].Key] = i
	}
	return x
}

// members collects the members of one object, each name once. The zero value is ready
// for use.
type members struct {
	list  []Member
	index map[string]int // nil where there are few
}

// put gives the members to n.
func (l *members) put(n *Node) {
	n.Members = l.list
	if l.index != nil {
		n.index = &index{first: &l.list[0], byKey: l.index}
	}
}

// add appends m unless a member of that name is there already. Then it returns
// that one: the first counts.
func (l *members) add(m Member) (first *Member) {
	if first = l.find(m.Key); first != nil {
		return first
	}
	if l.index != nil {
		l.index[m.Key] = len(l.list)
	}
	l.list = append(l.list, m)
	return nil
}

func (l *members) find(key string) *Member {
	if l.index == nil {
		if len(l.list) < manyMembers {
			if i := slices.IndexFunc(l.list, func(m Member) bool { return m.Key == key }); i >= 0 {
				return &l.list[i]
			}
			return nil
		}
		l.index = indexed(l.list).byKey
	}
	if i, ok := l.index[key]; ok {
		return &l.list[i]
	}
	return nil
}
