package cli

import (
	"cmp"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
)

// permute puts flags before arguments, as urfave/cli needs them: global flags, command,
// its flags, "--", arguments. It leaves out unknown flags and flags without a value, and
// returns the first of them as an error, because a word behind those may be either.
func permute(root *ucli.App, args []string) (_ []string, misuse error) {
	var globals, path, flags, words []string
	commands, local := root.Commands, []ucli.Flag{ucli.HelpFlag}
	for len(args) > 0 {
		word, rest := args[0], args[1:]
		if args = rest; word == "--" {
			words = append(words, rest...)
			break
		}
		if len(word) < 2 || word[0] != '-' {
			i := slices.IndexFunc(commands, func(c *ucli.Command) bool { return c.HasName(word) })
			if i < 0 || len(words) > 0 {
				words = append(words, word)
				continue
			}
			path, local = append(path, word), append(local, commands[i].Flags...)
			commands = commands[i].Subcommands
			continue
		}
		to, known := &flags, slices.Concat(local, root.Flags)
		flag := findFlag(word, known)
		switch {
		case flag == nil:
			misuse = cmp.Or(misuse, unknownFlag(word, known))
			continue
		case flag == ucli.HelpFlag && misuse != nil:
			continue
		case flag == ucli.HelpFlag: // with arguments, urfave/cli prints the help of a subcommand
			return slices.Concat(path, []string{word}), nil
		case !slices.Contains(local, flag):
			to = &globals
		}
		name, value, given := strings.Cut(word, "=")
		if given && !takesValue(flag) && value != "true" && value != "false" {
			misuse = cmp.Or(misuse, usageError("write "+name, "flag %s takes no value", name))
			continue
		}
		if !takesValue(flag) || strings.Contains(word, "=") {
			*to = append(*to, word)
			continue
		}
		if len(args) == 0 || len(args[0]) > 1 && findFlag(args[0], known) != nil {
			misuse = cmp.Or(misuse, usageError("write "+word+"=VALUE", "flag %s needs a value", word))
			continue
		}
		*to, args = append(*to, word, args[0]), args[1:]
	}
	return slices.Concat(globals, path, flags, []string{"--"}, words), misuse
}

// takesValue reports whether a flag has a value.
func takesValue(f ucli.Flag) bool {
	doc, ok := f.(ucli.DocGenerationFlag)
	return ok && doc.TakesValue()
}

// findFlag returns the flag that a word is, nil for none.
func findFlag(word string, flags []ucli.Flag) ucli.Flag {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	i := slices.IndexFunc(flags, func(f ucli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 || word[0] != '-' {
		return nil
	}
	return flags[i]
}

// unknownFlag is the usage error for a flag that neither the command nor the program has.
func unknownFlag(word string, flags []ucli.Flag) error {
	var names []string
	for _, f := range flags {
		names = append(names, f.Names()...)
	}
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	hint := "see --help"
	if near, ok := diag.Nearest(name, names); ok && len(near) > 1 {
		hint = diag.Meant("--" + near)
	} else if i := slices.IndexFunc(names, func(known string) bool {
		return len(known) > 1 && strings.HasPrefix(name, known)
	}); i >= 0 { // --output
		hint = diag.Meant("--" + names[i])
	}
	return usageError(hint, "unknown flag %q", word)
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
