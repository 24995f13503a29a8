package diag

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

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
