package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) convertCommand() *ucli.Command {
	var o convertOptions
	o.repairs = true
	return page("convert", append(o.flags(),
		choiceFlag(&o.to, "to", "version", "write `VERSION` of A2A: "+project.ProtocolNames(), schema.Protocols()),
		textFlag(&o.output, "output", "write to `FILE`, or into a directory as agent-card.json with its sidecars", "o"),
		boolFlag(&o.inPlace, "in-place", "write the card back to its file"),
		listFlag(&o.set, "set", "set a member, `KEY=VALUE`: "+strings.Join(schema.Settable(), ", ")+
			", or skills, as JSON or a file with JSON (repeatable)"),
		textFlag(&o.read.Agent, "agent", "in a list of agents, choose the one with this `NAME` or id"),
		wordsFlag(&o.compat, "compat", "work around the fault `WHAT` of clients, as compat in the configuration: "+
			schema.CompatA2AGo430+" leaves securityRequirements out of a dual card"),
		boolFlag(&o.read.DropUnknown, "drop-unknown", "leave out members that no version of A2A defines"),
		cardLimitFlag(&o.limits),
	), func(ctx context.Context, args []string) error { return a.convert(ctx, &o, args) })
}

// convertOptions are the flags of convert.
type convertOptions struct {
	options
	to      string
	output  string
	inPlace bool
	set     []string
	compat  []string
	read    convert.ReadOptions
}

// finish checks the flags and reads those with a form of their own.
func (o *convertOptions) finish(names []string) (err error) {
	if err = o.check(); err != nil {
		return err
	}
	switch {
	case len(names) != 1:
		return needsOne("card", "convert", len(names), "cardwright convert agent.json --to 1.0")
	case o.to == "":
		return usageError("--to 1.0, --to 0.3 or --to dual", "convert needs --to")
	case o.inPlace && o.output != "":
		return usageError("", "--in-place and --output cannot be used together")
	case o.inPlace && names[0] == "-":
		return usageError("use --output FILE", "--in-place needs a file, but stdin is not one")
	case o.output == "" && !o.inPlace && o.Format != "text" && o.Format != "json":
		return usageError("--output FILE for the card, or --report "+o.Format+"=FILE for the findings",
			"the card and the findings as %s cannot both go to stdout", o.Format)
	}
	for _, what := range o.compat {
		if what != schema.CompatA2AGo430 {
			return usageError("--compat "+schema.CompatA2AGo430, "unknown value %s for --compat", diag.Quote(what))
		}
	}
	o.read.Set, err = cardfile.ParseSet(o.set)
	return err
}

func (a *app) convert(ctx context.Context, o *convertOptions, names []string) error {
	if err := o.finish(names); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	run := a.outcome(&o.options, p, names...)
	reader := a.reader(p, o.Limits)
	card, err := reader.Read(names[0])
	if err != nil {
		return err
	}
	given, err := reader.GivenSkills(&o.read)
	if err != nil {
		return err
	}
	version, _ := schema.ParseProtocol(o.to)
	node, found := reader.Convert(card, version, o.read,
		schema.WireOptions{OmitRequirements: slices.Contains(o.compat, schema.CompatA2AGo430)})
	run.Add(slices.Concat(given, found))
	if node == nil || run.Failed() {
		return run.end()
	}
	if o.output == "" && !o.inPlace {
		return a.printCard(run, node)
	}
	name, sidecars := card.Name, false
	if !o.inPlace {
		name, sidecars = reader.Target(o.output)
	}
	changes, found, err := reader.Sort(cardfile.Rewritten{Input: cardfile.Input{Name: name}, Text: schema.Write(node)})
	if err != nil {
		return err
	}
	run.Note(found)
	if run.Failed() {
		return run.end()
	}
	if err := run.report(); err != nil { // while the card is as the findings show it
		return err
	}
	err = changes.Write(ctx, a.Out, sidecars)
	if err == nil {
		run.tell(fmt.Sprintf("%s: A2A %s, %s", filepath.ToSlash(name), version.Text(),
			diag.Count(len(node.Get("skills").Items), "skill")))
	}
	return err
}

// printCard prints the card on standard output, where JSON holds it.
func (a *app) printCard(run *outcome, node *source.Node) error {
	if run.Format == "json" {
		return run.report(source.Member{Key: "card", Value: node})
	}
	if err := run.report(); err != nil {
		return err
	}
	if _, err := a.Out.Write(cardfile.Inert(schema.Write(node))); err != nil {
		return fmt.Errorf("writing the card: %w", err)
	}
	return nil
}
