package cli

import (
	"context"
	"fmt"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/output"
	"cardwright/internal/project"
	"cardwright/internal/registry"
)

func (a *app) exportCommand() *ucli.Command {
	var o exportOptions
	return &ucli.Command{
		Name:      "export",
		Usage:     "print what a registry needs to register the agents",
		UsageText: "cardwright export TARGET [flags]",
		Description: `Generates the cards in memory, and prints for each agent what the registry needs: the
body of a request, a command line or an entity. Nothing is
written, and nothing is sent.

` + targetList() + `
Examples:
  cardwright export backstage > catalog-info.yaml
  cardwright export aws --agent billing > record.json
  cardwright export google --base-url https://agents.acme.example`,
		Flags: o.flags(),
		Action: func(c *ucli.Context) error {
			o.Sources = c.Args().Slice()
			if len(o.Sources) != 1 {
				return needsOne("registry", "export", len(o.Sources),
					"cardwright export "+registry.Names()[0]+"; registries: "+strings.Join(registry.Names(), ", "))
			}
			o.target, o.Sources = o.Sources[0], nil
			return a.export(c.Context, &o)
		},
	}
}

// targetList says of each registry what is printed for it.
func targetList() string {
	var b strings.Builder
	for _, t := range registry.Targets() {
		fmt.Fprintf(&b, "  %-13s %s\n", t.Name, t.Title)
	}
	return b.String()
}

// exportOptions are the flags of export.
type exportOptions struct {
	projectOptions
	target string
}

func (a *app) export(ctx context.Context, o *exportOptions) error {
	targets, err := knownTargets([]string{o.target})
	if err != nil {
		return err
	}
	if o.format != "text" {
		return usageError("", "export prints what the registry takes; --report FORMAT=FILE writes the findings to a file")
	}
	run, err := a.build(ctx, &o.projectOptions, func(run *project.Run) error {
		run.Dirs.Public, run.Found = run.OpenOutput(run.Config)
		run.Request.Keys = keysOf(run.Project).Signing(true)
		run.Request.Published = run.OnDisk(run.Dirs.Public, nil)
		run.Config.Targets = []string{o.target}
		return nil
	})
	if err != nil {
		return err
	}
	defer run.Close()
	if run.Failed() {
		return a.endFindings(o.outcome(run))
	}
	if err := a.printFindings(o.outcome(run)); err != nil {
		return err
	}
	for _, c := range output.Registered(run) {
		data, err := targets[0].Export(c)
		if err != nil {
			return fmt.Errorf("exporting agent %q: %w", c.Agent, err)
		}
		if _, err := a.Out.Write(data); err != nil {
			return fmt.Errorf("printing: %w", err)
		}
	}
	return nil
}
