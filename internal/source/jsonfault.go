package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// describe names what stands at the beginning of rest, in words that fit after
// "found", and returns its length in bytes. The hint may be empty.
func describe(rest string) (length int, what, hint string) {
	if line, _, _ := strings.Cut(rest, "\n"); conflictMarker(line) {
		return len(line), "a merge conflict marker", conflictHint
	}
	for _, known := range []struct{ text, what, hint string }{
		{"//", "a comment", "JSON has no comments: delete it"},
		{"/*", "a comment", "JSON has no comments: delete it"},
		{"#", "a comment", "JSON has no comments: delete it"},
		{"'", "a single quote", "put JSON text in double quotes"},
		{codeFence, "a Markdown code fence", "delete the fence"},
		{`"`, "a string", ""},
	} {
		if strings.HasPrefix(rest, known.text) {
			return len(known.text), known.what, known.hint
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && size == 1 {
		return 1, fmt.Sprintf("the byte 0x%02X, which is not UTF-8", rest[0]), "save the file as UTF-8"
	}
	word := rest[:len(rest)-len(strings.TrimLeftFunc(rest, inWord))]
	if word == "" {
		return size, strconv.QuoteToGraphic(string(r)), ""
	}
	hint = "put JSON text in double quotes"
	switch lower := strings.ToLower(word); lower {
	case "true", "false", "null":
		hint = "JSON spells it " + lower
	case "none", "undefined", "nil":
		hint = "JSON spells it null"
	default:
		if after := rest[len(word):]; strings.HasPrefix(after, ": ") || strings.HasPrefix(after, ":\n") {
			hint += "; a file without any may be YAML, which a card cannot be"
		}
	}
	return len(word), diag.Quote(word), hint
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (strings.ContainsRune("_-.$", r) || unicode.IsLetter(r) || unicode.IsDigit(r))
}
