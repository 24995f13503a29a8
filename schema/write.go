package schema

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Write prints n as the JSON text (RFC 8259) that cardwright publishes: UTF-8,
// two spaces of indent, LF, one final newline, members in the order of n.
// Control characters, U+2028 and U+2029 are escaped, everything else stands as
// it is. What JSON cannot spell is repaired rather than refused: bytes that are
// no UTF-8 become U+FFFD, and a Number of another grammar, such as the 0x1F of
// YAML, becomes a string. No byte depends on encoding/json, whose output
// changes between Go releases.
func Write(n *source.Node) []byte {
	return append(appendValue(make([]byte, 0, Size(n)), n, 0), '\n')
}

// WriteCompact prints n as [Write] does, on one line without white space.
func WriteCompact(n *source.Node) string {
	var b bytes.Buffer
	_ = json.Compact(&b, Write(n)) // which is JSON
	return b.String()
}

// Size returns about how many bytes [Write] prints, escapes and some brackets
// aside: enough room for a large card, which is then not copied as it grows.
// Nested values take many times more than what whoever wrote them has typed.
func Size(n *source.Node) int { return room(n, 0) }

// room returns how many bytes a value takes as a line of its own.
func room(n *source.Node, depth int) int {
	const signs = len("\n" + `"": "",`)
	if n == nil {
		return signs
	}
	size := signs + 2*depth + len(n.Text)
	for _, m := range n.Members {
		size += len(m.Key) + room(m.Value, depth+1)
	}
	for _, item := range n.Items {
		size += room(item, depth+1)
	}
	if len(n.Members)+len(n.Items) > 0 {
		size += 2 * depth
	}
	return size
}

func appendValue(b []byte, n *source.Node, depth int) []byte {
	if n == nil {
		return append(b, "null"...)
	}
	switch n.Kind {
	case source.Object:
		return appendObject(b, n.Members, depth)
	case source.Array:
		return appendArray(b, n.Items, depth)
	case source.String:
		return appendText(b, n.Text)
	case source.Number:
		if !source.IsNumber(n.Text) {
			return appendText(b, n.Text)
		}
		return append(b, n.Text...)
	case source.Bool:
		if n.Text == "true" {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	default:
		return append(b, "null"...)
	}
}

func appendObject(b []byte, members []source.Member, depth int) []byte {
	if len(members) == 0 {
		return append(b, "{}"...)
	}
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendLine(b, depth+1)
		b = append(appendText(b, m.Key), ": "...)
		b = appendValue(b, m.Value, depth+1)
	}
	return append(appendLine(b, depth), '}')
}

func appendArray(b []byte, items []*source.Node, depth int) []byte {
	if len(items) == 0 {
		return append(b, "[]"...)
	}
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendLine(b, depth+1)
		b = appendValue(b, item, depth+1)
	}
	return append(appendLine(b, depth), ']')
}

func appendLine(b []byte, depth int) []byte {
	b = append(b, '\n')
	for range depth {
		b = append(b, "  "...)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	if n := plain(s); n < len(s) {
		b = append(b, s[:n]...)
		b = appendSpecial(b, strings.ToValidUTF8(s[n:], "\uFFFD"))
	} else {
		b = append(b, s...)
	}
	return append(b, '"')
}

// plain returns how many bytes s begins with that are ASCII and stand for
// themselves: as a rule all of them.
func plain(s string) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7F || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

func appendSpecial(b []byte, s string) []byte {
	done := 0
	for i, r := range s {
		if r >= ' ' && r != '"' && r != '\\' && (r < 0x7F || r > 0x9F) && r != '\u2028' && r != '\u2029' {
			continue
		}
		b = append(b, s[done:i]...)
		b = appendEscape(b, r)
		done = i + utf8.RuneLen(r)
	}
	return append(b, s[done:]...)
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, `\n`...)
	case '\t':
		return append(b, `\t`...)
	default:
		return append(b, diag.EscapeJSON(r)...)
	}
}
