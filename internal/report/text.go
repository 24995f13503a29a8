package report

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
)

// Style says how findings and changes are printed for people.
type Style struct {
	Color     bool
	All       bool          // everything, and not only the first few findings of a rule
	Quiet     bool          // nothing below the threshold
	Threshold diag.Severity // from which findings end a run
}

// Text prints findings for people, all of the report or some, as [Report.Prepared]
// makes them, and returns the line that counts them, "" for none.
func (r *Report) Text(found diag.List, o Style) (text, counts string) {
	p := printer{color: o.Color, source: excerpts{read: r.Source}}
	for _, d := range found {
		if d.Secret {
			p.secret = append(p.secret, d.Span)
		}
	}
	if o.Quiet {
		found = slices.DeleteFunc(slices.Clone(found),
			func(d diag.Diagnostic) bool { return d.Severity < o.Threshold })
	}
	most := groupShown
	if o.All {
		most = len(found)
	}
	left := 0
	for d, rest := range firstOfEach(found, most) {
		p.finding(d)
		if rest > 0 {
			fmt.Fprintf(&p.out, "  and %d more of %s (--all shows them)\n", rest, d.Rule)
		}
	}
	for _, d := range found {
		if d.Effect == diag.SkillLeftOut && !o.Quiet {
			left++
		}
	}
	counts = count(found)
	if left > 0 {
		counts += ", " + diag.Count(left, "skill") + " left out of the card"
	}
	return p.out.String(), counts
}

// groupShown is how many findings of a rule people see before a count of the others.
const groupShown = 3

// firstOfEach returns the first findings of each rule, and with the last of them how many
// of the rule are left out.
func firstOfEach(found diag.List, most int) iter.Seq2[diag.Diagnostic, int] {
	total, seen := map[diag.RuleID]int{}, map[diag.RuleID]int{}
	for _, d := range found {
		total[d.Rule]++
	}
	return func(yield func(diag.Diagnostic, int) bool) {
		for _, d := range found {
			rest := 0
			if seen[d.Rule]++; seen[d.Rule] == most {
				rest = total[d.Rule] - most
			}
			if seen[d.Rule] <= most && !yield(d, rest) {
				return
			}
		}
	}
}

// count says how many findings of each severity there are: "2 errors, 1 info".
func count(l diag.List) string {
	var parts []string
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
		if n := l.Count(s); n > 0 {
			parts = append(parts, diag.Count(n, s.String()))
		}
	}
	return strings.Join(parts, ", ")
}

// relatedShown is how many related places a finding lists before it sums up
// the rest; machine formats hold them all.
const relatedShown = 8

type printer struct {
	color  bool
	source excerpts
	secret []diag.Span // whose lines are not shown
	out    strings.Builder
}

// finding prints place, message, rule, the source line with a caret, hint and related
// places.
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
	hidden := slices.ContainsFunc(p.secret, func(s diag.Span) bool {
		return s.File == d.Span.File && s.Line <= d.Span.Line && d.Span.Line <= max(s.Line, s.EndLine)
	})
	if !ok || hidden || strings.TrimSpace(line) == "" {
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
