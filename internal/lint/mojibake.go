package lint

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
)

var mojibakeChecks = []check{
	{"text-mojibake", both, textMojibake},
}

// textMojibake finds text that was read in another character set than it was
// written in. Where such text holds characters that nobody sees, text-invisible
// says so, and why.
func textMojibake(c *card) {
	c.eachText(func(t textAt) {
		if isPlain(t.text) || len(hidden(t.text)) > 0 {
			return
		}
		if wrong, right, ok := garbled(t.text); ok {
			c.findText(t, saveAsUTF8, "the text was decoded with the wrong character set: %s in %s", misread(wrong, right),
				quote(t.text))
		}
	})
}

const saveAsUTF8 = "open the file in its original encoding, and save it as UTF-8"

// misread names what was misread, and as what it was meant where that is known.
func misread(wrong, right string) string {
	if right == "" {
		return fmt.Sprintf("%+q", wrong)
	}
	return fmt.Sprintf("%s for %q", spell(wrong), right)
}

// spell quotes characters, those that nobody sees as escapes.
func spell(text string) string {
	return `"` + Reveal(text, diag.Escape) + `"`
}

// garbled returns the first characters of a text that were misread, and what
// they were, "" when nobody can tell: the bytes of one character in UTF-8 read
// one by one as Windows-1252 or ISO 8859-1, a replacement character, and
// characters for private use, which no font has for everybody.
func garbled(text string) (wrong, right string, found bool) {
	var before rune
	for i, r := range text {
		if r == utf8.RuneError || unicode.Is(unicode.Co, r) {
			return string(r), "", true
		}
		if r >= firstLead && r <= lastLead && !unicode.IsUpper(before) {
			if n, decoded := misdecoded(text[i:]); n > 0 && plausible(decoded) && !typed(r, text[i+utf8.RuneLen(r):i+n]) {
				return text[i : i+n], string(decoded), true
			}
		}
		before = r
	}
	return "", "", false
}

// What the first byte of a character in UTF-8 reads as, from U+0080 on.
const firstLead, lastLead = 'Â', 'ô'

// typed reports whether a letter and the signs behind it may be what somebody has
// typed: a word that ends in é, then … and ». Nothing is typed as Ã©, Â» or â€™.
func typed(letter rune, signs string) bool {
	return !strings.ContainsRune("ÂÃâ", letter) &&
		strings.Trim(signs, "…–—‘’‚“”„‹›«»·•€™©®°§\u00a0") == ""
}

// misdecoded reads characters as the bytes of one in UTF-8, and returns how long
// they are, 0 when they are not.
func misdecoded(text string) (length int, decoded rune) {
	var bytes [utf8.UTFMax]byte
	n := 0
	for i, r := range text {
		b, ok := byteOf(r)
		if !ok || n == len(bytes) {
			break
		}
		bytes[n] = b
		n++
		if decoded, size := utf8.DecodeRune(bytes[:n]); decoded != utf8.RuneError && size == n {
			return i + utf8.RuneLen(r), decoded
		}
	}
	return 0, 0
}

// windows1252 are the characters that the bytes 0x80 to 0x9F read as in
// Windows-1252, a space for those that it does not define.
const windows1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"

// byteOf returns the byte that reads as r.
func byteOf(r rune) (byte, bool) {
	if r >= 0x80 && r <= 0xFF {
		return byte(r), true
	}
	b := byte(0x80)
	for _, w := range windows1252 {
		if w == r {
			return b, r != ' '
		}
		b++
	}
	return 0, false
}

// plausible reports whether people write r: not all that can be made of two
// accented letters is a character that was misread.
func plausible(r rune) bool {
	switch {
	case r >= 0xA0 && r <= 0x17F: // accented Latin letters and signs
		return true
	case r >= 0x2010 && r <= 0x27BF: // dashes, quotation marks, arrows, symbols
		return true
	}
	return r >= 0x3000 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 || r >= 0xFE0F && r <= 0xFFEF || r >= 0x1F000 &&
		r <= 0x1FAFF ||
		unicode.In(r, unicode.Cyrillic, unicode.Greek)
}
