package cli

import (
	"io"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/report"
)

// endChecks prints the checks of a command: for people a line each, for programs
// as findings and the whole list.
func (a *app) endChecks(run *built, name string, checks []report.Check,
	finding func(report.Check) diag.Diagnostic,
) error {
	shown := run.found // of the rest, people see the checks
	checks = run.judge(checks, finding)
	run.forms = map[string]func(io.Writer) error{
		"markdown": func(w io.Writer) error { return report.ChecksMarkdown(w, a.title(), checks) },
		"junit":    func(w io.Writer) error { return report.JUnit(w, name, checks, run.options.threshold()) },
	}
	if run.options.format == "text" {
		if err := report.Checks(a.Out, checks, a.quiet); err != nil {
			return err
		}
		if !a.quiet {
			a.talk(report.CountChecks(checks))
		}
	}
	if err := a.emit(run, shown, report.CheckMembers(checks)); err != nil {
		return err
	}
	if run.failed() {
		return done(exitFindings)
	}
	return nil
}

// judge adds a finding for each check that failed, and returns the checks as the
// configuration makes their rules count: those that are off are left out.
func (b *built) judge(checks []report.Check, finding func(report.Check) diag.Diagnostic) []report.Check {
	switches := lint.Switches{Rules: b.config.Rules, Strict: b.options.strict}
	var judged []report.Check
	for _, c := range checks {
		if c.Severity == 0 {
			judged = append(judged, c)
			continue
		}
		for _, d := range switches.Apply(diag.List{finding(c)}) {
			b.found = append(b.found, d)
			c.Severity, c.Required = d.Severity, d.Severity == diag.Error
			judged = append(judged, c)
		}
	}
	b.found = b.found.Sorted()
	return judged
}
