package cli

import (
	"fmt"

	"cardwright/internal/diag"
)

// Exit codes, as documented in docs/usage.md.
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
