package source

import (
	"iter"
	"strconv"

	"cardwright/internal/diag"
)

// Spot is a spot in a document: a value, or where one would have to stand. Many
// are looked at and few reported, so a place puts its pointer together only when it
// is asked for.
type Spot struct {
	*Node            // nil where the document has nothing
	near  *diag.Span // of the value, else of its nearest ancestor
	base  string     // pointer of the parent, or of the place itself when it is no leaf
	token string
	leaf  bool
}

// At returns the place of a value whose pointer is known.
func At(n *Node, pointer string) Spot {
	p := Spot{Node: n, base: pointer}
	if n != nil {
		p.near = &n.Span
	}
	return p
}

// Pointer returns the RFC 6901 pointer of the place.
func (p Spot) Pointer() string {
	if p.leaf {
		return Pointer(p.base, p.token)
	}
	return p.base
}

// Parent returns the pointer of what holds a member or an item.
func (p Spot) Parent() string { return p.base }

// Token returns the name of a member, or the index of an item.
func (p Spot) Token() string { return p.token }

// Where returns the span of the value, or of its nearest ancestor.
func (p Spot) Where() diag.Span {
	if p.near == nil {
		return diag.Span{}
	}
	return *p.near
}

// Anchored returns p for many calls of At: with its pointer put together.
func (p Spot) Anchored() Spot { return Spot{Node: p.Node, near: p.near, base: p.Pointer()} }

// With returns another value that is read in the place of this one.
func (p Spot) With(n *Node) Spot {
	p.Node = n
	return p
}

// At returns the place of a member of p, which need not exist.
func (p Spot) At(key string) Spot { return p.Child(key, p.Get(key)) }

// Child returns the place of a value in p, or of one that p lacks.
func (p Spot) Child(token string, n *Node) Spot { return p.child(p.Pointer(), token, n) }

func (p Spot) child(base, token string, n *Node) Spot {
	c := Spot{Node: n, near: p.near, base: base, token: token, leaf: true}
	if n != nil {
		c.near = &n.Span
	}
	return c
}

// Named returns the place of a member of p by its name, not by its value.
func (p Spot) Named(m *Member) Spot {
	return Spot{Node: m.Value, near: &m.KeySpan, base: p.Pointer(), token: m.Key, leaf: true}
}

// List iterates over the items of an array; a value of another kind has none.
func (p Spot) List() iter.Seq[Spot] {
	return func(yield func(Spot) bool) {
		if !p.Is(Array) || len(p.Items) == 0 {
			return
		}
		base := p.Pointer()
		for i, n := range p.Items {
			if !yield(p.child(base, strconv.Itoa(i), n)) {
				return
			}
		}
	}
}

// Entries iterates over the members of an object; a value of another kind has none.
func (p Spot) Entries() iter.Seq2[*Member, Spot] {
	return func(yield func(*Member, Spot) bool) {
		if !p.Is(Object) || len(p.Members) == 0 {
			return
		}
		base := p.Pointer()
		for i := range p.Members {
			m := &p.Members[i]
			if !yield(m, p.child(base, m.Key, m.Value)) {
				return
			}
		}
	}
}

// There reports whether p says anything: null does not.
func (p Spot) There() bool { return p.Node != nil && p.Kind != Null }

// Below returns where the value at a pointer below p stands, or what it stands in
// where p has no such member.
func (p Spot) Below(pointer string) diag.Span {
	if p.Node == nil {
		return p.Where()
	}
	return p.Node.Below(pointer, p.Where())
}
