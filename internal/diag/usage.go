package diag

import "fmt"

// CallError is a mistake in how a command was called, or in the input that it
// names.
type CallError struct {
	Message string
	Hint    string // what to type instead, "" when the message says it all
}

func (e *CallError) Error() string { return e.Message }

// UsageError returns a [*CallError].
func UsageError(hint, format string, args ...any) error {
	return &CallError{Message: fmt.Sprintf(format, args...), Hint: hint}
}
