package schema

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Slug turns a name into the id of a skill or an agent: letters and digits of
// any script in lower case and NFC, with the marks that belong to a letter, and
// one hyphen for each run of anything else, none at the ends. It is "" when s
// has no letter or digit.
func Slug(s string) string {
	if isSlug(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap, letter := false, false // a hyphen is due; the last character was a letter
	for _, r := range norm.NFC.String(s) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), letter && unicode.IsMark(r):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap, letter = false, !unicode.IsDigit(r)
			b.WriteRune(unicode.ToLower(r))
		default:
			gap, letter = true, false
		}
	}
	return norm.NFC.String(b.String())
}

// isSlug reports whether a name is an id already, of letters and digits of ASCII, as
// most are.
func isSlug(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case c != '-', i == 0, i == len(s)-1, s[i-1] == '-':
			return false
		}
	}
	return true
}

// FoldName returns the name of a member with each letter replaced by the smallest
// that Unicode's simple folding makes equal to it. Clients written in Go take two
// members for the same whose folded names are equal, "ſkills" for "skills" too: two
// folded names are equal where [strings.EqualFold] says so of the names.
func FoldName(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}

// SnakeName returns the name of a member as the protocol buffers spell it, which
// clients that read their JSON take as well.
func SnakeName(name string) string {
	if !strings.ContainsFunc(name, unicode.IsUpper) {
		return name
	}
	var b strings.Builder
	for _, c := range name {
		if unicode.IsUpper(c) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
