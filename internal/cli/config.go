package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/report"
	"cardwright/internal/source"
)

func (a *app) configCommand() *ucli.Command {
	o := configOptions{options: defaults(), printed: "yaml"}
	return page("config", []ucli.Flag{
		agentFlag(&o.Agents),
		choiceFlag(&o.printed, "format", "format", "print as `FORMAT`: yaml (default), json", []string{"yaml", "json"}),
		boolFlag(&o.origins, "origins", "add the file and line of each value"),
		environmentFlag(&o.Environment),
		baseURLFlag(&o.BaseURL),
		setFlag(&o.Set),
		allowEnvFlag(&o.AllowEnv),
	}, func(_ context.Context, args []string) error {
		if len(args) > 0 {
			return usageError("", "config takes no arguments")
		}
		return a.config(&o)
	})
}

// configOptions are the flags of config.
type configOptions struct {
	options
	origins bool
	printed string // yaml or json
}

func (a *app) config(o *configOptions) error {
	if o.printed == "json" && o.origins {
		return usageError("leave one of them out", "--origins prints comments, but JSON has none")
	}
	run, err := a.configured(&o.options)
	if err != nil {
		return err
	}
	defer run.Close()
	if run.Failed() {
		return run.end()
	}
	var remark func(*source.Node) string
	if o.origins {
		remark = func(n *source.Node) string { return report.Escape(n.Span.String()) }
	}
	printed := run.Config.Effective(run.Agents)
	if len(o.Agents) == 1 && o.Agents[0] == run.Agents[0] { // and not a pattern
		printed = printed.Get("agents").Items[0]
	}
	if o.printed == "json" {
		return report.Document(a.Out, printed)
	}
	return report.YAML(a.Out, printed, remark)
}
