package lint

import (
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// quote returns user text for a message, quoted, cut, and without the secrets
// that stand in it.
func quote(text string) string { return secret.Quote(text) }

// place is a spot in a card: a value, or where one would have to stand. Rules
// look at many places and report few, so a place puts its pointer together
// only when it is asked for.
type place struct {
	*source.Node              // nil where the card has nothing
	near         *source.Node // the value, else its nearest ancestor
	base         string       // pointer of the parent, or of the place itself when it is no leaf
	token        string
	leaf         bool
}

func rootPlace(n *source.Node) place { return place{Node: n, near: n} }

// also returns the place as one that belongs to a finding about another.
func (p place) also(message string) diag.Related {
	return diag.Related{Span: p.span(), Pointer: p.pointer(), Message: message}
}

// pointer returns the RFC 6901 pointer of the place.
func (p place) pointer() string {
	if p.leaf {
		return source.Pointer(p.base, p.token)
	}
	return p.base
}

// span returns where the value stands, or its nearest ancestor.
func (p place) span() diag.Span { return p.near.Span }

// anchored returns p for many calls of get: with its pointer put together.
func (p place) anchored() place {
	return place{Node: p.Node, near: p.near, base: p.pointer()}
}

// get returns the place of a member of p, which need not exist.
func (p place) get(key string) place {
	return child(p, p.pointer(), key, p.Get(key))
}

func child(p place, base, token string, n *source.Node) place {
	c := place{Node: n, near: n, base: base, token: token, leaf: true}
	if n == nil {
		c.near = p.near
	}
	return c
}

// items iterates over the items of an array; a value of another kind has none.
func (p place) items() func(yield func(place) bool) {
	return func(yield func(place) bool) {
		if !p.Is(source.Array) || len(p.Items) == 0 {
			return
		}
		base := p.pointer()
		for i, n := range p.Items {
			if !yield(child(p, base, strconv.Itoa(i), n)) {
				return
			}
		}
	}
}

// members iterates over the members of an object; a value of another kind has
// none.
func (p place) members() func(yield func(*source.Member, place) bool) {
	return func(yield func(*source.Member, place) bool) {
		if !p.Is(source.Object) || len(p.Members) == 0 {
			return
		}
		base := p.pointer()
		for i := range p.Members {
			m := &p.Members[i]
			if !yield(m, child(p, base, m.Key, m.Value)) {
				return
			}
		}
	}
}

// lacks tells whether p has no member of that name, in any spelling.
func (p place) lacks(name string) bool {
	return p.Get(name) == nil && spelling(p.Node, name) == nil
}

// text returns the text of a string, "" for anything else.
func (p place) text() string {
	if p.Is(source.String) {
		return p.Text
	}
	return ""
}

// texts iterates over the strings in an array.
func (p place) texts() func(yield func(place) bool) {
	return func(yield func(place) bool) {
		for item := range p.items() {
			if item.Is(source.String) && !yield(item) {
				return
			}
		}
	}
}

// isTrue tells whether p is the boolean true.
func (p place) isTrue() bool { return p.Is(source.Bool) && p.Text == "true" }

// offered tells whether p is a list that holds anything.
func (p place) offered() bool { return p.Is(source.Array) && len(p.Items) > 0 }
