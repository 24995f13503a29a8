package report

import (
	"fmt"

	"cardwright/internal/diag"
)

// groupShown is how many findings of a rule people see before a count of the others.
const groupShown = 3

// groups count findings by rule.
type groups struct{ total, seen map[diag.RuleID]int }

func group(found diag.List) *groups {
	g := &groups{total: map[diag.RuleID]int{}, seen: map[diag.RuleID]int{}}
	for _, d := range found {
		g.total[d.Rule]++
	}
	return g
}

// take reports whether a finding is printed, and how many of its rule are left out after
// it. No group leaves out nothing.
func (g *groups) take(d diag.Diagnostic) (printed bool, rest int) {
	if g == nil {
		return true, 0
	}
	if g.seen[d.Rule]++; g.seen[d.Rule] == groupShown {
		rest = g.total[d.Rule] - groupShown
	}
	return g.seen[d.Rule] <= groupShown, rest
}

// restOf is the line for findings that are left out.
func restOf(d diag.Diagnostic, rest int, option string) string {
	return fmt.Sprintf("and %d more of %s (%s shows them)", rest, d.Rule, option)
}
