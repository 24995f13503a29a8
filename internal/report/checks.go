package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Check is one thing that a command looked at.
type Check struct {
	Rule     diag.RuleID   // id of the rule, such as probe-etag
	Name     string        // as the lines for people spell it
	Severity diag.Severity // of a check that failed, zero for others
	Required bool          // a failure is an error
	Detail   string        // what was found
	Hint     string        // how to fix it
	Document bool          // the name names a document, and Detail what is in it
}

// Result says in a word what came of a check.
func (c Check) Result() string {
	return map[diag.Severity]string{0: "ok", diag.Error: "fail", diag.Warning: "warning", diag.Info: "info"}[c.Severity]
}

// finding is what a check that failed has found.
func (c Check) finding() diag.Diagnostic {
	message := c.Detail
	if c.Name != c.Rule.String() {
		message = c.Name + ": " + message
	}
	return diag.New(c.Rule, diag.Span{}, "%s", message).WithSeverity(c.Severity).WithHint(c.Hint)
}

// Configured returns the checks as a configuration makes their rules count, without
// those that are off, and a finding for each that failed.
func Configured(checks []Check, configure func(diag.List) diag.List) ([]Check, diag.List) {
	var kept []Check
	var found diag.List
	for _, c := range checks {
		if c.Severity == 0 {
			kept = append(kept, c)
			continue
		}
		for _, d := range configure(diag.List{c.finding()}) {
			found = append(found, d)
			c.Severity, c.Required = d.Severity, d.Severity == diag.Error
			kept = append(kept, c)
		}
	}
	return kept, found
}

// CountChecks says how many checks there are, and what came of them.
func CountChecks(checks []Check) string {
	text := fmt.Sprintf("%s, %d failed, %s", diag.Count(len(checks), "check"), countResults(checks, diag.Error),
		diag.Count(countResults(checks, diag.Warning), "warning"))
	if n := countResults(checks, diag.Info); n > 0 {
		text += ", " + diag.Count(n, "info")
	}
	return text
}

func countResults(checks []Check, s diag.Severity) (n int) {
	for _, c := range checks {
		if c.Severity == s {
			n++
		}
	}
	return n
}

// SumUp says in a line what to do: "good", "good; 2 things to do" where only warnings
// are left, or how many things are broken.
func SumUp(checks []Check) string {
	verdict := "good"
	if broken := countResults(checks, diag.Error); broken > 0 {
		verdict = diag.Count(broken, "thing") + " to fix"
	}
	if todo := countResults(checks, diag.Warning); todo > 0 {
		verdict += "; " + diag.Count(todo, "thing") + " to do"
	}
	return verdict
}

// Checks prints a line for each document, and then for each check. In quiet runs
// only those that failed are printed.
func Checks(checks []Check, quiet bool) string {
	width := 18
	for _, c := range checks {
		if !c.Document {
			width = max(width, utf8.RuneCountInString(c.Name))
		}
	}
	var documents, lines string
	for _, c := range checks {
		switch {
		case quiet && c.Severity == 0:
		case c.Document:
			documents += Escape(c.Name+": "+c.Detail) + "\n" + c.hint(4)
		default:
			line := fmt.Sprintf("%-7s %-*s  %s", c.Result(), width, c.Name, c.Detail)
			lines += Escape(strings.TrimRight(line, " ")) + "\n" + c.hint(10)
		}
	}
	return documents + lines
}

// hint is the line with the hint, if there is one.
func (c Check) hint(indent int) string {
	if c.Hint == "" {
		return ""
	}
	return strings.Repeat(" ", indent) + "hint: " + Escape(c.Hint) + "\n"
}

// CheckMembers is what the checks add to findings in JSON.
func CheckMembers(checks []Check) source.Member {
	return source.Member{Key: "checks", Value: source.ListOf(checks, func(c Check) *source.Node {
		return source.ObjectOf(
			"name", c.Name,
			"required", c.Required,
			"ok", c.Severity == 0,
			"detail", c.Detail,
			"hint", c.Hint,
		)
	})}
}
