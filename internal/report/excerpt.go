package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"cardwright/internal/diag"
)

// excerpts finds lines of the files that findings name. As findings come
// sorted by place, it keeps one file and one line of it.
type excerpts struct {
	read  func(file string) []byte // nil for a file that cannot be shown
	file  string
	lines []string
	ruler ruler
}

// ruler finds columns in a line. Without it, many findings on one long line would
// take the square of its length.
type ruler struct {
	number int   // of the line, 0 for none
	marks  []int // offset of each markEvery-th character in bytes
}

const markEvery = 256

func newRuler(line string, number int) ruler {
	r := ruler{number: number}
	column := 0
	for offset := range line {
		if column%markEvery == 0 {
			r.marks = append(r.marks, offset)
		}
		column++
	}
	return r
}

// offset returns where a column begins, the end of the line for one beyond it.
func (r ruler) offset(line string, column int) int {
	past := max(column-1, 0)
	mark := past / markEvery
	if mark >= len(r.marks) {
		return len(line)
	}
	return r.marks[mark] + len(first(line[r.marks[mark]:], past%markEvery))
}

// line returns the line at fault without its end.
func (e *excerpts) line(s diag.Span) (string, bool) {
	if e.read == nil || s.File == "" || s.Line == 0 {
		return "", false
	}
	if e.lines == nil || e.file != s.File {
		text := strings.TrimPrefix(string(e.read(s.File)), "\ufeff")
		e.file, e.lines, e.ruler = s.File, strings.Split(text, "\n"), ruler{}
	}
	if s.Line > len(e.lines) {
		return "", false
	}
	return strings.TrimSuffix(e.lines[s.Line-1], "\r"), true
}

// split cuts the line of a span into what stands before it, inside and behind
// it. A span that goes on to the next line ends with this one.
func (e *excerpts) split(line string, s diag.Span) (before, marked, rest string) {
	if e.ruler.number != s.Line {
		e.ruler = newRuler(line, s.Line)
	}
	from := e.ruler.offset(line, s.Column)
	to := from
	switch {
	case s.EndLine > s.Line:
		to = len(line)
	case s.EndLine == s.Line && s.EndColumn > s.Column:
		to = e.ruler.offset(line, s.EndColumn)
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
