package source

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

// Apply returns a text with fixes applied, each byte outside of them as it was. It
// returns false where two of them overlap, or a place is outside of the text.
func Apply(text string, fixes ...diag.Fix) (string, bool) {
	edits := slices.Concat(fixes...)
	slices.SortStableFunc(edits, func(a, b diag.Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Line, b.Span.Line), cmp.Compare(a.Span.Column, b.Span.Column))
	})
	c := newCursor("", text)
	if strings.HasPrefix(text, byteOrderMark) && len(edits) > 0 && edits[0].Span != markSpan(edits[0].Span.File) {
		c.off = len(byteOrderMark) // editors do not count it
	}
	var out strings.Builder
	done := 0
	for _, e := range edits {
		if e.Span == markSpan(e.Span.File) {
			c.off, done = len(byteOrderMark), len(byteOrderMark)
			continue
		}
		if !c.seekPlace(e.Span.Line, e.Span.Column) {
			return "", false
		}
		from, end := c.off, c
		if !end.seekPlace(e.Span.EndLine, e.Span.EndColumn) {
			return "", false
		}
		to, replacement := end.off, e.Text
		switch {
		case e.Member && e.Text == "":
			from, to = withComma(text, from, to)
		case e.Member:
			from, replacement = to, ","+separation(text, from)+e.Text
		}
		if from < done {
			return "", false
		}
		out.WriteString(text[done:from] + replacement)
		done = to
	}
	out.WriteString(text[done:])
	return out.String(), true
}

// markSpan is the span of a byte order mark, which stands in no column.
func markSpan(file string) diag.Span { return diag.Span{File: file, Line: 1, EndLine: 1} }

// withComma extends a member or an item by the comma that goes with it.
func withComma(text string, from, to int) (int, int) {
	rest := strings.TrimLeft(text[to:], jsonSpace)
	if strings.HasPrefix(rest, ",") {
		return from, len(text) - len(strings.TrimLeft(rest[1:], jsonSpace))
	}
	before := strings.TrimRight(text[:from], jsonSpace)
	return len(strings.TrimSuffix(before, ",")), to
}

// separation is what stands between two members where one begins at an offset: a
// line break with the indentation of its line, or a space.
func separation(text string, off int) string {
	start := strings.LastIndexByte(text[:off], '\n') + 1
	indent := text[start:off]
	switch {
	case start == 0 || strings.Trim(indent, " \t") != "":
		return " "
	case strings.HasSuffix(text[:start], "\r\n"):
		return "\r\n" + indent
	}
	return "\n" + indent
}
