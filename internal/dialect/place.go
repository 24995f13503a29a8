package dialect

import (
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// place is a value of a document and where it stands. Without a node it is
// where a value would have to stand. Many are looked at and few reported, so
// that a place puts its pointer together only when it is asked for.
type place struct {
	*source.Node
	parent string    // pointer of what holds it
	token  string    // of the value in there
	root   bool      // parent is the pointer of the place itself
	span   diag.Span // of the value, else of what would hold it
}

// rooted returns the place of a value whose pointer is known.
func rooted(n *source.Node, pointer string, span diag.Span) place {
	return place{Node: n, parent: pointer, root: true, span: span}
}

// pointer returns the RFC 6901 pointer of the place.
func (p place) pointer() string {
	if p.root {
		return p.parent
	}
	return source.Pointer(p.parent, p.token)
}

// with returns another value that is read in the place of this one.
func (p place) with(n *source.Node) place {
	p.Node = n
	return p
}

// child returns the place of a value in the object or list at a pointer.
func (p place) child(pointer, token string, n *source.Node) place {
	c := place{Node: n, parent: pointer, token: token, span: p.span}
	if n != nil {
		c.span = n.Span
	}
	return c
}

// get returns the place of a member of p, which need not exist.
func (p place) get(key string) place { return p.child(p.pointer(), key, p.Get(key)) }

// below returns where the value at a pointer below p stands, or what it stands in
// where p has no such member.
func (p place) below(pointer string) diag.Span {
	n, span := p.Node, p.span
	if n == nil {
		return span
	}
	for token := range source.Tokens(pointer) {
		next, ok := n.Find(source.Pointer("", token))
		if !ok {
			break
		}
		if n = next; n.Span != (diag.Span{}) {
			span = n.Span
		}
	}
	return span
}

// there tells whether p says anything: null does not.
func (p place) there() bool { return p.Node != nil && p.Kind != source.Null }

// items iterates over the items of an array; a value of another kind has none.
func (p place) items() func(yield func(int, place) bool) {
	return func(yield func(int, place) bool) {
		if !p.Is(source.Array) {
			return
		}
		pointer := p.pointer()
		for i, n := range p.Items {
			if !yield(i, p.child(pointer, strconv.Itoa(i), n)) {
				return
			}
		}
	}
}

// entries iterates over the members of an object; a value of another kind has
// none.
func (p place) entries() func(yield func(string, place) bool) {
	return func(yield func(string, place) bool) {
		if !p.Is(source.Object) {
			return
		}
		pointer := p.pointer()
		for _, m := range p.Members {
			if !yield(m.Key, p.child(pointer, m.Key, m.Value)) {
				return
			}
		}
	}
}

// word returns the text of a string, "" for anything else.
func (p place) word() string {
	if p.Is(source.String) {
		return p.Text
	}
	return ""
}
