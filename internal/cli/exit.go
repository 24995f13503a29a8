package cli

import (
	"fmt"
	"slices"

	"cardwright/internal/diag"
)

// Exit codes, as documented in docs/usage.md. The functions below decide between them.
const (
	OK       = 0
	Findings = 1
	Usage    = 2
	Fault    = 3
)

// exitError ends a run with a code when everything has been said already.
type exitError struct {
	code  int
	final bool // no change of a file undoes it
}

// Error implements [error].
func (e exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// answered ends a run that did what it was asked for before its command came.
func answered() error { return exitError{code: OK} }

// exit ends a command that has said what it has found.
func (out *outcome) exit() error {
	if code := out.code(); code != OK {
		return exitError{code, out.Final}
	}
	return nil
}

// code is the exit code that what was found asks for: the worst of what ends the run. A
// file that may not be replaced is a finding, a directory that cannot be one is a mistake
// in the call, one that cannot be written to is a failure.
func (out *outcome) code() int {
	code := OK
	switch {
	case out.Unusable:
		code = Usage
	case out.Differs:
		code = Findings
	}
	codes := map[diag.Exit]int{diag.Findings: Findings, diag.Usage: Usage, diag.Fault: Fault}
	for _, d := range out.run.Found {
		if d.Severity < out.run.Options.FailOn {
			continue
		}
		rule, _ := d.Rule.Rule()
		if code = max(code, codes[rule.Exit]); out.isNamed(d) {
			code = max(code, Usage)
		}
	}
	return code
}

// isNamed reports whether a finding says that a source cannot be read which the
// configuration or the command line names, and not only a file in one.
func (out *outcome) isNamed(d diag.Diagnostic) bool {
	return d.Rule == diag.SourceUnreadable && d.Severity == diag.Error &&
		(out.run.Project.Configures(d.Span.File) || slices.Contains(out.run.Options.Named, d.Span.File))
}
