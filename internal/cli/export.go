package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/paths"
	"cardwright/internal/registry"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

func (a *app) exportCommand() *ucli.Command {
	var o exportOptions
	return &ucli.Command{
		Name:      "export",
		Usage:     "print what registers the agents in a registry",
		UsageText: "cardwright export TARGET [flags]",
		Description: `Makes the cards of the project, as generate does, and prints for each agent what the
registry takes: the body of a request, a command line or an entity. Nothing is
written, and nothing is sent.

` + targetList() + `
Examples:
  cardwright export backstage > catalog-info.yaml
  cardwright export aws --agent billing > record.json
  cardwright export google --base-url https://agents.acme.example`,
		Flags: o.flags(),
		Action: func(c *ucli.Context) error {
			o.finish(c)
			if len(o.dirs) != 1 {
				return usageError("cardwright export "+registry.Names()[0]+"; registries: "+strings.Join(registry.Names(), ", "),
					"export needs one registry, not %d", len(o.dirs))
			}
			o.target, o.dirs = o.dirs[0], nil
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
	run, err := a.build(ctx, &o.projectOptions, func(run *built, r *generate.Request) error {
		out, found := run.project.OpenOutput(run.config)
		run.Found = found
		r.Keys = keysOf(run.project).Signing(true)
		r.Published = run.space.OnDisk(out, nil)
		run.config.Targets = []string{o.target}
		run.outputs.public = out
		return nil
	})
	if err != nil {
		return err
	}
	defer run.project.Close()
	if run.failed() {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil {
		return err
	}
	for _, c := range registered(run) {
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

// registered are the public cards of a run.
func registered(run *built) []registry.Card {
	files := map[string]tree.File{}
	for _, f := range run.result.Public {
		files[f.Path] = f
	}
	var cards []registry.Card
	for _, c := range run.result.Cards {
		f, ok := files[c.Path]
		if c.Extended || !ok || !strings.HasSuffix(c.Path, "/agent-card.json") {
			continue
		}
		card := discovery.ReadCard(f.Data)
		root, found := source.ParseJSON(c.Path, f.Data, source.Limits{Card: len(f.Data) + 1})
		if card == nil || found.Worst() == diag.Error {
			continue // which no card is that was just made
		}
		r := registry.Card{Agent: c.Agent, Owner: c.Owner, Data: f.Data, Root: root, Card: card, URL: f.URL, File: c.Path}
		if run.outputs.public != nil {
			r.File = paths.Join(run.outputs.public.Name, c.Path)
		}
		older := strings.TrimSuffix(c.Path, "agent-card.json") + "agent.json"
		if slices.ContainsFunc(run.result.Cards, func(o generate.Card) bool { return o.Path == older }) {
			r.Older = files[older].Data
		}
		cards = append(cards, r)
	}
	return cards
}
