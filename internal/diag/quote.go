package diag

import "strconv"

// longest is how much of a user's text a message shows, in characters.
const longest = 60

// Quote returns text in quotes, escaped as by %q, for use in a message. A long
// text is cut, with an ellipsis for the rest.
func Quote(text string) string { return strconv.Quote(Clip(text)) }

// Clip cuts a text to what fits into a message.
func Clip(text string) string {
	n := 0
	for i := range text {
		if n == longest {
			return text[:i] + "…"
		}
		n++
	}
	return text
}
