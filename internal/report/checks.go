package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Check is one thing that a command looked at.
type Check struct {
	Rule     string // id of the rule, such as probe-etag
	Name     string // as the lines for people spell it
	Group    string // what was looked at, "" where all checks are about one thing
	Untried  bool
	Severity diag.Severity // of a check that failed, zero for others
	Required bool          // a failure is an error
	Place    string        // what promises it, for people, "" for none
	Span     diag.Span     // the same for findings
	Pointer  string        // the same in the card
	Detail   string        // what was found
	Hint     string        // how to fix it
	Owner    string        // who answers for it, "" when nobody is named
}

// Result says in a word what came of a check.
func (c Check) Result() string {
	switch {
	case c.Untried:
		return "not tried"
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
	switch {
	case c.Group != "":
		message = c.Group + ": " + message
	case c.Name != c.Rule:
		message = c.Name + ": " + message
	}
	return diag.New(c.Rule, c.Span, "%s", message).WithSeverity(c.Severity).WithPointer(c.Pointer).WithHint(c.Hint)
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
	if n := count["not tried"]; n > 0 {
		text += fmt.Sprintf(", %d not tried", n)
	}
	return text
}

// Checks prints a line for each check, under a line for each group. In quiet runs
// only those that failed are printed.
func Checks(w io.Writer, checks []Check, quiet bool) error {
	result, name := 6, 18
	for _, c := range checks {
		result, name = max(result, len(c.Result())), max(name, utf8.RuneCountInString(c.Name))
	}
	var b strings.Builder
	group := ""
	for _, c := range checks {
		if quiet && c.Severity == 0 {
			continue
		}
		if c.Group != group {
			group = c.Group
			b.WriteString(Escape(cmp.Or(group, "the card")) + "\n")
		}
		detail := c.Detail
		if c.Place != "" && c.Severity != 0 {
			detail = c.Place + ": " + detail
		}
		line := fmt.Sprintf("%-*s  %-*s  %s", result, c.Result(), name, c.Name, detail)
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
		if i == 0 || c.Group != checks[i-1].Group {
			if i > 0 || c.Group != "" {
				b.WriteString("\n" + cmp.Or(Code(c.Group), "the card") + "\n")
			}
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
		var tried *source.Node
		if c.Untried {
			tried = source.NewBool(false)
		}
		return source.ObjectOf(
			"name", c.Name,
			"interface", c.Group,
			"required", c.Required,
			"ok", c.Severity == 0 && !c.Untried,
			"tried", tried,
			"detail", c.Detail,
			"pointer", c.Pointer,
			"hint", c.Hint,
		)
	})}
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Name    string       `xml:"name,attr"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr,omitempty"` // where servers look for the code
	Skipped *junitMessage `xml:"skipped"`
	Failure *junitMessage `xml:"failure"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit prints the checks as the test report that CI servers read: a suite for
// each group, and a failure for what weighs as much as the threshold.
func JUnit(w io.Writer, name string, checks []Check, threshold diag.Severity, repo Repository) error {
	report := junitSuites{Name: name}
	for i, c := range checks {
		if i == 0 || c.Group != checks[i-1].Group {
			report.Suites = append(report.Suites, junitSuite{Name: Escape(cmp.Or(c.Group, name))})
		}
		report.Suites[len(report.Suites)-1].add(c, threshold, repo)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c Check, threshold diag.Severity, repo Repository) {
	out := junitCase{Class: s.Name, Name: Escape(c.Name)}
	if c.Span.File != "" {
		out.File = Escape(repo.file(c.Span.File))
	}
	detail := Escape(c.Detail)
	text := detail
	if c.Place != "" {
		text = Escape(c.Place) + ": " + text
	}
	if c.Hint != "" {
		text += "\nhint: " + Escape(c.Hint)
	}
	if c.Owner != "" {
		text += "\nowner: " + Escape(c.Owner)
	}
	s.Tests++
	switch {
	case c.Untried:
		s.Skipped++
		out.Skipped = &junitMessage{Message: detail}
	case c.Severity != 0 && c.Severity >= threshold:
		s.Failures++
		out.Failure = &junitMessage{Type: c.Rule, Message: detail, Text: text}
	default:
		out.Output = text
	}
	s.Cases = append(s.Cases, out)
}
