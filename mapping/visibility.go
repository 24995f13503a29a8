package mapping

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// visibility returns the strictest visibility that a header, or what else describes a
// skill, states. A misspelled key or value hides the skill, with a finding.
func (m *maker) visibility(header *source.Node) Visibility {
	most := Public
	metadata := asObject(header.Get("metadata"))
	for _, place := range []struct {
		members *source.Node
		prefix  string
	}{{header, "a2a-"}, {metadata, "a2a-"}, {asObject(metadata.Get("a2a")), ""}} {
		for _, f := range place.members.Fields() {
			most = MostPrivate(most, m.stated(f, place.prefix))
		}
	}
	for _, item := range header.Get("metadata").Elements() { // a list instead of a map
		for _, f := range asObject(item).Fields() {
			most = MostPrivate(most, m.stated(f, "a2a-"))
		}
	}
	return MostPrivate(most, m.misplaced(header, metadata))
}

// misplaced hides a skill that states a visibility in a map a2a where it is not read: at
// the top of the header, below metadata in another spelling, or as a text.
func (m *maker) misplaced(header, metadata *source.Node) Visibility {
	most := Public
	for _, n := range []*source.Node{header, metadata} {
		for _, f := range n.Fields() {
			members := asObject(f.Value)
			switch {
			case Plain(f.Key) != "a2a", n == metadata && f.Key == "a2a" && members != nil:
			case slices.ContainsFunc(members.Fields(), func(f source.Member) bool {
				return misspelled(f.Key, "") || withholds(f.Key, "") && !strings.EqualFold(text(f.Value), "false")
			}), slices.Contains([]string{"extended", "hidden", "private", "internal"}, Plain(text(f.Value))):
				m.report(diag.SourceVisibility, &source.Node{Span: f.KeySpan},
					fmt.Sprintf("the key %s states a visibility where none is read, so the skill is hidden",
						diag.Quote(f.Key)), m.keys.hideHint())
				most = Hidden
			}
		}
	}
	return most
}

// asObject returns an object, or that whose JSON text a node is, nil for anything else.
func asObject(n *source.Node) *source.Node {
	if n.Is(source.Object) {
		return n
	}
	if o := parseJSON(n); o.Is(source.Object) {
		return o
	}
	return nil
}

// stated returns the visibility that a member asks for, whose key has a prefix at its
// place.
func (m *maker) stated(f source.Member, prefix string) Visibility {
	hint := m.keys.hideHint()
	switch {
	case f.Key == prefix+"visibility":
		v := Visibility(text(f.Value))
		if v == Public || v == Extended || v == Hidden {
			return v
		}
		m.report(diag.SourceVisibility, f.Value, fmt.Sprintf("unknown visibility %s, so the skill is hidden",
			diag.Quote(string(v))), "known: public, extended, hidden")
	case misspelled(f.Key, prefix):
		m.report(diag.SourceVisibility, &source.Node{Span: f.KeySpan},
			fmt.Sprintf("unknown key %s, so the skill is hidden", diag.Quote(f.Key)), hint)
	case withholds(f.Key, prefix) && !strings.EqualFold(text(f.Value), "false"):
		m.report(diag.SourceVisibility, &source.Node{Span: f.KeySpan},
			fmt.Sprintf("the key %s hides the skill", diag.Quote(f.Key)), hint)
	default:
		return Public
	}
	return Hidden
}

// misspelled reports whether a key differs from the key of the visibility in case, hyphens
// and underscores, and in at most two letters.
func misspelled(key, prefix string) bool {
	known := strings.TrimSuffix(prefix, "-") + "visibility"
	plain := plainKey(key, prefix)
	if len(key) > 2*len(known) || len(plain)+2 < len(known) {
		return false
	}
	_, near := diag.Nearest(plain, []string{known}) // or the beginning of it
	return near
}

// withholds reports whether a key is a flag that keeps a skill off the cards.
func withholds(key, prefix string) bool {
	name, ok := strings.CutPrefix(plainKey(key, prefix), strings.TrimSuffix(prefix, "-"))
	if !ok {
		return false
	}
	switch name {
	case "hidden", "private", "internal", "exclude", "skip":
		return true
	}
	return false
}

// plainKey returns the letters and digits of a key. In a map called a2a, where keys have no
// prefix, one that repeats it is understood.
func plainKey(key, prefix string) string {
	plain := Plain(key)
	if prefix == "" {
		plain = strings.TrimPrefix(plain, "a2a")
	}
	return plain
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
