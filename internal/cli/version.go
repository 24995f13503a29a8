package cli

import (
	"context"
	"fmt"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/buildinfo"
	"cardwright/schema"
)

func (a *app) versionCommand() *ucli.Command {
	format := "text"
	return page("version", []ucli.Flag{
		textFlag(&format, "format", "print as `FORMAT`: text, json"),
	}, func(_ context.Context, args []string) error {
		switch {
		case len(args) > 0:
			return usageError("", "version takes no arguments")
		case format == "text":
			_, err := fmt.Fprintln(a.Out, buildinfo.Read(a.linked))
			return err
		case format != "json":
			return unknown("format", format, "use ", []string{"text", "json"})
		}
		_, err := a.Out.Write(schema.Write(buildinfo.Read(a.linked).Node()))
		return err
	})
}
