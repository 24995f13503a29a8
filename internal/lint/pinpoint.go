package lint

import (
	"slices"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Pinpoint moves the findings about single characters from the text that holds
// one to the character itself. Read returns the content of a file that a finding
// names, nil when it cannot be read. A character that the file spells as an
// escape stays where its text begins.
func Pinpoint(found diag.List, read func(file string) []byte) diag.List {
	var out diag.List
	for i, d := range found {
		if d.Rule != diag.TextInvisible || d.Span.Line == 0 {
			continue
		}
		if out == nil {
			out = slices.Clone(found)
		}
		out[i].Span = pinpoint(d, string(read(d.Span.File)))
	}
	if out == nil {
		return found
	}
	return out.Sorted()
}

func pinpoint(d diag.Diagnostic, file string) diag.Span {
	span, _ := source.Narrow(file, d.Span, firstHidden)
	return span
}

// firstHidden returns the offset and the length of the first character of a text that
// its readers cannot see, -1 when there is none. A CR is a line break of the file.
func firstHidden(text string) (at, length int) {
	for r, hidden := range characters(text) {
		if hidden && r != '\r' {
			return at, utf8.RuneLen(r)
		}
		at += utf8.RuneLen(r)
	}
	return -1, 0
}
