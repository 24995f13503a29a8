package diag

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"cardwright/internal/secret"
)

const (
	longest = 60      // how much of a user's text a message shows, in characters
	looked  = 4 << 10 // how much is looked at first, in bytes: a credential that is cut is not known as one
)

// Quote returns text in quotes, escaped as by %q, for use in a message. A long
// text is cut, with an ellipsis for the rest, and so is one at its first credential.
func Quote(text string) string { return strconv.Quote(Clip(text)) }

// Clip cuts a text to what fits into a message and shows no credential.
func Clip(text string) string {
	if len(text) > looked {
		text = strings.ToValidUTF8(text[:looked], "")
	}
	if s, ok := secret.Find(text); ok {
		text = text[:s.Start] + s.Clue(text)
	}
	n := 0
	for i := range text {
		if n == longest {
			return text[:i] + "…"
		}
		n++
	}
	return text
}

// Escape spells a character by its number, as Go and YAML read it: \u202e, and
// \U0001f600 beyond U+FFFF.
func Escape(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// EscapeJSON spells a character by its number, as JSON reads it: by a pair of
// surrogates beyond U+FFFF (RFC 8259 section 7).
func EscapeJSON(r rune) string {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Invisible reports whether a reader cannot see r as what it is: controls, zero-width
// and bidirectional characters, tags, variation selectors, fillers, line and
// paragraph separators.
func Invisible(r rune) bool {
	return unicode.IsControl(r) ||
		unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point)
}
