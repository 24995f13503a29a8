package secret

import (
	"strings"

	"cardwright/internal/diag"
)

// shown is how many characters of a secret a message may show.
const shown = 4

// Clue returns what a message may show of the secret: enough to find it.
func (s Match) Clue(text string) string {
	runes := []rune(text[s.Start:s.End])
	return string(runes[:min(shown, len(runes)/2)]) + "…"
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

// Mask returns a text in which every character of a credential but the first
// ones is an asterisk, line by line, so that the places in it stay the same: a
// line that is shown with a finding must not tell what the finding hides.
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
		b.WriteString(line[:s.Start])
		b.WriteString(asterisks(line[s.Start:s.End], shown))
		line = line[s.End:]
	}
	b.WriteString(asterisks(line, 0))
}

// asterisks replaces the characters of a text behind the first keep.
func asterisks(text string, keep int) string {
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n > keep && r != '\n' {
			return '*'
		}
		return r
	}, text)
}
