package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"
)

// offline is a command that asks others, which the program does not do in a browser.
func offline(name string) *ucli.Command {
	return page(name, nil, func(context.Context, []string) error {
		return usageError("install cardwright", "%s needs a network, and there is none here", name)
	})
}

func (a *app) serveCommand() *ucli.Command { return offline("serve") }
func (a *app) probeCommand() *ucli.Command { return offline("probe") }
