package secret

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
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

// Masked returns a value without the credentials in its texts and in the names of
// its members.
func Masked(n *source.Node) *source.Node {
	if n == nil {
		return nil
	}
	out := *n
	if n.Kind == source.String {
		out.Text = MaskText(n.Text)
	}
	out.Items = make([]*source.Node, len(n.Items))
	for i, item := range n.Items {
		out.Items[i] = Masked(item)
	}
	out.Members = slices.Clone(n.Members)
	for i, m := range n.Members {
		out.Members[i].Key, out.Members[i].Value = MaskText(m.Key), Masked(m.Value)
	}
	return &out
}
