package source

import (
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// cursor walks over a text, forward only, and knows the line and column of the
// place it has reached, so that a whole document is counted once however many
// spans are asked for.
type cursor struct {
	file      string
	text      string
	off       int
	line, col int // of off, counted from 1, columns in characters
}

func newCursor(file, text string) cursor { return cursor{file: file, text: text, line: 1, col: 1} }

// seek moves to the byte offset off. An offset that lies behind is ignored.
func (c *cursor) seek(off int) {
	if off <= c.off {
		return
	}
	passed := c.text[c.off:off]
	if i := strings.LastIndexByte(passed, '\n'); i >= 0 {
		c.line += strings.Count(passed, "\n")
		c.col = 1
		passed = passed[i+1:]
	}
	c.col += utf8.RuneCountInString(passed)
	c.off = off
}

// begin returns a span that begins, and so far ends, at off.
func (c *cursor) begin(off int) diag.Span {
	c.seek(off)
	return diag.Span{File: c.file, Line: c.line, Column: c.col, EndLine: c.line, EndColumn: c.col}
}

// span returns the span of n bytes from off on.
func (c *cursor) span(off, n int) diag.Span {
	s := c.begin(off)
	c.end(&s, off+n)
	return s
}

// end makes s end at off.
func (c *cursor) end(s *diag.Span, off int) {
	c.seek(off)
	s.EndLine, s.EndColumn = c.line, c.col
}

// Narrow returns the place of a part of what a span covers, or begins where its end is
// not known: find returns the offset of the part and its length, or -1.
func Narrow(text string, s diag.Span, find func(part string) (at, length int)) (diag.Span, bool) {
	c := newCursor(s.File, strings.TrimPrefix(text, byteOrderMark))
	if !c.seekPlace(s.Line, s.Column) {
		return s, false
	}
	part, end := c.text[c.off:], c
	if end.seekPlace(s.EndLine, s.EndColumn) && end.off > c.off {
		part = c.text[c.off:end.off]
	}
	at, length := find(part)
	if at < 0 {
		return s, false
	}
	from := c.off + at
	narrow := c.begin(from)
	c.end(&narrow, from+length)
	return narrow, true
}

// seekPlace moves to a line and column. It returns false, and stays, if that
// place lies behind or outside the text.
func (c *cursor) seekPlace(line, col int) bool {
	to := *c
	for to.line < line {
		i := strings.IndexByte(to.text[to.off:], '\n')
		if i < 0 {
			return false
		}
		to.off += i + 1
		to.line, to.col = to.line+1, 1
	}
	for to.line == line && to.col < col {
		_, size := utf8.DecodeRuneInString(to.text[to.off:])
		if size == 0 {
			return false
		}
		to.off += size
		to.col++
	}
	if to.line != line || to.col != col {
		return false
	}
	*c = to
	return true
}
