package secret

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Texts returns what of a file a reader could take for text, in UTF-8 and without
// byte order marks. Whole reports whether that is the whole file, as one text, in
// UTF-8 or UTF-16. Of any other file it is the parts in printable ASCII, also in
// the wide characters of UTF-16 and UTF-32.
func Texts(file []byte) (texts []string, whole bool) {
	mark := "\ufeff"
	if text, ok := bytes.CutPrefix(file, []byte(mark)); (ok || bytes.IndexByte(file, 0) < 0) && utf8.Valid(file) {
		return []string{string(text)}, true
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if text, ok := fromUTF16(file, order); ok {
			return []string{strings.TrimPrefix(text, mark)}, true
		}
	}
	return parts(file), false
}

// fromUTF16 decodes a file that begins with a byte order mark, or whose characters
// are those of texts and most of them ASCII.
func fromUTF16(file []byte, order binary.ByteOrder) (string, bool) {
	if len(file)%2 != 0 || len(file) == 0 {
		return "", false
	}
	units := make([]uint16, len(file)/2)
	ascii := 0
	for i := range units {
		units[i] = order.Uint16(file[2*i:])
		if units[i] < utf8.RuneSelf {
			ascii++
		}
	}
	marked := units[0] == '\ufeff'
	runes := utf16.Decode(units)
	text := marked || ascii > len(units)/2
	return string(runes), text && !slices.ContainsFunc(runes, func(r rune) bool {
		return r == utf8.RuneError || r == 0 || !marked && unicode.IsControl(r) && !unicode.IsSpace(r)
	})
}

// shortPart is the least length of a part of a binary file that may be a credential.
const shortPart = 12

// parts returns the runs of printable characters, those with as many zero bytes
// between each two of them as wide characters have.
func parts(file []byte) []string {
	var found []string
	for _, width := range []int{1, 2, 4} {
		for start := 0; start < len(file); {
			var part strings.Builder
			at := start
			for at < len(file) && printable(file[at]) && zeros(file[at+1:min(len(file), at+width)]) {
				part.WriteByte(file[at])
				at += width
			}
			if part.Len() >= shortPart {
				found = append(found, part.String())
			}
			start = max(at, start+1)
		}
	}
	return found
}

func printable(b byte) bool { return ' ' <= b && b <= '~' || b == '\n' || b == '\r' || b == '\t' }

func zeros(b []byte) bool { return !slices.ContainsFunc(b, func(b byte) bool { return b != 0 }) }
