package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/report"
)

func rulesCommand(a *app) *ucli.Command {
	return page("rules", nil, func(_ context.Context, args []string) error {
		switch len(args) {
		case 0:
			return report.Rules(a.Out)
		case 1:
			return report.Explain(a.Out, args[0])
		}
		return usageError("", "rules takes one ID at most")
	})
}
