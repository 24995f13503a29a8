package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"cardwright/internal/diag"
)

// excerpts finds lines of the files that findings name. As findings come
// sorted by place, it keeps one file and the last place in it.
type excerpts struct {
	read  func(file string) []byte // nil for a file that cannot be shown
	file  string
	lines []string
	last  mark
}

// mark is the place of a column, in bytes from the beginning of its line.
type mark struct{ line, column, offset int }

// line returns the line at fault without its end.
func (e *excerpts) line(s diag.Span) (string, bool) {
	if e.read == nil || s.File == "" || s.Line == 0 {
		return "", false
	}
	if e.lines == nil || e.file != s.File {
		text := strings.TrimPrefix(string(e.read(s.File)), "\ufeff")
		e.file, e.lines, e.last = s.File, strings.Split(text, "\n"), mark{}
	}
	if s.Line > len(e.lines) {
		return "", false
	}
	return strings.TrimSuffix(e.lines[s.Line-1], "\r"), true
}

// offset returns where a column of a line begins, the end of the line for one
// beyond it. It goes on from the place before, or else many findings on one
// long line would take the square of its length.
func (e *excerpts) offset(line string, number, column int) int {
	at := mark{number, 1, 0}
	if e.last.line == number && e.last.column <= column {
		at = e.last
	}
	for at.column < column && at.offset < len(line) {
		_, size := utf8.DecodeRuneInString(line[at.offset:])
		at.offset += size
		at.column++
	}
	e.last = at
	return at.offset
}

// split cuts the line of a span into what stands before it, inside and behind
// it. A span that goes on to the next line ends with this one.
func (e *excerpts) split(line string, s diag.Span) (before, marked, rest string) {
	from := e.offset(line, s.Line, s.Column)
	to := from
	switch {
	case s.EndLine > s.Line:
		to = len(line)
	case s.EndLine == s.Line && s.EndColumn > s.Column:
		to = from + len(first(line[from:], s.EndColumn-s.Column))
	}
	return line[:from], line[from:to], line[to:]
}

// shownWidth is how many columns of a source line are shown.
const shownWidth = 100

// screen measures text as a terminal shows it, in any locale.
func screen() *runewidth.Condition { return &runewidth.Condition{StrictEmojiNeutral: true} }

// window shortens the parts of a line to what fits on a screen around the place
// that matters, and makes them safe to print.
func window(before, marked, rest string) (string, string, string) {
	const most = 2 * shownWidth // in characters, some of which have no width
	head, mark, tail := last(before, most), first(marked, most), first(rest, most)
	shown := cells(head + mark + tail)
	n := utf8.RuneCountInString(head)
	m := n + utf8.RuneCountInString(mark)

	s := screen()
	before, marked, rest = join(shown[:n]), join(shown[n:m]), join(shown[m:])
	if w := s.StringWidth(before); w > shownWidth/2 {
		before = "…" + s.TruncateLeft(before, w-shownWidth/2, "")
	}
	room := shownWidth - s.StringWidth(before)
	if s.StringWidth(marked) > room {
		return before, s.Truncate(marked, room, "…"), ""
	}
	rest = s.Truncate(rest, max(room-s.StringWidth(marked), 1), "…")
	return before, marked, rest
}

// join puts characters together. A tab becomes spaces, so that a caret below
// stands right on every terminal.
func join(cells []string) string {
	return strings.ReplaceAll(strings.Join(cells, ""), "\t", "    ")
}

// first returns at most n characters from the beginning of s.
func first(s string, n int) string {
	end := 0
	for ; n > 0 && end < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
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
