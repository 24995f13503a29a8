package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/nearest"
	"cardwright/schema"
)

// arrange puts a command line into the order that urfave/cli understands:
// global flags, command, its flags, "--", positionals. It is why flags work
// before and after positionals, and it refuses flags that nobody knows.
func arrange(root *ucli.App, args []string) ([]string, error) {
	var globals, path, flags, positionals []string
	var cmd *ucli.Command
	commands := root.Commands
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			positionals, args = append(positionals, args...), nil
		case len(arg) > 1 && arg[0] == '-':
			name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			flag, global := findFlag(name, root, cmd)
			if flag == nil {
				return nil, unknownFlag(arg, root, cmd)
			}
			words := []string{arg}
			if takesValue(flag) && !hasValue {
				if len(args) == 0 {
					return nil, usageError("", "flag %s needs a value", arg)
				}
				if isFlag(args[0], root, cmd) {
					return nil, usageError("write "+arg+"="+args[0]+" if that is the value", "flag %s needs a value, and %s is a flag",
						arg, args[0])
				}
				words, args = append(words, args[0]), args[1:]
			}
			if global {
				globals = append(globals, words...)
			} else {
				flags = append(flags, words...)
			}
		case arg == "help" && cmd == nil:
			flags = append(flags, "--help")
		default:
			next := findCommand(arg, commands)
			if next == nil {
				positionals = append(positionals, arg)
				if len(path) == 0 {
					commands = nil // the first word was meant as the command
				}
				continue
			}
			path, cmd, commands = append(path, next.Name), next, next.Subcommands
		}
	}
	if cmd == nil && len(positionals) > 0 {
		return nil, unknownCommand(positionals[0], root.Commands)
	}
	return slices.Concat(globals, path, flags, []string{"--"}, positionals), nil
}

// isFlag tells whether a word is a flag that the command knows.
func isFlag(word string, root *ucli.App, cmd *ucli.Command) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	flag, _ := findFlag(name, root, cmd)
	return flag != nil
}

func findCommand(name string, commands []*ucli.Command) *ucli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

// findFlag looks a flag up in the command, then among the global ones.
func findFlag(name string, root *ucli.App, cmd *ucli.Command) (flag ucli.Flag, global bool) {
	if name == "help" || name == "h" {
		return ucli.HelpFlag, false
	}
	if cmd != nil {
		for _, f := range cmd.Flags {
			if slices.Contains(f.Names(), name) {
				return f, false
			}
		}
	}
	for _, f := range root.Flags {
		if slices.Contains(f.Names(), name) {
			return f, true
		}
	}
	return nil, false
}

func takesValue(f ucli.Flag) bool {
	v, ok := f.(ucli.DocGenerationFlag)
	return ok && v.TakesValue()
}

func unknownFlag(arg string, root *ucli.App, cmd *ucli.Command) error {
	var known []string
	where := root.Name
	flags := root.Flags
	if cmd != nil {
		where += " " + cmd.Name
		flags = slices.Concat(cmd.Flags, flags)
	}
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				known = append(known, n)
			}
		}
	}
	word, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	hint := "see " + where + " --help"
	if n, ok := nearest.Nearest(word, known); ok {
		hint = nearest.Meant("--" + n)
	}
	return usageError(hint, "unknown flag %q", arg)
}

func unknownCommand(word string, commands []*ucli.Command) error {
	var known []string
	for _, c := range commands {
		known = append(known, c.Names()...)
	}
	return usageError(nearest.Hint(word, known, "commands: "+commandNames(commands)), "unknown command %q", word)
}

func commandNames(commands []*ucli.Command) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// unknown is the usage error for a word that is none of the known ones.
func unknown(what, word, otherwise string, known []string) error {
	return usageError(nearest.Hint(word, known, otherwise+strings.Join(known, ", ")), "unknown %s %q", what, word)
}

// protocolNames lists the names of protocols that flags take.
func protocolNames() string {
	names := schema.Protocols()
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// knownProtocol refuses what names no protocol; "" is no choice.
func knownProtocol(name string) error {
	if name == "" || slices.Contains(schema.Protocols(), name) {
		return nil
	}
	return usageError("use "+protocolNames(), "unknown protocol %q", name)
}
