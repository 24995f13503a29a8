package cli

import (
	"context"
	"embed"
	"path"
	"strings"

	ucli "github.com/urfave/cli/v2"

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
		"{protocols}", strings.Join(schema.Protocols(), "|"),
		"{shells}", strings.Join(shellNames(), "|")).Replace(text)
}

// page is a command with its help text, its flags and what it does.
func page(name string, flags []ucli.Flag, do func(ctx context.Context, args []string) error) *ucli.Command {
	text, _ := texts.ReadFile("help/" + strings.ReplaceAll(name, " ", "-") + ".txt")
	usage, rest, _ := strings.Cut(string(text), "\n")
	called, description, _ := strings.Cut(rest, "\n\n")
	return &ucli.Command{
		Name: path.Base(strings.ReplaceAll(name, " ", "/")), Usage: usage, UsageText: filled(called),
		Description: filled(strings.TrimSuffix(description, "\n")), Flags: flags,
		Action: func(c *ucli.Context) error { return do(c.Context, c.Args().Slice()) },
	}
}

// group is a command that has nothing but subcommands.
func group(name string, commands ...*ucli.Command) *ucli.Command {
	c := page(name, nil, nil)
	c.Subcommands = commands
	return c
}
