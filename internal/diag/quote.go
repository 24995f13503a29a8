package diag

import (
	"strconv"
	"strings"

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
