package cli

import (
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
)

func (a *app) configCommand() *ucli.Command {
	var o configOptions
	return &ucli.Command{
		Name:      "config",
		Usage:     "print the configuration with everything applied",
		UsageText: "cardwright config [flags]",
		Description: `Prints what a run goes by, as YAML: the configuration with the files that it
includes and extends, with variables replaced, and with the environment, the
defaults and the flags applied to every agent.

Examples:
  cardwright config
  cardwright config --agent review --origins
  cardwright config --env staging --agent review
  cardwright config --format json | jq -r '.agents[].id'`,
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "agent", Usage: "only what concerns the agent with this `ID`", Destination: &o.agent},
			&ucli.StringFlag{
				Name: "format", Usage: "print as `FORMAT`: yaml (default), json", Value: "yaml",
				Destination: &o.printed,
			},
			&ucli.BoolFlag{
				Name: "origins", Usage: "print behind each value the place that it comes from",
				Destination: &o.origins,
			},
			&ucli.StringFlag{Name: "env", Usage: "apply the overrides of environment `NAME`", Destination: &o.Environment},
			&ucli.StringFlag{Name: "base-url", Usage: "`URL` where the output directory is served", Destination: &o.BaseURL},
			&ucli.StringSliceFlag{Name: "set", Usage: "set a card field, `KEY=VALUE`, such as version=1.4.0 (repeatable)"},
			allowEnvFlag(),
		},
		Action: func(c *ucli.Context) error {
			if c.Args().Present() {
				return usageError("", "config takes no arguments")
			}
			o.Set, o.AllowEnv = c.StringSlice("set"), c.StringSlice("allow-env")
			return a.config(&o)
		},
	}
}

// configOptions are the flags of config.
type configOptions struct {
	projectOptions
	agent   string
	origins bool
	printed string // yaml or json
}

func (a *app) config(o *configOptions) error {
	switch {
	case !slices.Contains([]string{"yaml", "json"}, o.printed):
		return unknown("format", o.printed, "use ", []string{"yaml", "json"})
	case o.printed == "json" && o.origins:
		return usageError("leave one of them out", "--origins prints comments, and JSON has none")
	}
	if o.agent != "" {
		o.Agents = []string{o.agent}
	}
	run, err := a.configured(&o.projectOptions)
	if err != nil {
		return err
	}
	defer run.space.Close()
	if run.failed() {
		return a.endFindings(run)
	}
	if err := project.KnownAgents(run.config, o.Agents); err != nil {
		return err
	}
	var remark func(*source.Node) string
	if o.origins {
		remark = func(n *source.Node) string { return report.Escape(n.Span.String()) }
	}
	if o.printed == "json" {
		return report.Document(a.Out, run.config.Effective(o.agent))
	}
	return report.YAML(a.Out, run.config.Effective(o.agent), remark)
}
