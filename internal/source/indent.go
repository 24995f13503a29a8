package source

import (
	"fmt"
	"strings"
	"unicode"

	"cardwright/internal/diag"

	"gopkg.in/yaml.v3"
)

// oddIndent is what is said of a line that is indented by characters which look
// like spaces.
const oddIndent = "a no-break space indents this line"

// isOddSpace tells whether r looks like a space and is none for YAML.
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

// hasOddIndent tells whether a key of the tree begins with a character that only
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

// explainIndent finds the first line, up to and with the one at fault, whose
// indentation belongs to no line above it.
func explainIndent(text string, fault int) (off int, message string) {
	levels := []int{0}
	open, block := true, -1 // whether the line above can have lines below it; the level of a block of text
	at := 0
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		if start > fault {
			break
		}
		bare := strings.TrimLeft(line, " ")
		indent := len(line) - len(bare)
		bare = strings.TrimRightFunc(bare, unicode.IsSpace)
		if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsSpace(r) }); i > 0 && isKeyLine(line[i:]) &&
			strings.ContainsFunc(line[:i], isOddSpace) {
			return start + strings.IndexFunc(line, isOddSpace), oddIndent
		}
		_, value, key := splitKey(strings.TrimLeft(bare, "- "))
		if bare == "" || bare[0] == '#' || block >= 0 && indent > block {
			continue
		}
		block = -1
		top := levels[len(levels)-1]
		for len(levels) > 1 && indent < levels[len(levels)-1] {
			levels = levels[:len(levels)-1]
		}
		level := levels[len(levels)-1]
		switch {
		case indent == level:
		case indent > top && open:
			levels = append(levels, indent)
		case key && !open && (indent < top || indent == top+1):
			return start + indent, fmt.Sprintf("this line is indented by %s, the lines around it by %d",
				diag.Count(indent, "space"), top)
		}
		open = !key || value == "" || strings.HasPrefix(bare, "- ")
		if key && (strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">")) {
			block = indent
		}
	}
	return 0, ""
}

func isKeyLine(line string) bool {
	_, _, ok := splitKey(line)
	return ok
}

// likeJSON writes the escapes of JSON that the parser does not know as ones that
// it does: surrogate pairs, and the slash (YAML 1.2.2, section 5.7). It returns
// where the lines became shorter by that. Before is the number of lines in front
// of the text.
func likeJSON(text string, before int) (joined string, shifts map[int][]int) {
	const pair = len(`\uD83E\uDDEC`)
	const short = len(`\U0001F9EC`)
	var b strings.Builder
	line, column := before+1, 1
	drop := func(from, to int) { // columns of the escape that begins here
		if shifts == nil {
			shifts = map[int][]int{}
		}
		for n := from; n < to; n++ {
			shifts[line] = append(shifts[line], column+n)
		}
	}
	for i := 0; i < len(text); {
		if r, n := decodeEscape(text[i:]); n == pair {
			fmt.Fprintf(&b, `\U%08X`, r)
			drop(short, pair)
			column += pair
			i += pair
			continue
		}
		if strings.HasPrefix(text[i:], `\/`) {
			drop(0, 1)
			b.WriteByte('/')
			column += len(`\/`)
			i += len(`\/`)
			continue
		}
		if strings.HasPrefix(text[i:], `\\`) { // not an escape
			b.WriteByte('\\')
			column++
			i++
		}
		if text[i]&0xC0 != 0x80 { // the first byte of a character
			column++
		}
		if text[i] == '\n' {
			line, column = line+1, 1
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String(), shifts
}
