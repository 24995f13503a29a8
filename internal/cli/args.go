package cli

import (
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
)

// described is the program as package command sees it.
func described(root *ucli.App) *Command {
	return &Command{
		Name: root.Name, Usage: root.Usage, UsageText: root.UsageText, Flags: describedFlags(root.Flags),
		Subcommands: describedCommands(root.Commands),
	}
}

func describedCommands(commands []*ucli.Command) []*Command {
	var all []*Command
	for _, c := range commands {
		all = append(all, &Command{
			Name: c.Name, Aliases: c.Aliases, Usage: c.Usage, UsageText: c.UsageText, Description: c.Description,
			Group: c.Category, Flags: describedFlags(c.Flags), Subcommands: describedCommands(c.Subcommands),
		})
	}
	return all
}

func describedFlags(flags []ucli.Flag) []Flag {
	var all []Flag
	for _, f := range flags {
		doc, _ := f.(ucli.DocGenerationFlag) // which all are that we use
		all = append(all, Flag{Names: f.Names(), Usage: doc.GetUsage(), TakesValue: doc.TakesValue()})
	}
	return all
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
