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
	var b strings.Builder
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
