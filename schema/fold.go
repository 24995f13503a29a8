package schema

import (
	"strings"
	"unicode"
)

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
