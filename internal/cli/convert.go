package cli

import (
	"context"
	"fmt"
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/schema"
)

func convertCommand(a *app) *ucli.Command {
	var o convertOptions
	return page("convert", []ucli.Flag{
		choiceFlag(&o.to, "to", "version", "write `VERSION` of A2A: "+diag.Enumerate(schema.Protocols(), "or"), schema.Protocols()),
		textFlag(&o.output, "o", "write to `FILE`, not to stdout"),
		listFlag(&o.set, "set", "set a member of the card, `KEY=VALUE` (repeatable)"),
		boolFlag(&o.conversion.Strict, "strict", "refuse every value that would be assumed"),
		boolFlag(&o.conversion.DropUnknown, "drop-unknown", "leave out members that no version of A2A defines"),
	}, func(_ context.Context, args []string) error { return runConvert(a, &o, args) })
}

// convertOptions are the flags of convert.
type convertOptions struct {
	conversion convert.Options
	to         string
	output     string
	set        []string
}

// finish checks the flags and reads those with a form of their own.
func (o *convertOptions) finish(names []string) (err error) {
	if len(names) != 1 {
		return needsOne("card", "convert", len(names), "cardwright convert agent.json --to 1.0")
	}
	if o.to == "" {
		return usageError("--to 1.0, --to 0.3 or --to dual", "convert needs --to")
	}
	o.conversion.To, _ = schema.ParseProtocol(o.to)
	o.conversion.Set, err = convert.ParseSet(o.set)
	return err
}

func runConvert(a *app, o *convertOptions, names []string) error {
	if err := o.finish(names); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	reporting := defaults()
	out := a.outcome(&reporting, p, names...)
	card, err := a.reader(p).Read(names[0])
	if err != nil {
		return err
	}
	node, found := project.ConvertCard(card.Path(), card.Data, o.conversion)
	out.run.Add(found)
	if err := out.report(); err != nil { // while the card is as the findings show it
		return err
	}
	if node == nil {
		return out.exit()
	}
	if o.output == "" {
		if _, err := a.Out.Write(project.Inert(schema.Write(node))); err != nil {
			return fmt.Errorf("writing the card: %w", err)
		}
		return nil
	}
	if err := p.Write("the card", o.output, schema.Write(node)); err != nil {
		return err
	}
	out.tell(fmt.Sprintf("%s: A2A %s, %s", filepath.ToSlash(o.output), o.conversion.To.Text(),
		diag.Count(len(node.Get("skills").Items), "skill")))
	return nil
}
