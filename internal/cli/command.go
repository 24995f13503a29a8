package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"
)

// described is the program as a command of its own, whose flags are global.
func described(root *ucli.App) *ucli.Command {
	return &ucli.Command{
		Name: root.Name, Usage: root.Usage, UsageText: root.UsageText, Flags: root.Flags, Subcommands: root.Commands,
	}
}

// helpFlag is the flag that every command has.
func helpFlag() ucli.Flag {
	return &ucli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "print help"}
}

// takesValue reports whether a flag has a value.
func takesValue(f ucli.Flag) bool {
	doc, ok := f.(ucli.DocGenerationFlag) // which all are that we use
	return ok && doc.TakesValue()
}

// valueOf is the word that stands for the value of a flag, "" for none, and what the
// flag is for: back quotes in its usage mark the word.
func valueOf(f ucli.Flag) (word, usage string) {
	if doc, ok := f.(ucli.DocGenerationFlag); ok {
		usage = doc.GetUsage()
	}
	if before, rest, marked := strings.Cut(usage, "`"); marked {
		word, after, _ := strings.Cut(rest, "`")
		return word, before + word + after
	}
	if takesValue(f) {
		return "VALUE", usage
	}
	return "", usage
}

// find returns the subcommand of that name, nil for none.
func find(name string, commands []*ucli.Command) *ucli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

// findFlag finds a flag of a command, which may be nil, or else a global one.
func findFlag(name string, c, root *ucli.Command) (flag ucli.Flag, global, known bool) {
	if help := helpFlag(); slices.Contains(help.Names(), name) {
		return help, false, true
	}
	for _, f := range allFlags(c, root) {
		if slices.Contains(f.Names(), name) {
			return f, slices.Contains(root.Flags, f), true
		}
	}
	return nil, false, false
}

// allFlags are the flags of a command, nil for none, and the global ones.
func allFlags(c, root *ucli.Command) []ucli.Flag {
	if c == nil {
		return root.Flags
	}
	return slices.Concat(c.Flags, root.Flags)
}

// flagName is the name in a word that is a flag.
func flagName(word string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	return name
}

// commandNames lists the names of commands.
func commandNames(commands []*ucli.Command) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}
