package cli

import (
	"errors"
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
)

// Exit codes, as documented in docs/usage.md. The functions below decide between them.
const (
	OK       = 0
	Findings = 1
	Usage    = 2
	Fault    = 3
)

// exitError ends a run with a code when everything has been said already.
type exitError int

// Error implements [error].
func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// done ends a run with a code.
func done(code int) error { return exitError(code) }

// finalError is an [exitError] that no change of a file undoes.
type finalError struct{ error }

// Unwrap returns the error that ends the run.
func (e finalError) Unwrap() error { return e.error }

// exitCode is the exit code for what stands in the way of writing: a file that may not
// be replaced is a finding, a directory that cannot be one is a mistake in the call,
// one that cannot be written to is a failure.
func exitCode(found diag.List) int {
	codes := map[diag.Exit]int{diag.Findings: Findings, diag.Usage: Usage, diag.Fault: Fault}
	code := OK
	for _, d := range found {
		if d.Severity != diag.Error {
			continue
		}
		r, _ := diag.FindRule(d.Rule)
		code = max(code, codes[r.Exit])
	}
	return code
}

// code is the exit code of a run that stops because of its findings.
func (run *outcome) code() int {
	code := Findings
	for _, d := range run.Found {
		// a source that cannot be read, not a file in one
		source := d.Rule == "source-unreadable" && d.Severity == diag.Error &&
			(run.Project.Configures(d.Span.File) || slices.Contains(run.Given, d.Span.File))
		if r, _ := lint.Find(d.Rule); r.Exit == diag.Usage || source {
			code = Usage
		}
	}
	return code
}

// exitCode says what is still unsaid of an error, and returns its exit code.
func (c *console) exitCode(err error) int {
	if err == nil {
		return OK
	}
	if code, ok := errors.AsType[exitError](err); ok {
		return int(code)
	}
	c.talk("cardwright: " + err.Error())
	usage, ok := errors.AsType[*diag.CallError](err)
	if !ok {
		return Fault
	}
	if usage.Hint != "" {
		c.talk("  hint: " + usage.Hint)
	}
	return Usage
}
