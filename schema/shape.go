package schema

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sync"

	"cardwright/internal/source"
)

// shapes is a set of shapes of cards.
type shapes struct {
	mu  sync.Mutex
	all map[string]bool
}

// sound are those that the JSON Schemas allow: the cards of a fleet share a few.
var sound = shapes{all: map[string]bool{}}

func (s *shapes) has(shape string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[shape]
}

// add adds a short shape as long as there are few, so that a run that goes on for long
// does not fill the memory.
func (s *shapes) add(shape string) {
	const most, longest = 1000, 16 << 10
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) < most && len(shape) <= longest {
		s.all[shape] = true
	}
}

// shapeOf returns what the JSON Schemas of some versions look at in a card: security
// schemes are the only part whose texts they know, so those count as they are.
func shapeOf(p Protocol, card *source.Node) string {
	buf := binary.AppendUvarint(nil, uint64(p))
	buf = appendShape(buf, card)
	for _, m := range card.Fields() {
		if m.Key == "securitySchemes" {
			buf = append(buf, WriteCompact(m.Value)...)
		}
	}
	return string(buf)
}

// oneOfEachShape returns a card without the skills that have the shape of one before
// them, about which the JSON Schemas say the same: most skills of a card have it.
func oneOfEachShape(card *source.Node) *source.Node {
	at := slices.IndexFunc(card.Fields(), func(m source.Member) bool { return m.Key == "skills" })
	if at < 0 || !card.Members[at].Value.Is(source.Array) {
		return card
	}
	seen := map[string]bool{}
	var items []*source.Node
	var buf []byte
	for _, skill := range card.Members[at].Value.Items {
		buf = appendShape(buf[:0], skill)
		if !seen[string(buf)] {
			seen[string(buf)] = true
			items = append(items, skill)
		}
	}
	short := *card
	short.Members = slices.Clone(card.Members)
	short.Members[at].Value = &source.Node{Kind: source.Array, Items: items}
	return &short
}

// appendShape adds what the JSON Schemas look at in a value: the names of members, the
// kinds of values, and what is empty. Of items with one shape beside each other one counts.
func appendShape(buf []byte, n *source.Node) []byte {
	kind := byte('a' + n.Kind)
	switch n.Kind {
	case source.Object:
		buf = append(buf, kind)
		for _, m := range n.Members {
			buf = append(binary.AppendUvarint(append(buf, '+'), uint64(len(m.Key))), m.Key...)
			buf = appendShape(buf, m.Value)
		}
		return append(buf, '-')
	case source.Array:
		buf = append(buf, kind)
		last := len(buf)
		for _, item := range n.Items {
			next := len(buf)
			if buf = appendShape(buf, item); next > last && bytes.Equal(buf[last:next], buf[next:]) {
				buf = buf[:next]
			} else {
				last = next
			}
		}
		return append(buf, '-')
	}
	if n.Kind == source.String && n.Text == "" {
		return append(buf, '0')
	}
	return append(buf, kind)
}
