package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cardwright/internal/diag"
)

// TextOptions says how [Text] shows findings. The zero value prints plain
// lines without source.
type TextOptions struct {
	Color bool
	// Group prints no more than the first few of many findings that have one
	// cause, and how many there are.
	Group bool
	// Source returns the content of a file that a finding names, nil when it
	// cannot be shown.
	Source func(file string) []byte
}

// relatedShown is how many related places a finding lists before it sums up
// the rest; machine formats hold them all.
const relatedShown = 8

// Text prints findings for people: place, message, rule, the source line with
// a caret, hint and related places.
func Text(w io.Writer, found diag.List, o TextOptions) error {
	p := printer{color: o.Color, source: excerpts{read: o.Source}}
	var groups groups
	if o.Group {
		groups = group(found)
	}
	for _, d := range found {
		g := groups[causeOf(d)]
		switch {
		case g == nil:
			p.finding(d)
		case g.shown < groupShown:
			p.finding(d)
			if g.shown++; g.shown == groupShown {
				p.out.WriteString("  " + Escape(g.rest()) + "\n")
			}
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
	p.paint(severityColor(d.Severity), d.Severity.String())
	fmt.Fprintf(&p.out, ": %s ", inline(d.Message))
	p.paint(dim, "["+d.Rule+"]")
	p.out.WriteByte('\n')
	p.excerpt(d)
	if d.Hint != "" {
		fmt.Fprintf(&p.out, "  hint: %s\n", inline(d.Hint))
	}
	if d.Owner != "" {
		fmt.Fprintf(&p.out, "  owner: %s\n", inline(d.Owner))
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
	p.paint(severityColor(d.Severity), "^"+strings.Repeat("~", max(0, s.StringWidth(marked)-1)))
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

func severityColor(s diag.Severity) string {
	switch s {
	case diag.Error:
		return red
	case diag.Warning:
		return yellow
	}
	return cyan
}

func (p *printer) paint(color, s string) {
	if p.color && color != "" {
		s = color + s + reset
	}
	p.out.WriteString(s)
}
