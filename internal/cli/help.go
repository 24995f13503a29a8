package cli

import (
	"fmt"
	"strings"

	ucli "github.com/urfave/cli/v2"
)

// setHelp gives the program and every command their help texts. They are made
// here, and not by the templates of urfave/cli, so that flags read the same
// everywhere and defaults show only where there are any.
func setHelp(root *ucli.App) {
	root.CustomAppHelpTemplate = literal(appHelp(root))
	for _, cmd := range root.Commands {
		setCommandHelp(cmd)
	}
}

func setCommandHelp(cmd *ucli.Command) {
	cmd.CustomHelpTemplate = literal(commandHelp(cmd))
	for _, sub := range cmd.Subcommands {
		setCommandHelp(sub)
	}
}

func appHelp(root *ucli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cardwright – %s\n\nUsage: %s\n\nCommands:\n", root.Usage, root.UsageText)
	writeCommands(&b, root.Commands)
	b.WriteString("\nGlobal flags, anywhere on the line:\n")
	writeFlags(&b, root.Flags)
	b.WriteString(`
Examples:
  cardwright init                 write a starter cardwright.yaml
  cardwright generate             write the cards to dist
  cardwright generate --check     exit 1 when dist is out of date

Help on a command: cardwright COMMAND --help
`)
	return b.String()
}

func commandHelp(cmd *ucli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", cmd.Usage, cmd.UsageText)
	if len(cmd.Aliases) > 0 {
		fmt.Fprintf(&b, "Alias: %s\n", strings.Join(cmd.Aliases, ", "))
	}
	if cmd.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", cmd.Description)
	}
	if len(cmd.Subcommands) > 0 {
		b.WriteString("\nCommands:\n")
		writeCommands(&b, cmd.Subcommands)
	}
	if len(cmd.Flags) > 0 {
		b.WriteString("\nFlags:\n")
		writeFlags(&b, cmd.Flags)
	}
	b.WriteString("\nThe global flags -C, --config, --color and -q work here too.\n")
	return b.String()
}

func writeCommands(b *strings.Builder, commands []*ucli.Command) {
	for _, c := range commands {
		fmt.Fprintf(b, "  %-12s %s\n", c.Name, c.Usage)
	}
}

// writeFlags writes a line a flag. Back quotes in its usage mark the word that
// stands for the value.
func writeFlags(b *strings.Builder, flags []ucli.Flag) {
	for _, f := range flags {
		doc, ok := f.(ucli.DocGenerationFlag)
		if !ok {
			continue
		}
		value, usage := "", doc.GetUsage()
		if before, rest, marked := strings.Cut(usage, "`"); marked {
			word, after, _ := strings.Cut(rest, "`")
			value, usage = " "+word, before+word+after
		} else if doc.TakesValue() {
			value = " VALUE"
		}
		var names []string
		for _, n := range f.Names() {
			dash := "--"
			if len(n) == 1 {
				dash = "-"
			}
			names = append(names, dash+n)
		}
		if len(names) == 2 && len(names[1]) == 2 {
			names[0], names[1] = names[1], names[0]
		}
		fmt.Fprintf(b, "  %-22s %s\n", strings.Join(names, ", ")+value, usage)
	}
}

// literal makes a text a template that prints it.
func literal(s string) string { return strings.ReplaceAll(s, "{{", `{{"{{"}}`) }
