package diag

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Rule is an entry of the catalog.
type Rule struct {
	ID RuleID
	// Severity is what a finding of the rule weighs at most, unless a switch
	// says otherwise. The page of a rule says which of its findings weigh less.
	Severity Severity
	Title    string // one line: what the rule finds
	Exit     Exit   // how a run ends that such an error stops
	// Fixed rules cannot be switched: they say that something could not be
	// read or written at all.
	Fixed bool
	// Optional rules find nothing unless a switch gives them a severity.
	Optional bool
}

// Exit says what is wrong when an error stops a run.
type Exit uint8

// The classes of exits, in rising order.
const (
	Findings Exit = iota // the input
	Usage                // the call or the configuration
	Fault                // the environment
)

//go:embed rules.txt
var table string

// Rules returns the catalog, sorted by ID. It is not to be changed. The table is the
// one place that says what a rule is called, weighs and finds.
var Rules = sync.OnceValue(func() []Rule {
	var rules []Rule
	exits := map[string]Exit{"usage": Usage, "fault": Fault}
	for line := range strings.Lines(table) {
		id, rest, _ := strings.Cut(line, " ")
		how, title, _ := strings.Cut(strings.TrimLeft(rest, " "), "  ")
		words := strings.Fields(how)
		rule := Rule{
			Title: strings.TrimSpace(title), Fixed: slices.Contains(words, "fixed"),
			Optional: slices.Contains(words, "optional"), Exit: exits[words[len(words)-1]],
		}
		rule.ID, _ = ParseRuleID(id)
		rule.Severity, _ = ParseSeverity(words[0])
		rules = append(rules, rule)
	}
	return rules
})

// Guards reports whether a rule protects others from whoever writes what it checks:
// from published secrets, from text that deceives readers and
// their models, and from cards that clients cannot trust.
func (r RuleID) Guards() bool {
	for _, family := range []string{"secret-", "text-", "signature-"} {
		if strings.HasPrefix(r.String(), family) {
			return true
		}
	}
	return r == InterfaceInsecure
}

// RuleNames returns the names of all rules, sorted.
func RuleNames() []string {
	names := make([]string, len(Rules()))
	for i, r := range Rules() {
		names[i] = r.ID.String()
	}
	return names
}

// Rule returns the entry of the catalog. Differences between cards have none.
func (r RuleID) Rule() (Rule, bool) {
	i, found := slices.BinarySearchFunc(Rules(), r, func(rule Rule, id RuleID) int { return cmp.Compare(rule.ID, id) })
	if !found {
		return Rule{}, false
	}
	return Rules()[i], true
}

// New returns a finding of a rule, with the severity that the catalog gives it.
// The message is one sentence, lower case, no full stop: what was found, then
// what is allowed.
func New(rule RuleID, at Span, format string, args ...any) Diagnostic {
	d := Diagnostic{Rule: rule, Severity: Error, Message: format, Span: at}
	if r, ok := rule.Rule(); ok {
		d.Severity = r.Severity
	}
	if len(args) > 0 {
		d.Message = fmt.Sprintf(format, args...)
	}
	return d
}

// WithSeverity returns the finding with another severity than its rule has.
func (d Diagnostic) WithSeverity(s Severity) Diagnostic {
	d.Severity = s
	return d
}

// WithPointer returns the finding with a pointer into the card or the configuration.
func (d Diagnostic) WithPointer(pointer string) Diagnostic {
	d.Pointer = pointer
	return d
}

// WithHint returns the finding with a hint.
func (d Diagnostic) WithHint(hint string) Diagnostic {
	d.Hint = hint
	return d
}

// WithRelated returns the finding with more places that belong to it.
func (d Diagnostic) WithRelated(places ...Related) Diagnostic {
	d.Related = append(slices.Clip(d.Related), places...)
	return d
}
