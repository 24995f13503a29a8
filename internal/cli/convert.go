package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/nearest"
	"cardwright/internal/project"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
	"cardwright/schema"
)

func (a *app) convertCommand() *ucli.Command {
	var o convertOptions
	return &ucli.Command{
		Name:      "convert",
		Usage:     "convert any card to a clean card of A2A 1.0 or 0.3",
		UsageText: "cardwright convert CARD --to 1.0|0.3|dual [flags]",
		Description: `Reads a card of any version or dialect, and writes a valid card of the version
that --to names to stdout. Reports everything that it repaired, assumed or left
out. CARD is a file, or - for stdin. When a member is missing, nothing is written;
--set supplies it.

Examples:
  cardwright convert agent.json --to 1.0 -o agent-card.json
  cardwright convert agent.json --to dual -o public/.well-known/
  cardwright convert agent.json --to 1.0 --set version=1.4.0 --set url=https://agents.acme.example/a2a
  curl -s https://agents.acme.example/.well-known/agent.json | cardwright convert - --to 1.0`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "to", Usage: "write `VERSION` of A2A: " + project.ProtocolNames(), Destination: &o.to},
			&ucli.StringFlag{
				Name: "output", Aliases: []string{"o"},
				Usage: "write to `FILE`, or into a directory as agent-card.json with its sidecars", Destination: &o.output,
			},
			&ucli.BoolFlag{Name: "in-place", Usage: "write the card back to where it came from", Destination: &o.inPlace},
			&ucli.StringSliceFlag{Name: "set", Usage: "supply a member, `KEY=VALUE`: " + strings.Join(schema.Settable(), ", ") +
				", or skills, as JSON or the file that holds it (repeatable)"},
			&ucli.StringFlag{
				Name: "agent", Usage: "from a list of agents, take the one of this `NAME` or id",
				Destination: &o.read.Agent,
			},
			&ucli.BoolFlag{
				Name: "drop-unknown", Usage: "leave out members that no version of A2A defines",
				Destination: &o.read.DropUnknown,
			},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a limit, `NAME=N`: card, nesting (repeatable)"},
		),
		Action: func(c *ucli.Context) error {
			return a.convert(c.Context, &o, c.Args().Slice(), c.StringSlice("set"), c.StringSlice("limit"))
		},
	}
}

// convertOptions are the flags of convert.
type convertOptions struct {
	findingOptions
	to      string
	output  string
	inPlace bool
	read    dialect.ReadOptions
	limits  source.Limits
}

// finish checks the flags and reads those with a form of their own.
func (o *convertOptions) finish(names, set, limits []string) (err error) {
	if err = o.check(); err != nil {
		return err
	}
	switch {
	case len(names) != 1:
		return usageError("cardwright convert agent.json --to 1.0", "convert takes one card, not %d", len(names))
	case o.to == "":
		return usageError("--to 1.0, --to 0.3 or --to dual", "convert needs --to")
	case !slices.Contains(schema.Protocols(), o.to):
		return usageError("use "+project.ProtocolNames(), "unknown version %s", diag.Quote(o.to))
	case o.inPlace && o.output != "":
		return usageError("", "--in-place and --output exclude each other")
	case o.inPlace && names[0] == "-":
		return usageError("use --output FILE", "--in-place needs a file, and stdin is not one")
	case o.output == "" && !o.inPlace && o.format != "text" && o.format != "json":
		return usageError("--output FILE for the card, or --report "+o.format+"=FILE for the findings",
			"the card and the findings as %s cannot both go to stdout", o.format)
	}
	if o.limits, err = project.ParseLimits(limits); err != nil {
		return err
	}
	o.read.Set, err = parseSet(set)
	return err
}

// parseSet reads --set KEY=VALUE.
func parseSet(assignments []string) (map[string]string, error) {
	set := map[string]string{}
	for _, s := range assignments {
		key, value, _ := strings.Cut(s, "=")
		if !slices.Contains(dialect.Settable(), key) {
			hint := nearest.Hint(key, dialect.Settable(), "one of "+strings.Join(dialect.Settable(), ", "))
			return nil, usageError(hint, "unknown key %s for --set", diag.Quote(key))
		}
		if value == "" {
			return nil, usageError("", "--set %s needs a value", key)
		}
		set[key] = value
	}
	return set, nil
}

func (a *app) convert(ctx context.Context, o *convertOptions, names, set, limits []string) error {
	if err := o.finish(names, set, limits); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	run := &outcome{options: &o.findingOptions, space: p, given: names}
	reader := a.reader(run.space, o.limits)
	card, err := reader.Read(names[0])
	if err != nil {
		return err
	}
	version, _ := schema.ParseProtocol(o.to)
	given, err := o.skills(reader)
	if err != nil {
		return err
	}
	node, found := reader.Convert(card, version, o.read)
	run.Found = o.apply(slices.Concat(given, found))
	if node == nil || run.failed() {
		return a.endFindings(run)
	}
	if o.output == "" && !o.inPlace {
		return a.printCard(run, node)
	}
	return a.writeCard(ctx, run, o, card, node)
}

// skills reads what --set skills gives: JSON, or a file that holds it.
func (o *convertOptions) skills(reader cardfile.Reader) (diag.List, error) {
	given, ok := o.read.Set["skills"]
	if !ok {
		return nil, nil
	}
	delete(o.read.Set, "skills")
	name, text := "--set skills", []byte(given)
	if !strings.HasPrefix(given, "[") && !strings.HasPrefix(given, "{") {
		file, err := reader.Read(given)
		if err != nil {
			return nil, err
		}
		name, text = file.Path(), file.Data
	}
	root, found := source.ParseJSON(name, text, o.limits)
	o.read.Skills = root
	return found, nil
}

// printCard prints the card on standard output, where JSON holds it.
func (a *app) printCard(run *outcome, node *source.Node) error {
	if run.options.format == "json" {
		return a.printFindings(run, source.Member{Key: "card", Value: node})
	}
	if err := a.printFindings(run); err != nil {
		return err
	}
	if _, err := a.Out.Write(cardfile.Inert(schema.Write(node))); err != nil {
		return fmt.Errorf("writing the card: %w", err)
	}
	return nil
}

// writeCard writes the card to the file that was asked for. In an output tree,
// sidecars, copies and the manifest follow.
func (a *app) writeCard(ctx context.Context, run *outcome, o *convertOptions, card cardfile.File,
	node *source.Node,
) error {
	name, sidecars := o.target(run.space, card)
	text := schema.Write(node)
	trees, loose, found, err := a.sortOut(run.space, []cardfile.Rewritten{{File: cardfile.File{Name: name}, Text: text}})
	if err != nil {
		return err
	}
	run.Found = append(run.Found, found...).Sorted()
	if run.failed() {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil { // while the card is as the findings show it
		return err
	}
	if len(loose) == 0 {
		err = a.rewrite(ctx, run.space, trees, nil)
	} else {
		_, err = run.space.Write("the card", name, text, sidecars)
	}
	if err == nil && o.format == "text" && !a.quiet {
		p, _ := schema.ParseProtocol(o.to)
		a.print(fmt.Sprintf("%s: A2A %s, %s", filepath.ToSlash(name), p.Text(),
			diag.Count(len(node.Get("skills").Items), "skill")))
	}
	return err
}

// target is the file that the card goes to, and whether sidecars go with it: in
// a directory it is published.
func (o *convertOptions) target(p *workspace.Space, card cardfile.File) (name string, sidecars bool) {
	if o.inPlace {
		return card.Name, false
	}
	if _, err := p.Folder(o.output); err == nil || strings.HasSuffix(filepath.ToSlash(o.output), "/") {
		return filepath.Join(o.output, "agent-card.json"), true
	}
	return o.output, false
}
