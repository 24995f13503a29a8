package secret

import (
	"strconv"
	"strings"
)

// Clue returns what a message may show of the secret: what every one of its kind
// begins with.
func (s Match) Clue(text string) string { return text[s.Start:s.Start+s.known] + "…" }

// Told says what was found and, where that can be said, how it begins.
func (s Match) Told(text string) string {
	if s.known == 0 {
		return s.What
	}
	return s.What + ", " + strconv.Quote(s.Clue(text))
}

// Mask returns a text in which every character of a credential but what all of
// its kind begin with is an asterisk. Ends of lines stay, so that the places in it
// are the same: a line that is shown with a finding must not tell what that hides.
func Mask(text []byte) []byte { return []byte(MaskText(string(text))) }

// MaskText is [Mask] for a text.
func MaskText(text string) string {
	var b strings.Builder
	shown := 0
	for _, s := range All(text) {
		b.WriteString(text[shown : s.Start+s.known])
		b.WriteString(asterisks(text[s.Start+s.known : s.End]))
		shown = s.End
	}
	if shown == 0 {
		return text
	}
	return b.String() + text[shown:]
}

// asterisks replaces the characters of a text.
func asterisks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return '*'
	}, text)
}
