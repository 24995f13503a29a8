package cli

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"cardwright/internal/lint"
)

// inert returns the text of a card as it goes to standard output, which may be a
// terminal or the log of CI: the same card to every parser, with the characters
// that rule text-invisible refuses, and what GitHub Actions would take for a
// command, as JSON escapes. Such characters stand in strings only.
func inert(card []byte) []byte {
	text := lint.Reveal(string(card), func(r rune) string {
		var b strings.Builder
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
		return b.String()
	})
	return []byte(strings.ReplaceAll(text, "##[", `##\u005b`))
}
