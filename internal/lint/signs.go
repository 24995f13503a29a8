package lint

import "strings"

// signs are fragments without which a text holds nothing that a rule looks for.
// One pass tells whether it has any: most have none, and expressions are slow.
type signs struct {
	list  []string // in lower case, of two bytes at least
	pairs pairs    // of their first bytes
}

// pairs are two bytes each, five bits of either: both cases of a letter share them.
type pairs [32]uint32

func (p *pairs) add(text string) { p[text[0]&31] |= 1 << (text[1] & 31) }

func (p *pairs) has(first, second byte) bool { return p[first&31]>>(second&31)&1 != 0 }

func newSigns(list ...string) *signs {
	s := &signs{list: list}
	for _, sign := range list {
		s.pairs.add(sign)
	}
	return s
}

// in reports whether one of the signs stands in a text, in any letter case.
func (s *signs) in(text string) bool {
	if !isPlain(text) {
		text = strings.ToLower(text) // signs for letters that fold to those of ASCII
	}
	for i := 1; i < len(text); i++ {
		if s.pairs.has(text[i-1], text[i]) && s.begin(text[i-1:]) {
			return true
		}
	}
	return false
}

// begin reports whether a text begins with one of the signs.
func (s *signs) begin(text string) bool {
	if len(text) < 2 || !s.pairs.has(text[0], text[1]) {
		return false
	}
	for _, sign := range s.list {
		if len(text) >= len(sign) && (text[1]^sign[1])&31 == 0 && strings.EqualFold(text[:len(sign)], sign) {
			return true
		}
	}
	return false
}
