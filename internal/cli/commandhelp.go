package cli

import (
	"cmp"
	"fmt"
	"strings"

	ucli "github.com/urfave/cli/v2"
)

// programHelp is the help text of the program.
func programHelp(root *ucli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cardwright – %s\n\nUsage: %s\n", root.Usage, root.UsageText)
	writeCommands(&b, root.Subcommands)
	b.WriteString("\nGlobal flags:\n")
	writeFlags(&b, root.Flags)
	b.WriteString(`
Examples:
  cardwright init                 write a starter cardwright.yaml
  cardwright generate             write the cards to dist
  cardwright generate --check     exit 1 when dist is out of date

Use "cardwright COMMAND --help" for more about a command.
`)
	return b.String()
}

// commandHelp is the help text of a command.
func commandHelp(c *ucli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", c.Usage, filled(c.UsageText))
	if len(c.Aliases) > 0 {
		fmt.Fprintf(&b, "Alias: %s\n", strings.Join(c.Aliases, ", "))
	}
	if c.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", filled(c.Description))
	}
	if len(c.Subcommands) > 0 {
		writeCommands(&b, c.Subcommands)
	}
	if len(c.Flags) > 0 {
		b.WriteString("\nFlags:\n")
		writeFlags(&b, c.Flags)
	}
	b.WriteString("\nGlobal flags: cardwright --help\n")
	return b.String()
}

// writeCommands writes a line a command, below the names of their groups.
func writeCommands(b *strings.Builder, commands []*ucli.Command) {
	heading := ""
	for _, c := range commands {
		if group := cmp.Or(c.Category, "Commands"); group != heading {
			fmt.Fprintf(b, "\n%s:\n", group)
			heading = group
		}
		fmt.Fprintf(b, "  %-12s %s\n", c.Name, c.Usage)
	}
}

// writeFlags writes a line a flag.
func writeFlags(b *strings.Builder, flags []ucli.Flag) {
	for _, f := range flags {
		value, usage := valueOf(f)
		if value != "" {
			value = " " + value
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
		const indent = 27
		head := fmt.Sprintf("  %-24s ", strings.Join(names, ", ")+value)
		for _, line := range wrapped(usage, 80-indent) {
			fmt.Fprintf(b, "%-*s%s\n", indent, head, line)
			head = ""
		}
	}
}

// wrapped breaks a text into lines of at most so many characters, where words allow
// that.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len([]rune(line+" "+word)) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
