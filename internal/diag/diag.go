package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Severity says how much a finding matters. The zero value is no severity at
// all and sorts below [Info].
type Severity uint8

// The severities, in rising order.
const (
	Info Severity = iota + 1
	Warning
	Error
)

// String returns the name that configs, flags and every output format use.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
		return "info"
	}
	return "off"
}

// ParseSeverity reads the name of a severity. "off" is the zero Severity.
func ParseSeverity(name string) (Severity, bool) {
	for s := range Error + 1 {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}

// Span is a place in an input file. Lines and columns count from 1, columns in
// characters; zero means unknown. The end is exclusive.
type Span struct {
	File      string // slash path relative to the working directory
	Line      int
	Column    int
	EndLine   int
	EndColumn int
}

// Top returns the place of a finding about a file as a whole.
func Top(file string) Span { return Span{File: file, Line: 1, Column: 1} }

// String returns file:line:col, as far as they are known.
func (s Span) String() string {
	switch {
	case s.Line == 0:
		return s.File
	case s.Column == 0:
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
}

// Compare orders spans by file (bytewise), line and column.
func (s Span) Compare(t Span) int {
	return cmp.Or(
		cmp.Compare(s.File, t.File),
		cmp.Compare(s.Line, t.Line),
		cmp.Compare(s.Column, t.Column),
		cmp.Compare(s.EndLine, t.EndLine),
		cmp.Compare(s.EndColumn, t.EndColumn),
	)
}

// Related is a second place that explains a finding, such as "first defined here".
type Related struct {
	Span    Span
	Message string
	Pointer string // as of a [Diagnostic]
}

// Diagnostic is one finding.
type Diagnostic struct {
	Rule     RuleID    // zero for a finding that no rule is about
	Severity Severity  // Error, Warning or Info
	Message  string    // one sentence, lower case, no full stop: what was found, then what is allowed
	Span     Span      // where; the zero Span when nothing better is known
	Pointer  string    // RFC 6901 pointer into the card or config, "" when none
	Hint     string    // how to fix it, "" when the message says it all
	Related  []Related // other places that belong to it
	Secret   bool      // the line may hold a secret, and is not shown
	Effect   Effect    // on the card, zero for none
	Agent    string    // id of the agent that it is about where there are several, see [List.Named]
}

// Effect is what a fault changes on the card.
type Effect uint8

// The effects on a card.
const (
	SkillLeftOut Effect = iota + 1 // a skill is left out
	NoSkillLeft                    // none is left, because all were: it comes behind the findings about these
)

// LeavesOut returns the finding as one that costs a skill its place on the card, and
// that says so.
func (d Diagnostic) LeavesOut() Diagnostic {
	if d.Effect != SkillLeftOut {
		d.Message += ", so this skill is left out of the card"
	}
	return d.CostsSkill()
}

// CostsSkill returns the finding as one that costs a skill its place on the card, which
// its message says already.
func (d Diagnostic) CostsSkill() Diagnostic {
	d.Effect = SkillLeftOut
	return d
}

// Compare orders findings by place, rule, pointer and message, and those that follow from
// others behind these: an order that depends on nothing but the findings themselves.
func (d Diagnostic) Compare(e Diagnostic) int {
	return cmp.Or(
		cmp.Compare(max(d.Effect, SkillLeftOut), max(e.Effect, SkillLeftOut)), // no skill left: last
		d.Span.Compare(e.Span),
		cmp.Compare(d.Rule, e.Rule),
		cmp.Compare(d.Pointer, e.Pointer),
		cmp.Compare(d.Message, e.Message),
		cmp.Compare(e.Severity, d.Severity),
	)
}

// List is a list of findings.
type List []Diagnostic

// Sorted returns the findings in the order of [Diagnostic.Compare], each one once.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, Diagnostic.Compare)
	return slices.CompactFunc(out, func(a, b Diagnostic) bool { return a.Compare(b) == 0 })
}

// Equal reports whether two lists have the same findings in the same order.
func (l List) Equal(other List) bool {
	return slices.EqualFunc(l, other, func(a, b Diagnostic) bool { return a.Compare(b) == 0 })
}

// Worst returns the highest severity in the list, zero when it is empty.
func (l List) Worst() Severity {
	var worst Severity
	for _, d := range l {
		worst = max(worst, d.Severity)
	}
	return worst
}

// Split returns the findings of at least the given severity, and the others, the
// worst first.
func (l List) Split(least Severity) (worse, others List) {
	sorted := slices.Clone(l)
	slices.SortStableFunc(sorted, func(a, b Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	i := 0
	for i < len(sorted) && sorted[i].Severity >= least {
		i++
	}
	return sorted[:i], sorted[i:]
}

// Count returns how many findings have exactly the given severity.
func (l List) Count(s Severity) int {
	n := 0
	for _, d := range l {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// CallError is a mistake in how a command was called, or in the input that it
// names.
type CallError struct {
	Message string
	Hint    string // what to type instead, "" when the message says it all
}

func (e *CallError) Error() string { return e.Message }

// UsageError returns a [*CallError].
func UsageError(hint, format string, args ...any) error {
	return &CallError{Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Count says how many there are of what noun names: 1 card, 2 cards.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Enumerate joins words as in a sentence, the last one by and or or.
func Enumerate(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
