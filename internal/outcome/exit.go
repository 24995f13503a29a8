package outcome

import (
	"fmt"

	"cardwright/internal/diag"
)

// Exit codes, as documented in docs/usage.md.
const (
	OK          = 0
	Findings    = 1
	Usage       = 2
	Fault       = 3
	Interrupted = 130 // 128 + SIGINT, as shells expect
)

// ExitError ends a run with a code when everything has been said already.
type ExitError int

// Error implements [error].
func (e ExitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Done ends a run with a code.
func Done(code int) error { return ExitError(code) }

// Code is the exit code for what stands in the way of writing: a file that may not
// be replaced is a finding, a directory that cannot be one is a mistake in the call,
// one that cannot be written to is a failure.
func Code(found diag.List) int {
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
