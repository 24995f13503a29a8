package mapping

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// visibility returns the most private visibility that the header states
// anywhere: whoever hides a skill in the wrong place still means to hide it.
func (s *skillMD) visibility() Visibility {
	stated := statements(s.header, false, nil)
	if own := s.own["visibility"]; own != nil && !slices.Contains(stated, own) {
		stated = append(stated, own) // metadata is JSON text
	}
	most := Public
	for _, n := range stated {
		most = MostPrivate(most, s.wish(n))
	}
	unread := s.header.Text
	if s.metadata == nil {
		unread += "\n" + text(s.header.Get("metadata"))
	}
	if said := spelled(unread); MostPrivate(said, most) != most {
		s.report("source-visibility", s.header,
			fmt.Sprintf("the header has faults; one of its lines makes the skill %s, so that is used", said), "fix the header")
		return said
	}
	return most
}

// wish returns the visibility that n asks for.
func (s *skillMD) wish(n *source.Node) Visibility {
	v := asVisibility(text(n))
	if text(n) != "" && !strings.EqualFold(text(n), string(v)) {
		s.report("source-visibility", n,
			fmt.Sprintf("unknown visibility %s, so the skill is hidden", diag.Quote(text(n))), "known: public, extended, hidden")
	}
	return v
}

// asVisibility returns the visibility of that name: [Public] for no name, and
// [Hidden] for one that is unknown.
func asVisibility(name string) Visibility {
	switch v := Visibility(strings.ToLower(name)); v {
	case Public, Extended:
		return v
	case "":
		return Public
	}
	return Hidden
}

// statements appends the values of every a2a-visibility below n to list. Own
// tells that n is a map called a2a, whose keys go without the prefix.
func statements(n *source.Node, own bool, list []*source.Node) []*source.Node {
	if n == nil {
		return list
	}
	for _, m := range n.Members {
		key, prefixed := ownKey(m.Key)
		if prefixed && key == "visibility" || own && kebab(m.Key) == "visibility" {
			list = append(list, m.Value)
		} else {
			list = statements(m.Value, m.Key == "a2a", list)
		}
	}
	for _, item := range n.Items {
		list = statements(item, own, list)
	}
	return list
}

// spelled returns the most private visibility that a text spells out, whatever
// a parser makes of it.
func spelled(text string) Visibility {
	const key = "visibility"
	most := Public
	text = strings.ToLower(strings.Map(printable, text))
	for text != "" {
		line, _, _ := strings.Cut(text, "\n")
		at := strings.Index(line, key)
		if at < 0 || strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			text = strings.TrimPrefix(text[len(line):], "\n")
			continue
		}
		own := strings.HasSuffix(strings.TrimRight(line[:at], "-_."), "a2a")
		text = text[at+len(key):]
		value, stated := strings.CutPrefix(strings.TrimLeft(text, "\"'\\ \t"), ":")
		if !stated {
			continue
		}
		value = strings.TrimLeft(value, "\"'\\ \t\n|>-+")
		if end := strings.IndexFunc(value, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
			value = value[:end]
		}
		if v := asVisibility(value); own || value == string(v) { // else it is the visibility of something else
			most = MostPrivate(most, v)
		}
	}
	return most
}

// printable drops control characters, as the repair of a header does.
func printable(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return -1
	}
	return r
}

// MostPrivate returns the one of two visibilities that shows less.
func MostPrivate(a, b Visibility) Visibility {
	for _, v := range []Visibility{Hidden, Extended} {
		if a == v || b == v {
			return v
		}
	}
	return Public
}
