package cli

import (
	"context"
	"errors"

	ucli "github.com/urfave/cli/v2"
)

// fetch fetches nothing: in a browser, the program asks no one.
func fetch(context.Context, string) ([]byte, error) {
	return nil, errors.New("there is no network here")
}

// offline is a command that asks others, which the program does not do in a browser.
func offline(name string) *ucli.Command {
	return page(name, nil, func(context.Context, []string) error {
		return usageError("install cardwright", "%s needs a network, and there is none here", name)
	})
}

func serveCommand(*app) *ucli.Command { return offline("serve") }
func probeCommand(*app) *ucli.Command { return offline("probe") }
