package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"cardwright/internal/diag"
)

// TextOptions says how [Text] shows findings. The zero value prints plain
// lines without source.
type TextOptions struct {
	Color bool
	// Group prints no more than the first few findings of a rule, how many there are,
	// and that this option shows them all.
	Group string
	// Source returns the content of a file that a finding names, nil when it
	// cannot be shown.
	Source func(file string) []byte
}

// SheetText says how [Sheet.Text] shows findings.
type SheetText struct {
	Color bool
	Group string // no more than the first few of many findings that have one cause: see [TextOptions]
	All   bool   // everything
	Quiet bool   // nothing below the threshold
	// Threshold is the severity from which findings end a run.
	Threshold diag.Severity
}

// Text prints findings for people, all of the sheet or some, as
// [Sheet.Prepared] makes them. It returns the line that counts them, "" for none.
func (s *Sheet) Text(w io.Writer, found diag.List, o SheetText) (counts string, err error) {
	if o.Quiet {
		found = slices.DeleteFunc(slices.Clone(found),
			func(d diag.Diagnostic) bool { return d.Severity < o.Threshold })
	}
	options := TextOptions{Color: o.Color, Source: s.Source, Group: o.Group}
	if o.All {
		options.Group = ""
	}
	if err := Text(w, found, options); err != nil {
		return "", err
	}
	parts := []string{Count(found)}
	if n := leftOut(found); n > 0 && !o.Quiet {
		parts = append(parts, diag.Count(n, "skill")+" left out of the card")
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", "), nil
}

// leftOut counts the findings that cost a skill.
func leftOut(found diag.List) int {
	n := 0
	for _, d := range found {
		if d.Effect == diag.SkillLeftOut {
			n++
		}
	}
	return n
}

// relatedShown is how many related places a finding lists before it sums up
// the rest; machine formats hold them all.
const relatedShown = 8

// Text prints findings for people: place, message, rule, the source line with
// a caret, hint and related places.
func Text(w io.Writer, found diag.List, o TextOptions) error {
	p := printer{color: o.Color, source: excerpts{read: o.Source}}
	var groups *groups
	if o.Group != "" {
		groups = group(found)
	}
	for _, d := range found {
		printed, rest := groups.take(d)
		if printed {
			p.finding(d)
		}
		if rest > 0 {
			p.out.WriteString("  " + Escape(restOf(d, rest, o.Group)) + "\n")
		}
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

type printer struct {
	color  bool
	source excerpts
	out    strings.Builder
}

func (p *printer) finding(d diag.Diagnostic) {
	if d.Span.File != "" {
		p.paint(bold, Escape(d.Span.String()))
		p.out.WriteString(": ")
	}
	p.paint(severityColors[d.Severity], d.Severity.String())
	fmt.Fprintf(&p.out, ": %s ", inline(d.Message))
	p.paint(dim, "["+d.Rule.String()+"]")
	p.out.WriteByte('\n')
	p.excerpt(d)
	if d.Hint != "" {
		fmt.Fprintf(&p.out, "  hint: %s\n", inline(d.Hint))
	}
	for i, r := range d.Related {
		if i == relatedShown && len(d.Related) > relatedShown+1 {
			fmt.Fprintf(&p.out, "  and %d more\n", len(d.Related)-i)
			break
		}
		p.out.WriteString("  " + Escape(located(r)) + "\n")
	}
}

// located is a related place in one line.
func located(r diag.Related) string {
	if r.Span.File == "" {
		return r.Message
	}
	return r.Span.String() + ": " + r.Message
}

// excerpt prints the line at fault and a caret below the place.
func (p *printer) excerpt(d diag.Diagnostic) {
	line, ok := p.source.line(d.Span)
	if !ok || d.Secret || strings.TrimSpace(line) == "" {
		return
	}
	before, marked, rest := window(p.source.split(line, d.Span))
	number := strconv.Itoa(d.Span.Line)
	fmt.Fprintf(&p.out, "  %s | %s%s%s\n", number, before, marked, rest)
	if d.Span.Column == 0 {
		return
	}
	s := screen()
	fmt.Fprintf(&p.out, "  %*s | %*s", len(number), "", s.StringWidth(before), "")
	p.paint(severityColors[d.Severity], "^"+strings.Repeat("~", max(0, s.StringWidth(marked)-1)))
	p.out.WriteByte('\n')
}

const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	reset  = "\x1b[0m"
)

var severityColors = map[diag.Severity]string{diag.Error: red, diag.Warning: yellow, diag.Info: cyan}

func (p *printer) paint(color, s string) {
	if p.color && color != "" {
		s = color + s + reset
	}
	p.out.WriteString(s)
}

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
	const most = 2 * shownWidth // in characters, and some have no width
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
