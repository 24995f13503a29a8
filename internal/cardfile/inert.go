package cardfile

import (
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
)

// Inert returns the text of a card as it goes to standard output, which may be a
// terminal or the log of CI, and as capture commits it for review: the same card to
// every parser, with the characters that rule text-invisible refuses, and what
// GitHub Actions would take for a command, as JSON escapes. Such characters stand
// in strings only.
func Inert(card []byte) []byte {
	text := lint.Reveal(string(card), diag.EscapeJSON)
	return []byte(strings.ReplaceAll(text, "##[", `##\u005b`))
}
