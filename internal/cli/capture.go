//go:build !js

package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/cardfile"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/probe"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) captureCommand() *ucli.Command {
	var o captureOptions
	o.options = defaults()
	return page("capture", []ucli.Flag{
		textFlag(&o.output, "output", "write to `FILE`, or compare with it; without it the card goes to stdout", "o"),
		textFlag(&o.as, "as", "write to captured/`ID`.json"),
		boolFlag(&o.compare, "check", "write nothing, exit 1 when the card of the agent differs from FILE"),
		boolFlag(&o.asked.Extended, "extended", "capture the card for authenticated clients"),
		listFlag(&o.headers, "header", "send `HEADER`, written NAME: env:VARIABLE (repeatable)"),
		choiceFlag(&o.Format, "format", "format", "print differences and findings as `FORMAT`: "+
			strings.Join(report.ComparisonFormats(), ", "), report.ComparisonFormats()),
		listFlag(&o.report, "report", "write differences and findings to a file too, `FORMAT=FILE`: "+
			strings.Join(report.FileFormats(), ", ")+" (repeatable)"),
		timeoutFlag(&o.asked.Timeout),
	}, func(ctx context.Context, args []string) error { return a.capture(ctx, &o, args) })
}

// captureOptions are the flags of capture.
type captureOptions struct {
	options
	asked      probe.CaptureOptions
	output, as string
	compare    bool
	headers    []string
}

func (o *captureOptions) finish(args []string) error {
	switch {
	case len(args) != 1:
		return usageError("cardwright capture http://localhost:8080 -o cards/billing.json",
			"capture needs the URL of an agent, or - for a card on stdin")
	case args[0] == "-" && o.asked.Extended:
		return usageError("pipe the extended card instead", "--extended needs the URL of an agent")
	case o.as != "" && schema.Slug(o.as) != o.as:
		return usageError("an id has lower-case letters, digits and hyphens", "--as %s is not the id of an agent",
			diag.Quote(o.as))
	case o.as != "" && o.output != "":
		return usageError("", "--as and --output cannot be used together")
	case o.asked.Extended && len(o.headers) == 0:
		return usageError("--header 'Authorization: Bearer env:TOKEN'",
			"the extended card is for authenticated clients: --extended needs --header")
	case !o.asked.Extended && len(o.headers) > 0:
		return usageError("--extended fetches the card for authenticated clients",
			"--header is only for --extended: the card itself is public")
	}
	if err := checkTimeout(o.asked.Timeout); err != nil {
		return err
	}
	if o.as != "" {
		o.output = filepath.Join("captured", o.as+".json")
	}
	if o.compare && o.output == "" {
		return usageError("-o cards/billing.json, or --as billing", "--check needs the file to compare with")
	}
	return o.parse()
}

func (a *app) capture(ctx context.Context, o *captureOptions, args []string) error {
	if err := o.finish(args); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	o.asked.URL, o.asked.NewID = args[0], newUUID
	if o.asked.Headers, err = credentials(o.headers, os.LookupEnv); err != nil {
		return err
	}
	if args[0] == "-" {
		file, err := a.reader(p, source.Limits{}).Read("-")
		if err != nil {
			return err
		}
		if o.asked.Given, err = file.Promise(); err != nil {
			return err
		}
	}
	card, err := probe.Capture(ctx, o.asked)
	if err != nil {
		return err
	}
	run := a.outcome(&o.options, p, o.output)
	run.Found = card.Found
	if o.compare {
		return a.compare(run, o.output, card)
	}
	if o.output == "" {
		return a.printCard(run, card.Node)
	}
	if err := run.report(); err != nil {
		return err
	}
	changed, err := p.Write("the card", o.output, cardfile.Inert(schema.Write(card.Node)), false)
	if err == nil {
		state := "unchanged"
		if changed {
			state = "written"
		}
		run.tell(fmt.Sprintf("%s: %s, %s, %s", filepath.ToSlash(o.output), card.Form,
			diag.Count(card.Skills, "skill"), state))
	}
	return err
}

// compare compares the file with what is served now.
func (a *app) compare(run *outcome, name string, card *probe.Captured) error {
	file, err := a.reader(run.Space, source.Limits{}).Read(name)
	if err != nil {
		return err
	}
	old, err := file.Promise()
	if err != nil {
		return err
	}
	d := report.Comparison{
		Threshold: diff.Cosmetic, Place: project.Readings{}.Place, Agents: card.Differences(old),
	}
	if err := run.printDifference(&d); err != nil {
		return err
	}
	if diff.Worst(d.Changes()) == diff.None {
		run.tell(filepath.ToSlash(name) + ": the agent serves this card")
		return nil
	}
	if run.Format == "text" {
		a.talk(filepath.ToSlash(name) +
			" is not what the agent serves; run cardwright capture without --check and commit the file")
	}
	run.Differs = true
	return run.exit()
}
