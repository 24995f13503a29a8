package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Check is one thing that a command looked at.
type Check struct {
	Rule     string        // id of the rule, such as probe-etag
	Name     string        // as the lines for people spell it
	Severity diag.Severity // of a check that failed, zero for others
	Required bool          // a failure is an error
	Detail   string        // what was found
	Hint     string        // how to fix it
}

// Result says in a word what came of a check.
func (c Check) Result() string {
	switch {
	case c.Severity == 0:
		return "ok"
	case c.Severity == diag.Error:
		return "fail"
	case c.Severity == diag.Info:
		return "info"
	}
	return "warning"
}

// finding is what a check that failed has found.
func (c Check) finding() diag.Diagnostic {
	message := c.Detail
	if c.Name != c.Rule {
		message = c.Name + ": " + message
	}
	return diag.New(c.Rule, diag.Span{}, "%s", message).WithSeverity(c.Severity).WithHint(c.Hint)
}

// Judge returns the checks as a configuration makes their rules count, without
// those that are off, and a finding for each that failed.
func Judge(checks []Check, judge func(diag.List) diag.List) ([]Check, diag.List) {
	var judged []Check
	var found diag.List
	for _, c := range checks {
		if c.Severity == 0 {
			judged = append(judged, c)
			continue
		}
		for _, d := range judge(diag.List{c.finding()}) {
			found = append(found, d)
			c.Severity, c.Required = d.Severity, d.Severity == diag.Error
			judged = append(judged, c)
		}
	}
	return judged, found
}

// CountChecks says how many checks there are, and what came of them.
func CountChecks(checks []Check) string {
	count := map[string]int{}
	for _, c := range checks {
		count[c.Result()]++
	}
	text := fmt.Sprintf("%s, %d failed, %s", diag.Count(len(checks), "check"), count["fail"],
		diag.Count(count["warning"], "warning"))
	if n := count["info"]; n > 0 {
		text += ", " + diag.Count(n, "info")
	}
	return text
}

// SumUp says in a line what to do: "good", "good; 2 things to do" where only warnings
// are left, or how many things are broken.
func SumUp(checks []Check) string {
	broken, todo := 0, 0
	for _, c := range checks {
		switch {
		case c.Severity == diag.Error:
			broken++
		case c.Severity == diag.Warning:
			todo++
		}
	}
	verdict := "good"
	if broken > 0 {
		verdict = diag.Count(broken, "thing") + " to fix"
	}
	if todo > 0 {
		verdict += "; " + diag.Count(todo, "thing") + " to do"
	}
	return verdict
}

// Checks prints a line for each check. In quiet runs
// only those that failed are printed.
func Checks(w io.Writer, checks []Check, quiet bool) error {
	result, name := 6, 18
	for _, c := range checks {
		result, name = max(result, len(c.Result())), max(name, utf8.RuneCountInString(c.Name))
	}
	var b strings.Builder
	for _, c := range checks {
		if quiet && c.Severity == 0 {
			continue
		}
		line := fmt.Sprintf("%-*s  %-*s  %s", result, c.Result(), name, c.Name, c.Detail)
		b.WriteString(Escape(strings.TrimRight(line, " ")) + "\n")
		if c.Hint != "" {
			b.WriteString(strings.Repeat(" ", result+4) + "hint: " + Escape(c.Hint) + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ChecksMarkdown prints the checks as a table below a heading. What a host sent stands in code
// spans, of which nothing is made.
func ChecksMarkdown(w io.Writer, title string, checks []Check) error {
	var b strings.Builder
	heading(&b, title, CountChecks(checks))
	for i, c := range checks {
		if i == 0 {
			b.WriteString("\n| check | result | found |\n| --- | --- | --- |\n")
		}
		found := cell(c.Detail)
		if c.Hint != "" {
			found += ", hint: " + cell(c.Hint)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(c.Name), c.Result(), found)
	}
	_, err := io.WriteString(w, b.String())
	return err
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
