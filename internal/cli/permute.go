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
	l := commandLine{commands: root.Commands, global: root.Flags, local: []ucli.Flag{ucli.HelpFlag}}
	for len(args) > 0 && args[0] != "--" {
		args = l.add(args[0], args[1:])
	}
	if len(args) > 0 {
		l.words = append(l.words, args[1:]...)
	}
	if l.help && l.misuse == nil { // with arguments, urfave/cli prints the help of a subcommand
		return append(l.path, "--help"), nil
	}
	return slices.Concat(l.globals, l.path, l.flags, []string{"--"}, l.words), l.misuse
}

// commandLine is the part of a command line that has been read.
type commandLine struct {
	commands      []*ucli.Command // that the next word may name
	global, local []ucli.Flag     // that are known

	globals, path, flags, words []string
	help                        bool
	misuse                      error
}

// add reads a word, and returns the rest without its value.
func (l *commandLine) add(word string, rest []string) []string {
	if len(word) > 1 && word[0] == '-' {
		return l.addFlag(word, rest)
	}
	i := slices.IndexFunc(l.commands, func(c *ucli.Command) bool { return c.HasName(word) })
	if i < 0 || len(l.words) > 0 {
		l.words = append(l.words, word)
		return rest
	}
	l.path, l.local = append(l.path, word), append(l.local, l.commands[i].Flags...)
	l.commands = l.commands[i].Subcommands
	return rest
}

func (l *commandLine) addFlag(word string, rest []string) []string {
	known := slices.Concat(l.local, l.global)
	flag := findFlag(word, known)
	name, value, given := strings.Cut(word, "=")
	switch {
	case flag == nil:
		return l.refuse(rest, unknownFlag(word, known))
	case flag == ucli.HelpFlag:
		l.help = true
		return rest
	case !takesValue(flag) && given && value != "true" && value != "false":
		return l.refuse(rest, usageError("write "+name, "flag %s takes no value", name))
	}
	to := &l.globals
	if slices.Contains(l.local, flag) {
		to = &l.flags
	}
	*to = append(*to, word)
	if !takesValue(flag) || given {
		return rest
	}
	if len(rest) == 0 || findFlag(rest[0], known) != nil {
		*to = (*to)[:len(*to)-1]
		return l.refuse(rest, usageError("write "+word+"=VALUE", "flag %s needs a value", word))
	}
	*to = append(*to, rest[0])
	return rest[1:]
}

// refuse notes the first error.
func (l *commandLine) refuse(rest []string, err error) []string {
	l.misuse = cmp.Or(l.misuse, err)
	return rest
}

// takesValue reports whether a flag has a value.
func takesValue(f ucli.Flag) bool {
	doc, ok := f.(ucli.DocGenerationFlag)
	return ok && doc.TakesValue()
}

// findFlag returns the flag that a word is, nil for none.
func findFlag(word string, flags []ucli.Flag) ucli.Flag {
	name, is := strings.CutPrefix(word, "-")
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	i := slices.IndexFunc(flags, func(f ucli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 || !is {
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
	longer := func(known string) bool { return len(known) > 1 && strings.HasPrefix(name, known) }
	hint := "see --help"
	if near, ok := diag.Nearest(name, names); ok && len(near) > 1 {
		hint = diag.Meant("--" + near)
	} else if i := slices.IndexFunc(names, longer); i >= 0 { // --output
		hint = diag.Meant("--" + names[i])
	}
	return usageError(hint, "unknown flag %q", word)
}
