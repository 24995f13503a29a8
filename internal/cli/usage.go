package cli

import (
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
)

// usageError ends a run with [Usage].
func usageError(hint, format string, args ...any) error {
	return diag.UsageError(hint, format, args...)
}

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

// unknownCommand is the usage error for a word that is none of the commands. It may be a
// flag of one, such as check.
func unknownCommand(word string, commands []*ucli.Command) error {
	hint := diag.Hint(word, commandNames(commands), "commands: "+strings.Join(commandNames(commands), ", "))
	for _, c := range commands {
		if findFlag("--"+word, c.Flags) != nil {
			hint = diag.Meant(c.Name + " --" + word)
			break
		}
	}
	return usageError(hint, "unknown command %q", word)
}

func commandNames(commands []*ucli.Command) []string {
	var names []string
	for _, c := range commands {
		if c.Name != "help" { // which urfave/cli adds
			names = append(names, c.Name)
		}
	}
	return names
}
