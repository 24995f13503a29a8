package source

import (
	"fmt"
	"slices"

	"cardwright/internal/diag"
)

// manyMembers is the size from which looking up a name in an index beats
// comparing it with every other.
const manyMembers = 16

// index finds the members of a large object by name: the author of a document
// decides how many it has and how often they are looked for. It belongs to one
// array of members, so that a copy of a node with other members does without.
type index struct {
	first   *Member
	byKey   map[string]int
	repeats []Member // see [Node.repeats]
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

// members collects the members of one object and notices those that are
// defined twice. The zero value is ready for use.
type members struct {
	list    []Member
	index   map[string]int
	again   map[string]repeated
	repeats []Member
}

// repeated is a name that is defined more than once.
type repeated struct {
	times   int
	finding int // index of the finding about it, -1 for none
}

// put gives the members to n.
func (l *members) put(n *Node) {
	n.Members = l.list
	if l.index != nil || l.repeats != nil {
		n.index = &index{first: &l.list[0], byKey: l.index, repeats: l.repeats}
	}
}

// repeats returns the members of an Object whose names it has defined before, in
// the order of the document. Members holds the first of each name, but most
// readers of JSON take the last. It works on a nil Node.
func (n *Node) repeats() []Member {
	if n == nil || n.index == nil {
		return nil
	}
	return n.index.repeats
}

// Definitions returns the members of an Object in the order of the document, with
// [Node.repeats] among them.
func (n *Node) Definitions() []Member {
	repeats := n.repeats()
	if len(repeats) == 0 {
		return n.Fields()
	}
	all := slices.Concat(n.Members, repeats)
	slices.SortStableFunc(all, func(a, b Member) int { return a.KeySpan.Compare(b.KeySpan) })
	return all
}

// Twice reports whether a member is defined twice anywhere in a value.
func (n *Node) Twice() bool {
	return len(n.repeats()) > 0 || slices.ContainsFunc(n.Items, (*Node).Twice) ||
		slices.ContainsFunc(n.Members, func(m Member) bool { return m.Value.Twice() })
}

// Settled returns a value in which the last definition of each member counts.
func (n *Node) Settled() *Node {
	if !n.Twice() {
		return n
	}
	out := &Node{Kind: n.Kind, Span: n.Span}
	for _, item := range n.Items {
		out.Items = append(out.Items, item.Settled())
	}
	for _, m := range n.Definitions() {
		if m.Value = m.Value.Settled(); out.Member(m.Key) != nil {
			out.Member(m.Key).Value = m.Value
		} else {
			out.Members = append(out.Members, m)
		}
	}
	return out
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

// repeat reports m, which occurs again in the object, in one finding for all of
// its places: d, with its Message filled in, for a member that is called what
// ("key").
func (l *members) repeat(what string, m Member, found *findings, d diag.Diagnostic) {
	l.repeats = append(l.repeats, m)
	r, known := l.again[m.Key]
	if r.times++; !known {
		d.Message = fmt.Sprintf("%s %q is defined twice%s", what, diag.Clip(m.Key), firstIsUsed(d.Rule))
		r = repeated{times: 2, finding: found.add(d)}
	} else if r.finding >= 0 {
		found.list[r.finding].Message = fmt.Sprintf("%s %q is defined %d times%s",
			what, diag.Clip(m.Key), r.times, firstIsUsed(d.Rule))
	}
	if l.again == nil {
		l.again = map[string]repeated{}
	}
	l.again[m.Key] = r
}

// firstIsUsed says what becomes of a repeated member. A configuration that has one is
// refused as a whole.
func firstIsUsed(rule diag.RuleID) string {
	if rule == diag.ConfigValue {
		return ""
	}
	return ", the first one is used"
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
