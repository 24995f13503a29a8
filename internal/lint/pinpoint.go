package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// Pinpoint moves the findings about single characters from the text that holds
// one to the character itself. Read returns the content of a file that a finding
// names, nil when it cannot be read. A character that the file spells as an
// escape stays where its text begins.
func Pinpoint(found diag.List, read func(file string) []byte) diag.List {
	var out diag.List
	for i, d := range found {
		if d.Rule != "text-invisible" && d.Rule != "text-mojibake" || d.Span.Line == 0 {
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
	rest, ok := from(file, d.Span)
	if !ok {
		return d.Span
	}
	at, length := -1, 1
	if d.Rule == "text-invisible" {
		at = firstHidden(rest)
	} else if wrong, _, ok := garbled(rest); ok {
		at, length = strings.Index(rest, wrong), utf8.RuneCountInString(wrong)
	}
	if at < 0 {
		return d.Span
	}
	before := rest[:at]
	s := diag.Span{File: d.Span.File, Line: d.Span.Line, Column: d.Span.Column}
	if n := strings.Count(before, "\n"); n > 0 {
		s.Line, s.Column = s.Line+n, 1
		before = before[strings.LastIndexByte(before, '\n')+1:]
	}
	s.Column += utf8.RuneCountInString(before)
	s.EndLine, s.EndColumn = s.Line, s.Column+length
	return s
}

// from returns a file from where a span begins, up to its end where that is
// known.
func from(file string, s diag.Span) (string, bool) {
	file = strings.TrimPrefix(file, "\ufeff")
	begin, ok := offset(file, s.Line, s.Column)
	if !ok {
		return "", false
	}
	if end, ok := offset(file, s.EndLine, s.EndColumn); ok && end > begin {
		return file[begin:end], true
	}
	return file[begin:], true
}

// offset returns where a line and column begin.
func offset(file string, line, column int) (int, bool) {
	at := 0
	for n := 1; n < line; n++ {
		i := strings.IndexByte(file[at:], '\n')
		if i < 0 {
			return 0, false
		}
		at += i + 1
	}
	for n := 1; n < column; n++ {
		_, size := utf8.DecodeRuneInString(file[at:])
		if size == 0 {
			return 0, false
		}
		at += size
	}
	return at, line > 0 && column > 0
}

// firstHidden returns the offset of the first character of a text that its
// readers cannot see, -1 when there is none. A CR is a line break of the file.
func firstHidden(text string) int {
	at := 0
	for r, hidden := range characters(text) {
		if hidden && r != '\r' {
			return at
		}
		at += utf8.RuneLen(r)
	}
	return -1
}
