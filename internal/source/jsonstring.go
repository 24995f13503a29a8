package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// str reads the string (RFC 8259 section 7) that begins at p.pos.
func (p *jsonParser) str() string {
	quote := p.pos
	escaped, ascii := false, true
scan:
	for i := quote + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.pos = i + 1
			raw := p.text[quote+1 : i]
			if !escaped && ascii {
				return raw
			}
			return p.decode(raw, quote+1)
		case c == '\\':
			escaped = true
			i++
		case c == '\n', c == '\r':
			break scan
		case c < ' ':
			p.pos = i
			p.fail(1, fmt.Sprintf("found the control character U+%04X in a string", c),
				fmt.Sprintf("write it as %s, or delete it", diag.EscapeJSON(rune(c))))
			return ""
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	p.fail(1, "the string that begins here is not closed on its line",
		`close it with a double quote; a line break in a text is written \n`)
	return ""
}

// decode returns the text of raw, which begins at the byte offset at. It
// decodes escapes; bytes that are not UTF-8 are reported and replaced by
// U+FFFD.
func (p *jsonParser) decode(raw string, at int) string {
	if i := invalidAt(raw); i >= 0 {
		p.found.add(diag.New(diag.CardInvalidUTF8, p.span(at+i, 1), "the byte 0x%02X is not UTF-8", raw[i]).
			WithHint("save the file as UTF-8"))
	}
	if strings.IndexByte(raw, '\\') < 0 {
		return strings.ToValidUTF8(raw, string(utf8.RuneError))
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		plain, _, escaped := strings.Cut(raw[i:], `\`)
		out = append(out, plain...)
		i += len(plain)
		if !escaped {
			break
		}
		r, n := decodeEscape(raw[i:])
		if n == 0 {
			p.pos = at + i
			_, size := utf8.DecodeRuneInString(raw[i+1:])
			p.fail(1+size, fmt.Sprintf("%#q is not the start of a JSON escape", raw[i:i+1+size]),
				`a backslash itself is written \\, any other character \u and four hexadecimal digits`)
			return ""
		}
		if utf16.IsSurrogate(r) {
			p.found.add(diag.New(diag.CardInvalidUTF8, p.span(at+i, n),
				"the escape %s is half a surrogate pair and not a character", raw[i:i+n]).
				WithHint("write the character itself"))
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return strings.ToValidUTF8(string(out), string(utf8.RuneError))
}

// decodeEscape decodes the escape that s begins with and returns its length, 0
// if it is none. Half a surrogate pair is returned unchanged.
func decodeEscape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r, ok := codeUnit(s)
	if !ok {
		return 0, 0
	}
	if low, ok := codeUnit(s[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return r, 6
}

// codeUnit decodes \u and four hexadecimal digits.
func codeUnit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	u, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(u), err == nil
}

// invalidAt returns the offset of the first byte of s that is not UTF-8, -1 for none.
func invalidAt(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
