package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
)

// commandLine is what the words of a command line say, as far as they can be read. It is
// read in one way whether the command is run, its words are completed, or it is told why
// it cannot be run.
type commandLine struct {
	root        *ucli.Command
	command     *ucli.Command   // nil in front of it
	path        []string        // of the command: key, new
	commands    []*ucli.Command // that can follow
	globals     []string        // words
	flags       []string        // words
	given       []givenFlag
	positionals []string
	flag        string // whose value comes next, "" for none
	help        bool   // somebody asks for it
	fault       error  // the first one
}

// givenFlag is a flag with its value.
type givenFlag struct{ name, value string }

func readLine(root *ucli.Command, words []string) *commandLine {
	l := &commandLine{root: root, commands: root.Subcommands}
	for len(words) > 0 {
		words = l.read(words[0], words[1:])
	}
	return l
}

// read reads a word, and returns those of the rest that do not belong to it.
func (l *commandLine) read(word string, rest []string) []string {
	switch {
	case word == "--":
		l.positionals = append(l.positionals, rest...)
		return nil
	case len(word) > 1 && word[0] == '-':
		return l.readFlag(word, rest)
	case word == "help" && l.command == nil:
		l.help = true
		return rest
	}
	if next := find(word, l.commands); next != nil {
		l.path, l.command, l.commands = append(l.path, next.Name), next, next.Subcommands
		return rest
	}
	l.positionals, l.commands = append(l.positionals, word), nil // it was meant as a command, if any follows
	return rest
}

func (l *commandLine) readFlag(word string, rest []string) []string {
	name, value, joined := strings.Cut(strings.TrimLeft(word, "-"), "=")
	flag, global, known := findFlag(name, l.command, l.root)
	words := []string{word}
	switch {
	case !known:
		l.fail(unknownFlag(word, l.root, l.command))
	case slices.Contains(flag.Names(), "help"):
		l.help = true
		return rest
	case takesValue(flag) && !joined:
		if err := valueFault(word, rest, l.root, l.command); err != nil {
			l.fail(err)
			l.flag = name
			return rest
		}
		value, rest = rest[0], rest[1:]
		words = append(words, value)
	}
	l.given = append(l.given, givenFlag{name, value})
	if global {
		l.globals = append(l.globals, words...)
	} else {
		l.flags = append(l.flags, words...)
	}
	return rest
}

func (l *commandLine) fail(err error) {
	if l.fault == nil {
		l.fault = err
	}
}

// arrange brings a command line into the order that simple parsers understand:
// global flags, command, its flags, "--", positionals. So flags work before and
// after positionals. It refuses unknown flags. For a line that asks for help,
// it returns the help text instead.
func arrange(root *ucli.Command, args []string) (arranged []string, help string, err error) {
	l := readLine(root, args)
	switch {
	case l.fault != nil:
		return nil, "", l.fault
	case l.command == nil && len(l.positionals) > 0:
		return nil, "", unknownCommand(l.positionals[0], root.Subcommands)
	case l.help && l.command == nil:
		return nil, programHelp(root), nil
	case l.help:
		return nil, commandHelp(l.command), nil
	}
	return slices.Concat(l.globals, l.path, l.flags, []string{"--"}, l.positionals), "", nil
}

// valueFault says why the words that follow a flag do not begin with its value.
func valueFault(flag string, rest []string, root, cmd *ucli.Command) error {
	if len(rest) == 0 {
		return diag.UsageError("", "flag %s needs a value", flag)
	}
	word := rest[0]
	if len(word) < 2 || word[0] != '-' {
		return nil
	}
	if _, _, known := findFlag(flagName(word), cmd, root); !known {
		return nil
	}
	return diag.UsageError("write "+flag+"="+word+" if that is the value", "flag %s needs a value, but %s is a flag",
		flag, word)
}
