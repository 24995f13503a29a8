package cli

import (
	"context"
	"embed"
	"path"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/report"
	"cardwright/schema"
)

// texts are the help texts, a file each: what the command is for, how it is called,
// and behind an empty line the rest.
//
//go:embed help/*.txt
var texts embed.FS

// filled is a help text with what it leaves for tables to say.
func filled(text string) string {
	return strings.NewReplacer(
		"{reports}", strings.Join(report.FileFormats(), ", "),
		"{protocols}", strings.Join(schema.Protocols(), "|"),
		"{shells}", strings.Join(shellNames(), "|")).Replace(text)
}

// commandHelp prints the help of a command: its text, and its flags by heading.
const commandHelp = `{{.HelpName}}: {{.Usage}}

Usage: {{.UsageText}}
{{if .Description}}
{{.Description}}
{{end}}{{if .VisibleCommands}}
Commands:{{range .VisibleCommands}}
  {{.Name}}{{"\t"}}{{.Usage}}{{end}}
{{end}}{{if .VisibleFlagCategories}}{{range .VisibleFlagCategories}}
{{or .Name "Flags"}}:{{range .Flags}}
  {{.}}{{end}}
{{end}}{{else}}
Flags:{{range .VisibleFlags}}
  {{.}}{{end}}
{{end}}`

// rootHelp is the template for the help of the program. The library would sort the groups
// by their names.
func rootHelp(groups []commandGroup) string {
	var b strings.Builder
	b.WriteString("{{.Name}}: {{.Usage}}\n\nUsage: {{.UsageText}}\n")
	for _, g := range groups {
		b.WriteString("\n" + g.name + ":\n")
		for _, c := range g.commands {
			b.WriteString("  " + c.Name + "\t" + c.Usage + "\n")
		}
	}
	b.WriteString("\nGlobal flags:{{range .VisibleFlags}}\n  {{.}}{{end}}\n")
	return b.String() + examples
}

// examples end the help of the program.
const examples = `
Examples:
  cardwright init                 write a starter cardwright.yaml
  cardwright generate             write the cards to dist
  cardwright generate --check     exit 1 when dist is out of date
`

// page is a command with its help text, its flags and what it does.
func page(name string, flags []ucli.Flag, do func(ctx context.Context, args []string) error) *ucli.Command {
	text, _ := texts.ReadFile("help/" + strings.ReplaceAll(name, " ", "-") + ".txt")
	usage, rest, _ := strings.Cut(string(text), "\n")
	called, description, _ := strings.Cut(rest, "\n\n")
	return &ucli.Command{
		Name: path.Base(strings.ReplaceAll(name, " ", "/")), Usage: usage, UsageText: filled(called),
		Description: filled(strings.TrimSuffix(description, "\n")), Flags: flags,
		CustomHelpTemplate: commandHelp,
		Action:             func(c *ucli.Context) error { return do(c.Context, c.Args().Slice()) },
	}
}

// group is a command that has nothing but subcommands.
func group(name string, commands ...*ucli.Command) *ucli.Command {
	c := page(name, nil, func(_ context.Context, args []string) error {
		if len(args) > 0 {
			return unknownCommand(args[0], commands)
		}
		return usageError("see cardwright "+name+" --help", "%s needs a subcommand: %s", name,
			strings.Join(commandNames(commands), ", "))
	})
	c.Subcommands = commands
	return c
}
