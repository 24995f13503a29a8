package convert

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

type place = source.Location

// members is an object whose members are read one by one. What is left in the
// end is unknown.
type members struct {
	place place
	r     *reader
	read  []bool          // by the index of the member
	aside []source.Member // kept under names of their own
}

func (r *reader) members(p place) *members {
	return &members{place: p.Anchored(), r: r, read: make([]bool, len(p.Node.Members))}
}

// index returns the index of the member of exactly that name, which is read then, -1
// where there is none, or no more.
func (m *members) index(name string) int {
	i := slices.IndexFunc(m.place.Node.Members, func(e source.Member) bool { return e.Key == name })
	if i < 0 || m.read[i] {
		return -1
	}
	m.read[i] = true
	return i
}

// member returns the member of that name. Its snake_case spelling counts as well,
// and so do its spellings in other letter case and the other names, in their
// order: each is reported. Where several are there the first counts, and the
// others are reported.
func (m *members) member(name string, others ...string) place {
	first, found := m.place.Child(name, nil), ""
	indexes := []int{m.index(name), m.index(schema.SnakeName(name))}
	for i, e := range m.place.Node.Members {
		if !m.read[i] && strings.EqualFold(e.Key, name) { // as clients in Go read it
			indexes, m.read[i] = append(indexes, i), true
		}
	}
	for _, other := range others {
		indexes = append(indexes, m.index(other))
	}
	for _, i := range indexes {
		if i < 0 {
			continue
		}
		e := &m.place.Node.Members[i]
		key, p, named := e.Key, m.place.Child(e.Key, e.Value), m.place.Named(e)
		switch {
		case e.Value.Empty():
			m.r.silent = append(m.r.silent, named)
			if found == "" {
				first = p
			}
		case found == "":
			first, found = p, key
			if key != name {
				m.r.repair(named, "%s is read as %s", diag.Quote(key), diag.Quote(name))
			}
		case first.Node.Equal(p.Node):
			m.r.repair(named, "%s is the same as %s and is left out", diag.Quote(key), diag.Quote(found))
		default:
			m.r.drop(named, "%s differs from %s and is left out", diag.Quote(key), diag.Quote(found))
		}
	}
	return first
}

// exact returns the member of exactly that name, which may well be empty.
func (m *members) exact(name string) place {
	m.index(name)
	return m.place.At(name)
}

// text reads a text. A number or a boolean is read as spelled.
func (r *reader) text(p place) string {
	switch {
	case p.Node.Is(source.String):
		return p.Node.Text
	case p.Node.Scalar():
		r.repair(p, "%s is %s; it is read as a string", shown(p.Node), p.Node.Kind.Article())
		return p.Node.Text
	case p.There():
		r.drop(p, "%s is not a string and is left out", p.Node.Kind.Article())
	}
	return ""
}

// items returns the texts of a list, each with its place. A single text is a list of
// one.
func (r *reader) items(p place) (texts []string, places []place) {
	if p.Node.Is(source.String) && p.Node.Text != "" {
		r.repair(p, "a string is read as a list of one")
		return []string{p.Node.Text}, []place{p}
	}
	if p.There() && !p.Node.Is(source.Array) && !p.Node.Empty() {
		r.drop(p, "%s is not a list and is left out", p.Node.Kind.Article())
	}
	for at := range p.List() {
		if text := r.text(at); text != "" {
			texts, places = append(texts, text), append(places, at)
		}
	}
	return texts, places
}

func (r *reader) texts(p place) []string {
	texts, _ := r.items(p)
	return texts
}

// flag reads a boolean, or what people write for one.
func (r *reader) flag(p place) *bool {
	switch {
	case p.Node.Is(source.Bool):
		return new(p.Node.Text == "true")
	case !p.There():
		return nil
	}
	yes, ok := truth(p.Node)
	if !ok {
		r.drop(p, "%s is neither true nor false and is left out", shown(p.Node))
		return nil
	}
	r.repair(p, "%s is read as %t", shown(p.Node), yes)
	return &yes
}

// truth returns the boolean that a value of another type means.
func truth(n *source.Node) (yes, ok bool) {
	if !n.Scalar() {
		return false, false
	}
	switch word(n.Text) {
	case "true", "yes", "on", "enabled", "supported", "1":
		return true, true
	case "false", "no", "off", "none", "disabled", "unsupported", "notsupported", "0":
		return false, true
	}
	return false, false
}

// shown returns a value as a message shows it.
func shown(n *source.Node) string {
	switch n.Kind {
	case source.String:
		return diag.Quote(n.Text)
	case source.Number, source.Bool:
		return n.Text[:min(len(n.Text), 20)]
	}
	return n.Kind.Article()
}

// wordOf returns the text that a value is, or the first of its members that has
// one.
func wordOf(p place, keys ...string) string {
	said := p.Node.Word()
	for _, key := range keys {
		said = cmp.Or(said, p.At(key).Node.Word())
	}
	return said
}

// word returns a name without what people spell differently in it.
func word(s string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("-_+. ", c) {
			return -1
		}
		return unicode.ToLower(c)
	}, s)
}
