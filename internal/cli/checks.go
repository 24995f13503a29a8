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
	shown := run.Found // of the rest, people see the checks
	checks, failed := report.Judge(checks, lint.Switches{Rules: run.config.Rules, Strict: run.options.strict}, finding)
	run.Found = append(run.Found, failed...).Sorted()
	run.Forms = map[string]func(io.Writer) error{
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
