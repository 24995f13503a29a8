package cli

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
)

// Command is the program, a command or a subcommand.
type Command struct {
	Name        string
	Aliases     []string
	Usage       string // in a line
	UsageText   string // how it is called
	Description string
	Group       string // what it is for, beside others
	Flags       []Flag
	Subcommands []*Command
}

// Flag is a flag of a command. Those of the program are global.
type Flag struct {
	Names      []string // without dashes, the long one first
	Usage      string   // back quotes mark the word that stands for the value
	TakesValue bool
}

// helpFlag is the flag that every command has.
func helpFlag() Flag { return Flag{Names: []string{"help", "h"}, Usage: "print help"} }

// value is the word that stands for the value of the flag, "" for none, and what
// the flag is for.
func (f Flag) value() (word, usage string) {
	if before, rest, marked := strings.Cut(f.Usage, "`"); marked {
		word, after, _ := strings.Cut(rest, "`")
		return word, before + word + after
	}
	if f.TakesValue {
		return "VALUE", f.Usage
	}
	return "", f.Usage
}

// names returns the name and the aliases of the command.
func (c *Command) names() []string { return append([]string{c.Name}, c.Aliases...) }

// find returns the subcommand of that name, nil for none.
func find(name string, commands []*Command) *Command {
	for _, c := range commands {
		if slices.Contains(c.names(), name) {
			return c
		}
	}
	return nil
}

// flag finds a flag of the command, or else a global one.
func (c *Command) flag(name string, root *Command) (flag Flag, global, known bool) {
	if help := helpFlag(); slices.Contains(help.Names, name) {
		return help, false, true
	}
	for _, of := range []*Command{c, root} {
		if of == nil {
			continue
		}
		for _, f := range of.Flags {
			if slices.Contains(f.Names, name) {
				return f, of == root, true
			}
		}
	}
	return Flag{}, false, false
}

// allFlags are the flags of a command, nil for none, and the global ones.
func allFlags(c, root *Command) []Flag {
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

// Unknown is the usage error for a word that is none of the commands.
func Unknown(word string, commands []*Command) error {
	var known []string
	for _, c := range commands {
		known = append(known, c.names()...)
	}
	hint := diag.Hint(word, known, "commands: "+Names(commands))
	if meant := otherCommands()[word]; meant != "" && find("generate", commands) != nil {
		hint = diag.Meant(meant)
	}
	return diag.UsageError(hint, "unknown command %q", word)
}

// otherCommands are the names that other tools have for what commands and flags do.
func otherCommands() map[string]string {
	return map[string]string{
		"build": "generate", "check": "generate --check", "watch": "generate --watch", "preview": "serve",
		"fmt": "lint --fix", "catalog": "generate", "catalogue": "generate", "version": "--version", "compare": "diff",
		"import": "capture", "new": "init", "start": "init", "create": "init", "test": "lint", "format": "lint --fix",
		"list": "config", "show": "config", "keygen": "key new",
	}
}

// otherFlags are the names that other tools have for flags.
func otherFlags() map[string]string {
	return map[string]string{
		"environment": "env", "output": "out", "dir": "chdir", "target": "server", "host": "server", "url": "base-url",
		"silent": "quiet", "fix-all": "fix",
	}
}

// Names lists the names of commands.
func Names(commands []*Command) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// unknownFlag is the usage error for a flag that neither the command nor the
// program has.
func unknownFlag(word string, root, c *Command) error {
	var known []string
	for _, f := range allFlags(c, root) {
		for _, n := range f.Names {
			if len(n) > 1 {
				known = append(known, n)
			}
		}
	}
	where := root.Name
	if c != nil {
		where += " " + c.Name
	}
	hint := "see " + where + " --help"
	name := flagName(word)
	if meant := otherFlags()[name]; slices.Contains(known, meant) {
		name = meant
	}
	if n, ok := diag.Nearest(name, known); ok {
		hint = diag.Meant("--" + n)
	}
	return diag.UsageError(hint, "unknown flag %q", word)
}
