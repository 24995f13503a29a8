package cli

import (
	"cmp"
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
	var o convert.Options
	var to, output string
	var set []string
	return page("convert", []ucli.Flag{
		choiceFlag(&to, "to", "version", "write `VERSION` of A2A: "+diag.Enumerate(schema.Protocols(), "or"),
			schema.Protocols()),
		textFlag(&output, "o", "write to `FILE`, not to stdout"),
		listFlag(&set, "set", "set a member of the card, `KEY=VALUE` (repeatable)"),
		boolFlag(&o.Strict, "strict", "refuse every value that would be assumed"),
		boolFlag(&o.DropUnknown, "drop-unknown", "leave out members that no version of A2A defines"),
	}, func(_ context.Context, args []string) (err error) {
		switch {
		case len(args) != 1:
			return needsOne("card", "convert", len(args), "cardwright convert agent.json --to 1.0")
		case to == "":
			return usageError("--to 1.0, --to 0.3 or --to dual", "convert needs --to")
		}
		o.To, _ = schema.ParseProtocol(to)
		if o.Set, err = convert.ParseSet(set); err != nil {
			return err
		}
		return runConvert(a, o, output, args[0])
	})
}

func runConvert(a *app, o convert.Options, output, name string) error {
	out, err := a.begin(name)
	if err != nil {
		return err
	}
	card, err := a.reader(out.run.Workspace).Read(name)
	if err != nil {
		return err
	}
	node, found := project.ConvertCard(card.Path(), card.Data, o)
	out.run.Add(found)
	err = out.report() // while the card is as the findings show it
	switch {
	case err != nil || node == nil:
		return cmp.Or(err, out.exit())
	case output == "":
		return writeCard(a, schema.Write(node))
	}
	if err := out.run.Workspace.Write("the card", output, schema.Write(node)); err != nil {
		return err
	}
	out.print(fmt.Sprintf("%s: A2A %s, %s", filepath.ToSlash(output), o.To.Text(),
		diag.Count(len(node.Get("skills").Items), "skill")))
	return nil
}

// writeCard prints a card.
func writeCard(a *app, text []byte) error {
	if _, err := a.Out.Write(project.Inert(text)); err != nil {
		return fmt.Errorf("writing the card: %w", err)
	}
	return nil
}
