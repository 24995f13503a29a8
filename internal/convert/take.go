package convert

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// members is an object whose members are taken one by one. What is left in the
// end is unknown.
type members struct {
	place
	r     *reader
	taken []bool          // by the index of the member
	aside []source.Member // kept under names of their own
}

func (r *reader) take(p place) *members {
	return &members{place: p.Anchored(), r: r, taken: make([]bool, len(p.Node.Members))}
}

// moment is how far a reading has come.
type moment struct {
	found, silent, unknown int
	count                  map[diag.RuleID]int
}

func (r *reader) moment() moment {
	return moment{len(r.Found), len(r.silent), len(r.unknown), maps.Clone(r.count)}
}

// rewind takes back what was reported since then.
func (r *reader) rewind(m moment) {
	r.Found, r.silent, r.unknown, r.count = r.Found[:m.found], r.silent[:m.silent], r.unknown[:m.unknown], m.count
}

// absent returns the place where a member would have to stand.
func (m *members) absent(name string) place { return m.Child(name, nil) }

// mark takes the member of exactly that name. It returns -1 where there is
// none, or no more.
func (m *members) mark(name string) int {
	i := slices.IndexFunc(m.Node.Members, func(e source.Member) bool { return e.Key == name })
	if i < 0 || m.taken[i] {
		return -1
	}
	m.taken[i] = true
	return i
}

// take returns the member of that name. Its snake_case spelling counts as well,
// and so do its spellings in other letter case and the other names, in their
// order: each is reported. Where several are there the first counts, and the
// others are reported.
func (m *members) take(name string, others ...string) place {
	first, found := m.absent(name), ""
	try := func(key string) {
		i := m.mark(key)
		if i < 0 {
			return
		}
		e := &m.Node.Members[i]
		p, named := m.Child(key, e.Value), m.Named(e)
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
		case means(first.Node, p.Node):
			m.r.repair(named, "%s is the same as %s and is left out", diag.Quote(key), diag.Quote(found))
		default:
			m.r.drop(named, "%s differs from %s and is left out", diag.Quote(key), diag.Quote(found))
		}
	}
	try(name)
	try(schema.SnakeName(name))
	for _, e := range m.Node.Members {
		if e.Key != name && strings.EqualFold(e.Key, name) { // as clients in Go read it
			try(e.Key)
		}
	}
	for _, key := range others {
		try(key)
	}
	return first
}

// plain returns the member of exactly that name, which may well be empty.
func (m *members) plain(name string) place {
	m.mark(name)
	return m.At(name)
}

// means reports whether two members say the same: the same value, or two
// spellings of one protocol binding.
func means(a, b *source.Node) bool {
	if a.Is(source.String) && b.Is(source.String) && schema.BindingMeant(a.Text) != "" {
		return schema.BindingMeant(a.Text) == schema.BindingMeant(b.Text)
	}
	return a.Equal(b)
}

// spelled reads a text. A number or a boolean is read as spelled.
func (r *reader) spelled(p place) string {
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

// item is a text of a list.
type item struct {
	text string
	at   place
}

// spelledItems reads a list of texts. A single text is a list of one, or of
// those between its commas.
func (r *reader) spelledItems(p place) []item {
	var list []item
	switch {
	case p.Node.Is(source.Array):
		for at := range p.List() {
			if text := r.spelled(at); text != "" {
				list = append(list, item{text, at})
			}
		}
	case p.Node.Is(source.String) && p.Node.Text != "":
		r.repair(p, "a string is read as a list of one")
		for part := range strings.SplitSeq(p.Node.Text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, item{part, p})
			}
		}
	case p.There() && !p.Node.Empty():
		r.drop(p, "%s is not a list and is left out", p.Node.Kind.Article())
	}
	return list
}

// spelledList reads a list of texts as [reader.spelledItems] does.
func (r *reader) spelledList(p place) []string {
	var list []string
	for _, i := range r.spelledItems(p) {
		list = append(list, i.text)
	}
	return list
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
	if n == nil {
		return false, false
	}
	switch word(n.Text) {
	case "true", "yes", "on", "enabled", "supported", "1":
		return true, n.Scalar()
	case "false", "no", "off", "none", "disabled", "unsupported", "notsupported", "0":
		return false, n.Scalar()
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

type place = source.Location
