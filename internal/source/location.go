package source

import (
	"iter"
	"strconv"

	"cardwright/internal/diag"
)

// Location is a value in a document, or where one would have to stand. Many
// are looked at and few reported, so a place puts its pointer together only when it
// is asked for.
type Location struct {
	Node  *Node      // nil where the document has nothing
	near  *diag.Span // of the value, else of its nearest ancestor
	base  string     // pointer of the parent, or of the place itself when it is no leaf
	token string
	leaf  bool
}

// At returns the place of a value whose pointer is known.
func At(n *Node, pointer string) Location {
	p := Location{Node: n, base: pointer}
	if n != nil {
		p.near = &n.Span
	}
	return p
}

// Pointer returns the RFC 6901 pointer of the place.
func (p Location) Pointer() string {
	if p.leaf {
		return Pointer(p.base, p.token)
	}
	return p.base
}

// Token returns the name of a member, or the index of an item.
func (p Location) Token() string { return p.token }

// Where returns the span of the value, or of its nearest ancestor.
func (p Location) Where() diag.Span {
	if p.near == nil {
		return diag.Span{}
	}
	return *p.near
}

// Anchored returns p for many calls of At: with its pointer put together.
func (p Location) Anchored() Location { return Location{Node: p.Node, near: p.near, base: p.Pointer()} }

// With returns another value that is read in the place of this one.
func (p Location) With(n *Node) Location {
	p.Node = n
	return p
}

// At returns the place of a member of p, which need not exist.
func (p Location) At(key string) Location { return p.Child(key, p.Node.Get(key)) }

// Child returns the place of a value in p, or of one that p lacks.
func (p Location) Child(token string, n *Node) Location { return p.child(p.Pointer(), token, n) }

func (p Location) child(base, token string, n *Node) Location {
	c := Location{Node: n, near: p.near, base: base, token: token, leaf: true}
	if n != nil {
		c.near = &n.Span
	}
	return c
}

// Named returns the place of a member of p by its name, not by its value.
func (p Location) Named(m *Member) Location {
	return Location{Node: m.Value, near: &m.KeySpan, base: p.Pointer(), token: m.Key, leaf: true}
}

// List iterates over the items of an array; a value of another kind has none.
func (p Location) List() iter.Seq[Location] {
	return func(yield func(Location) bool) {
		if !p.Node.Is(Array) || len(p.Node.Items) == 0 {
			return
		}
		base := p.Pointer()
		for i, n := range p.Node.Items {
			if !yield(p.child(base, strconv.Itoa(i), n)) {
				return
			}
		}
	}
}

// Entries iterates over the members of an object; a value of another kind has none.
func (p Location) Entries() iter.Seq2[*Member, Location] {
	return func(yield func(*Member, Location) bool) {
		if !p.Node.Is(Object) || len(p.Node.Members) == 0 {
			return
		}
		base := p.Pointer()
		for i := range p.Node.Members {
			m := &p.Node.Members[i]
			if !yield(m, p.child(base, m.Key, m.Value)) {
				return
			}
		}
	}
}

// There reports whether p says anything: null does not.
func (p Location) There() bool { return p.Node != nil && p.Node.Kind != Null }

// Below returns where the value at a pointer below p stands, or what it stands in
// where p has no such member.
func (p Location) Below(pointer string) diag.Span {
	if p.Node == nil {
		return p.Where()
	}
	return p.Node.Below(pointer, p.Where())
}
