package hosting

import (
	"encoding/json"
	"strings"
)

// Values come from an untrusted configuration. Each template quotes
// them for its own syntax, whatever has been checked before.

// quote writes a string of nginx, Apache and the Caddyfile. None of them has an escape
// for what begins a variable ($, % and {), which templates write and no value holds.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// shellQuote writes a word of the POSIX shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// jsonQuote writes a string of JSON and JavaScript.
func jsonQuote(s string) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(s)
	return strings.TrimSuffix(b.String(), "\n"), err
}
