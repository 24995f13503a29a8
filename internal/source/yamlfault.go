package source

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"cardwright/internal/diag"
)

// probed is how many bytes are read again, in all, to find the line at fault.
const probed = 256 << 10

// faultyLine returns the byte offset of the line at which text stops being
// YAML. The line that yaml.v3 names is wrong more often than not; the line
// after the longest run of lines that can be read is right.
func faultyLine(text string) int {
	readable := func(end int) bool {
		_, _, err := decodeYAML(strings.NewReader(text[:end]))
		return err == nil
	}
	// What lies behind the part that the parser has asked for is not at fault.
	input := strings.NewReader(text)
	_, _, _ = decodeYAML(input)
	end := lineStart(text, len(text)-input.Len())
	for left := probed; end > 0 && left > 0; left -= end {
		if readable(end) {
			return end
		}
		end = lineStart(text, end-1)
	}
	// Line by line would take too long for a text of this size. Halving may
	// stop short at a value that goes over several lines.
	low := 0
	for {
		middle := lineStart(text, (low+end)/2)
		if middle <= low {
			middle = low + strings.IndexByte(text[low:], '\n') + 1
		}
		switch {
		case middle >= end:
			return low
		case readable(middle):
			low = middle
		default:
			end = middle
		}
	}
}

// lineStart returns the offset at which the line begins that off lies in.
func lineStart(text string, off int) int { return strings.LastIndexByte(text[:off], '\n') + 1 }

// explain says in our own words what is wrong with the line of text that begins
// at the byte offset line, and at which offset.
func explain(text string, line int) (off int, message, hint string) {
	whole, _, _ := strings.Cut(text[line:], "\n")
	whole = strings.TrimRightFunc(whole, unicode.IsSpace)
	bare := strings.TrimLeft(whole, " ")
	indent := len(whole) - len(bare)
	switch {
	case conflictMarker(whole):
		return line, conflictFound, conflictHint
	case strings.HasPrefix(bare, "\t"):
		return line + indent, "a tab indents this line", "use spaces instead"
	}
	if at, meant := missingSpace(text, line); meant != "" {
		return at, "a space is missing after the colon", "write " + meant
	}
	value := bare
	for strings.HasPrefix(value, "- ") {
		value = strings.TrimLeft(value[2:], " ")
	}
	entry := value != bare
	_, v, keyed := splitKey(value)
	if keyed {
		value = v
	}
	if i, message, hint := explainValue(value, keyed); message != "" {
		return line + len(whole) - len(value) + i, message, hint
	}
	if !entry && !strings.Contains(bare, ":") && bare != "" {
		return line + indent, fmt.Sprintf("%q is neither a key with a value nor a list entry", diag.Clip(bare)),
			"write it as key: value, or indent the line if it continues the text above"
	}
	return line + indent, "this line does not match the indentation of the lines around it",
		"check its indentation, and the quotes and brackets above it"
}

// glued matches a key whose value follows its colon at once.
var glued = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ *(?:- )* *([A-Za-z][\w-]*:)([^\s/:].*)`)
})

// missingSpace returns the offset of a value that follows a colon without a space, in a
// line or in the one above it, and the line as it was meant; "" where neither has one.
func missingSpace(text string, line int) (off int, meant string) {
	for _, at := range []int{line, lineStart(text, max(line-1, 0))} {
		whole, _, _ := strings.Cut(text[at:], "\n")
		if m := glued().FindStringSubmatchIndex(whole); m != nil {
			return at + m[4], diag.Clip(whole[m[2]:m[3]] + " " + strings.TrimSpace(whole[m[4]:]))
		}
	}
	return 0, ""
}

// inlineBlock matches a text on the line of the > or | that announces it.
var inlineBlock = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[>|][-+\d]*[ \t]+[^#\s]`) })

// explainValue says what is wrong with a value, if that can be seen from the
// line it begins on, and at which offset. Keyed means that a key precedes it.
func explainValue(value string, keyed bool) (off int, message, hint string) {
	const inQuotes = "put the value in quotes"
	begins := func(chars string) bool { return value != "" && strings.IndexByte(chars, value[0]) >= 0 }
	switch quoted := quotedLen(value); {
	case inlineBlock().MatchString(value):
		return 0, fmt.Sprintf("the text starts on the same line as %q", value[:1]), "put the text on the line after, indented"
	case quoted > 0 && quoted < len(value):
		return quoted, "text follows the closing quote",
			"put the whole value in quotes, and a backslash before each double quote in it"
	case quoted < 0 && begins(`"'`):
		return 0, "the quote that opens here is never closed", "close it, or put the whole value in the other kind of quotes"
	case quoted > 0 && strings.Contains(value, `\`):
		return 0, "the text in quotes has an escape that YAML lacks", `write the character itself, or \\ for a backslash`
	case begins("[{"):
		return 0, fmt.Sprintf("the list or map that %q opens is malformed", value[:1]),
			"check its commas and its closing bracket, or " + inQuotes + " if it is meant as text"
	case begins("*@`%,&!]}"):
		return 0, fmt.Sprintf("a value cannot begin with %q", value[:1]), inQuotes
	case keyed && strings.HasPrefix(value, "- "):
		return 0, "a list begins on the line of its key",
			"put each entry on its own line, or " + inQuotes + " if it is meant as text"
	case keyed && quoted < 0 && colon(value) >= 0:
		return colon(value), "the text holds a colon followed by a space, which YAML reads as another key", inQuotes
	}
	return 0, "", ""
}
