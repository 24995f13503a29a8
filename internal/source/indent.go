package source

import (
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// oddIndent is what is said of a line that is indented by characters which look
// like spaces.
const oddIndent = "a no-break space indents this line"

// isOddSpace reports whether r looks like a space and is none for YAML.
func isOddSpace(r rune) bool { return r != ' ' && r != '\t' && unicode.Is(unicode.Zs, r) }

// evenSpaces makes spaces of those characters.
func evenSpaces(s string) string {
	return strings.Map(func(r rune) rune {
		if isOddSpace(r) {
			return ' '
		}
		return r
	}, s)
}

// hasOddIndent reports whether a key of the tree begins with a character that only
// looks like a space: it seems to be indented, and is not.
func hasOddIndent(n *yaml.Node) bool {
	if n == nil {
		return false
	}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Style == 0 && strings.IndexFunc(c.Value, isOddSpace) == 0 {
			return true
		}
		if c.Kind != yaml.AliasNode && hasOddIndent(c) {
			return true
		}
	}
	return false
}

// findOddIndent returns the offset of the first character that only looks like a
// space and indents a key, up to and with the line at fault; -1 if there is none.
func findOddIndent(text string, fault int) int {
	at := 0
	for line := range strings.Lines(text) {
		if at > fault {
			break
		}
		bare := strings.TrimLeftFunc(line, unicode.IsSpace)
		indent := line[:len(line)-len(bare)]
		if off := strings.IndexFunc(indent, isOddSpace); off >= 0 && isKeyLine(bare) {
			return at + off
		}
		at += len(line)
	}
	return -1
}

func isKeyLine(line string) bool {
	_, _, ok := splitKey(line)
	return ok
}

// likeJSON writes the escapes of JSON that the parser does not know as what they
// stand for: surrogate pairs, and the slash (YAML 1.2.2, section 5.7).
func likeJSON(text string) string {
	const pair = len(`\uD83E\uDDEC`)
	var out strings.Builder
	for {
		plain, _, escaped := strings.Cut(text, `\`)
		out.WriteString(plain)
		if !escaped {
			return out.String()
		}
		text = text[len(plain):]
		r, n := decodeEscape(text)
		if n == pair || r == '/' {
			out.WriteRune(r)
		} else {
			n = min(len(`\n`), len(text))
			out.WriteString(text[:n])
		}
		text = text[n:]
	}
}
