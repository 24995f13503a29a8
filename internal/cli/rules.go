package cli

import (
	"context"

	"cardwright/internal/report"

	ucli "github.com/urfave/cli/v2"
)

func (a *app) rulesCommand() *ucli.Command {
	format := "text"
	return page("rules", []ucli.Flag{
		choiceFlag(&format, "format", "format", "list the rules as `FORMAT`: text, json", []string{"text", "json"}),
	}, func(_ context.Context, args []string) error {
		switch {
		case len(args) > 0 && format == "json":
			return usageError("cardwright rules --format json", "--format json lists all rules, so it takes no ID")
		case len(args) == 0 && format == "json":
			return report.RulesJSON(a.Out)
		case len(args) == 0:
			return report.Rules(a.Out)
		case len(args) == 1:
			return report.Explain(a.Out, args[0])
		}
		return usageError("", "rules takes one ID at most")
	})
}
