package cli

import (
	"fmt"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/buildinfo"
	"cardwright/schema"
)

func (a *app) versionCommand() *ucli.Command {
	format := "text"
	return &ucli.Command{
		Name:      "version",
		Usage:     "print version, commit and Go version",
		UsageText: "cardwright version [--format text|json]",
		Description: `Prints the same as --version. Scripts can read it as JSON.

Example:
  cardwright version --format json`,
		Flags: []ucli.Flag{
			textFlag(&format, "format", "print as `FORMAT`: text, json"),
		},
		Action: func(c *ucli.Context) error {
			switch {
			case c.NArg() > 0:
				return usageError("", "version takes no arguments")
			case format == "text":
				_, err := fmt.Fprintln(a.Out, buildinfo.Read(a.version))
				return err
			case format != "json":
				return unknown("format", format, "use ", []string{"text", "json"})
			}
			_, err := a.Out.Write(schema.Write(buildinfo.Read(a.version).Node()))
			return err
		},
	}
}
