package secret

import (
	"strings"

	"cardwright/internal/diag"
)

// Clue returns what a message may show of the secret: what every one of its kind
// begins with.
func (s Match) Clue(text string) string { return text[s.Start:s.Start+s.known] + "…" }

// Told says what was found and, where that can be said, how it begins.
func (s Match) Told(text string) string {
	if s.known == 0 {
		return s.What
	}
	return s.What + ", " + diag.Quote(s.Clue(text))
}

// quoted is how much of a text is looked at before its beginning is quoted, in
// bytes: far more than is shown, so that a secret there is known.
const quoted = 1 << 10

// Quote returns user text for a message, quoted, cut, and without the secrets
// that stand in it.
func Quote(text string) string {
	if len(text) > quoted {
		text = strings.ToValidUTF8(text[:quoted], "")
	}
	if s, ok := Find(text); ok {
		return diag.Quote(text[:s.Start] + s.Clue(text))
	}
	return diag.Quote(text)
}

// Mask returns a text in which every character of a credential but what all of
// its kind begin with is an asterisk, line by line, so that the places in it stay
// the same: a line that is shown with a finding must not tell what that hides.
func Mask(text []byte) []byte { return []byte(MaskText(string(text))) }

// MaskText is [Mask] for a text.
func MaskText(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		maskLine(&b, line)
	}
	return b.String()
}

// maskedEach is how many credentials of one line are masked one by one. Behind
// them nothing is shown: looking for each takes the length of the line.
const maskedEach = 20

func maskLine(b *strings.Builder, line string) {
	for range maskedEach {
		s, ok := Find(line)
		if !ok {
			b.WriteString(line)
			return
		}
		b.WriteString(line[:s.Start+s.known])
		b.WriteString(asterisks(line[s.Start+s.known : s.End]))
		line = line[s.End:]
	}
	b.WriteString(asterisks(line))
}

// asterisks replaces the characters of a text.
func asterisks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return '*'
	}, text)
}
