package cli

import (
	_ "embed"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
)

// commandHabits are the commands of other tools, behind what does the same here.
//
//go:embed habits/commands.txt
var commandHabits string

// flagHabits are the flags of other tools, behind those that do the same here: of
// several, the first that the command has, else the first that any command has.
//
//go:embed habits/flags.txt
var flagHabits string

// habit returns what a table has before a word, nil where it has none.
func habit(table, word string) []string {
	for line := range strings.Lines(table) {
		meant, words, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if slices.Contains(strings.Fields(words), word) {
			return strings.Fields(meant)
		}
	}
	return nil
}

// unknownCommand is the usage error for a word that is none of the commands.
func unknownCommand(word string, commands []*ucli.Command) error {
	var known []string
	for _, c := range commands {
		known = append(known, c.Names()...)
	}
	hint := diag.Hint(word, known, "commands: "+commandNames(commands))
	if find("generate", commands) != nil { // not the commands below key
		switch word {
		case "publish", "deploy", "push", "upload", "release":
			hint = "run cardwright generate, and copy the files to any web server: docs/deploy.md"
		case "add", "agent", "skill":
			hint = "add agents and skills to cardwright.yaml; cardwright init writes one"
		default:
			if meant := habit(commandHabits, word); meant != nil {
				hint = diag.Meant(strings.Join(meant, " "))
			}
		}
	}
	return diag.UsageError(hint, "unknown command %q", word)
}

// unknownFlag is the usage error for a flag that neither the command nor the
// program has.
func unknownFlag(word string, root, c *ucli.Command) error {
	where := root.Name
	if c != nil {
		where += " " + c.Name
	}
	hint := "see " + where + " --help"
	name := flagName(word)
	if meant := habitualFlag(name, root, c); meant != "" {
		hint = diag.Meant(meant)
	} else if n, ok := diag.Nearest(name, longNames(allFlags(c, root))); ok {
		hint = diag.Meant("--" + n)
	} else if meant := flagElsewhere(name, root); meant != "" {
		hint = diag.Meant(meant)
	}
	return diag.UsageError(hint, "unknown flag %q", word)
}

// habitualFlag returns the flag that other tools call name, with its command where
// that is another one than c, "" where there is none.
func habitualFlag(name string, root, c *ucli.Command) string {
	meant := habit(flagHabits, name)
	known := longNames(allFlags(c, root))
	for _, m := range meant {
		if flag, _, _ := strings.Cut(m, "="); slices.Contains(known, flag) {
			return "--" + m
		}
	}
	for _, m := range meant {
		if there := flagElsewhere(m, root); there != "" {
			return there
		}
	}
	return ""
}

// flagElsewhere returns the first command with the flag, and the flag, "" where there
// is none.
func flagElsewhere(name string, root *ucli.Command) string {
	for _, c := range root.Subcommands {
		if slices.Contains(longNames(c.Flags), name) {
			return c.Name + " --" + name
		}
	}
	return ""
}

// longNames are the names of flags that have more than one letter.
func longNames(flags []ucli.Flag) []string {
	var names []string
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				names = append(names, n)
			}
		}
	}
	return names
}
