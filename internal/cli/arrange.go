package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
)

// arrange brings a command line into the order that simple parsers understand:
// global flags, command, its flags, "--", positionals. So flags work before and
// after positionals. It refuses unknown flags. For a line that asks for help,
// it returns the help text instead.
func arrange(root *ucli.Command, args []string) (arranged []string, help string, err error) {
	var globals, path, flags, positionals []string
	var cmd *ucli.Command
	asked := false
	commands := root.Subcommands
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			positionals, args = append(positionals, args...), nil
		case len(arg) > 1 && arg[0] == '-':
			flag, global, known := findFlag(flagName(arg), cmd, root)
			if !known {
				return nil, "", unknownFlag(arg, root, cmd)
			}
			if slices.Contains(flag.Names(), "help") {
				asked = true
				continue
			}
			words := []string{arg}
			if takesValue(flag) && !strings.Contains(arg, "=") {
				if err := valueFault(arg, args, root, cmd); err != nil {
					return nil, "", err
				}
				words, args = append(words, args[0]), args[1:]
			}
			if global {
				globals = append(globals, words...)
			} else {
				flags = append(flags, words...)
			}
		case arg == "help" && cmd == nil:
			asked = true
		default:
			next := find(arg, commands)
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
		return nil, "", Unknown(positionals[0], root.Subcommands)
	}
	switch {
	case asked && cmd == nil:
		return nil, programHelp(root), nil
	case asked:
		return nil, commandHelp(cmd), nil
	}
	return slices.Concat(globals, path, flags, []string{"--"}, positionals), "", nil
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
