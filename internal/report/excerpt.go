package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"cardwright/internal/diag"
)

// excerpts finds lines of the files that findings name. As findings come sorted by
// place, it keeps one file, and where counting goes on in one line: otherwise, many
// findings on one long line would take the square of its length.
type excerpts struct {
	read  func(file string) []byte // nil for a file that cannot be shown
	file  string
	lines []string

	number, column, offset int
}

// line returns the line at fault without its end.
func (e *excerpts) line(s diag.Span) (string, bool) {
	if e.read == nil || s.File == "" || s.Line == 0 {
		return "", false
	}
	if e.lines == nil || e.file != s.File {
		text := strings.TrimPrefix(string(e.read(s.File)), "\ufeff")
		e.file, e.lines, e.number = s.File, strings.Split(text, "\n"), 0
	}
	if s.Line > len(e.lines) {
		return "", false
	}
	return strings.TrimSuffix(e.lines[s.Line-1], "\r"), true
}

// split cuts the line of a span into what stands before it, inside and behind
// it. A span that goes on to the next line ends with this one.
func (e *excerpts) split(line string, s diag.Span) (before, marked, rest string) {
	column := max(s.Column, 1)
	if e.number != s.Line || e.column > column {
		e.number, e.column, e.offset = s.Line, 1, 0
	}
	e.offset += len(first(line[e.offset:], column-e.column))
	e.column = column
	before, rest = line[:e.offset], line[e.offset:]
	switch {
	case s.EndLine > s.Line:
		marked = rest
	case s.EndLine == s.Line:
		marked = first(rest, s.EndColumn-column)
	}
	return before, marked, rest[len(marked):]
}

// shownWidth is how many columns of a source line are shown.
const shownWidth = 100

// screen measures text as a terminal shows it, in any locale.
func screen() *runewidth.Condition { return &runewidth.Condition{StrictEmojiNeutral: true} }

// window shortens the parts of a line to what fits on a screen around the place
// that matters, and makes them safe to print.
func window(before, marked, rest string) (string, string, string) {
	const most = 2 * shownWidth // in characters, and some have no width
	head, middle, tail := last(before, most), first(marked, most), first(rest, most)
	shown := cells(head + middle + tail)
	n := utf8.RuneCountInString(head)
	m := n + utf8.RuneCountInString(middle)

	s := screen()
	before, marked, rest = join(shown[:n]), join(shown[n:m]), join(shown[m:])
	if w := s.StringWidth(before); w > shownWidth/2 {
		before = "…" + s.TruncateLeft(before, w-shownWidth/2, "")
	}
	width := shownWidth - s.StringWidth(before)
	if s.StringWidth(marked) > width {
		return before, s.Truncate(marked, width, "…"), ""
	}
	rest = s.Truncate(rest, max(width-s.StringWidth(marked), 1), "…")
	return before, marked, rest
}

// join puts characters together. A tab becomes spaces, so that a caret below
// stands right on every terminal.
func join(cells []string) string {
	return strings.ReplaceAll(strings.Join(cells, ""), "\t", "    ")
}

// first returns at most n characters from the beginning of s.
func first(s string, n int) string {
	for at := range s {
		if n--; n < 0 {
			return s[:at]
		}
	}
	return s
}

// last returns at most n characters from the end of s.
func last(s string, n int) string {
	from := len(s)
	for ; n > 0 && from > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:from])
		from -= size
	}
	return s[from:]
}
