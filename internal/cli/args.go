package cli

import (
	"strings"

	"cardwright/internal/diag"
)

// unknown is the usage error for a word that is none of the known ones.
func unknown(what, word, otherwise string, known []string) error {
	return usageError(diag.Hint(word, known, otherwise+strings.Join(known, ", ")), "unknown %s %q", what, word)
}

// needsOne is the usage error for a command that takes one argument and got
// another number.
func needsOne(argument, command string, given int, hint string) error {
	if given == 0 {
		return usageError(hint, "%s needs a %s", command, argument)
	}
	return usageError(hint, "%s takes one %s, not %d", command, argument, given)
}
