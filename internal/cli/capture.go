package cli

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/capture"
	"cardwright/internal/cardfile"
	"cardwright/internal/client"
	"cardwright/internal/contract"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/diff"
	"cardwright/internal/edition"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) captureCommand() *ucli.Command {
	var o captureOptions
	o.format = "text"
	return &ucli.Command{
		Name:      "capture",
		Usage:     "write the card that a running agent serves as a source file",
		UsageText: "cardwright capture URL [flags]",
		Description: `Fetches the card of a running agent, in any dialect, and writes it as a clean
file that can be committed: sorted, without signatures, and with ${baseUrl} for
the agent's own host. The file is a source of type card; generate adds what code
cannot know, and stays offline.

With --check it compares what the agent serves now with the file, by meaning,
and exits 1 when they differ.

Examples:
  cardwright capture http://localhost:8080 -o cards/billing.json
  cardwright capture http://localhost:8080 -o cards/billing.json --check
  cardwright capture http://localhost:8080 --as billing --extended --header 'Authorization: env:TOKEN'`,
		Flags: []ucli.Flag{
			textFlag(&o.output, "output", "write to `FILE`, or compare with it; without it the card goes to stdout", "o"),
			textFlag(&o.as, "as", "write to captured/`ID`.json"),
			boolFlag(&o.compare, "check", "write nothing, exit 1 when the card of the agent differs from FILE"),
			boolFlag(&o.extended, "extended", "capture the card for authenticated clients"),
			listFlag(&o.headers, "header", "send `HEADER`, written NAME: env:VARIABLE (repeatable)"),
			textFlag(&o.format, "format", "print differences and findings as `FORMAT`: "+
				strings.Join(report.ComparisonFormats(), ", ")),
			listFlag(&o.report, "report", "write them to a file too, `FORMAT=FILE`: "+
				strings.Join(report.FileFormats(), ", ")+" (repeatable)"),
			&ucli.DurationFlag{
				Name: "timeout", Usage: "wait this `TIME` for an answer (default 10s)", Value: 10 * time.Second,
				Destination: &o.timeout,
			},
		},
		Action: func(c *ucli.Context) error {
			return a.capture(c.Context, &o, c.Args().Slice())
		},
	}
}

// captureOptions are the flags of capture.
type captureOptions struct {
	findingOptions
	output, as        string
	compare, extended bool
	headers           []string
	timeout           time.Duration
}

func (o *captureOptions) finish(args []string) error {
	o.failOn = "error"
	switch {
	case len(args) != 1:
		return usageError("cardwright capture http://localhost:8080 -o cards/billing.json",
			"capture needs the URL of an agent")
	case !slices.Contains(report.ComparisonFormats(), o.format):
		return unknown("format", o.format, "use ", report.ComparisonFormats())
	case o.as != "" && schema.Slug(o.as) != o.as:
		return usageError("an id has lower-case letters, digits and hyphens", "--as %s is not the id of an agent",
			diag.Quote(o.as))
	case o.as != "" && o.output != "":
		return usageError("", "--as and --output exclude each other")
	case o.extended && len(o.headers) == 0:
		return usageError("--header 'Authorization: Bearer env:TOKEN'",
			"the extended card is for authenticated clients: --extended needs --header")
	case !o.extended && len(o.headers) > 0:
		return usageError("--extended fetches the card for authenticated clients",
			"--header is only for --extended: the card itself is public")
	case o.timeout < time.Millisecond || o.timeout > 10*time.Minute:
		return usageError("for example --timeout 30s", "--timeout must be between 1ms and 10m")
	}
	if o.as != "" {
		o.output = filepath.Join("captured", o.as+".json")
	}
	if o.compare && o.output == "" {
		return usageError("-o cards/billing.json, or --as billing", "--check needs the file to compare with")
	}
	return o.parse(report.FileFormats())
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
	run := &outcome{options: &o.findingOptions, space: p, given: []string{o.output}}
	from, served, err := a.served(ctx, o, args[0])
	if err != nil {
		return err
	}
	node, found := capture.Source(served.Card, from)
	run.Found = slices.Concat(served.Found, found).Sorted()
	for i := range run.Found {
		run.Found[i].Span = diag.Span{} // the file has other lines
		run.Found[i].Severity = min(run.Found[i].Severity, diag.Warning)
	}
	if o.compare {
		return a.drifted(run, o.output, node)
	}
	if o.output == "" {
		return a.printCard(run, node)
	}
	if err := a.printFindings(run); err != nil {
		return err
	}
	changed, err := p.Write("the card", o.output, cardfile.Inert(schema.Write(node)), false)
	if err == nil && o.format == "text" && !a.quiet {
		state := "unchanged"
		if changed {
			state = "written"
		}
		a.print(fmt.Sprintf("%s: %s, %s, %s", filepath.ToSlash(o.output), served.Form, diag.Count(len(served.Card.Skills),
			"skill"), state))
	}
	return err
}

// served reads the card that the agent serves.
func (a *app) served(ctx context.Context, o *captureOptions, text string) (*url.URL, *cardfile.Promise, error) {
	u, err := client.CardURL(text)
	if err != nil {
		return nil, nil, usageError("", "%s", err)
	}
	headers, err := credentials(o.headers)
	if err != nil {
		return nil, nil, err
	}
	body, err := client.Card(ctx, u, o.timeout)
	if err != nil {
		return nil, nil, usageError("check the URL, and that the agent is running", "%s", err)
	}
	card, err := cardfile.File{Name: u.String(), Data: body}.Promise()
	if err != nil || !o.extended {
		return u, card, err
	}
	options := contract.Options{Card: card.Card, Credentials: headers, NewID: newUUID, Timeout: o.timeout}
	options.From(u)
	node, err := contract.Extended(ctx, options)
	if err != nil {
		return nil, nil, usageError("cardwright contract "+text+" says more", "%s", err)
	}
	r := dialect.Read(node, dialect.ReadOptions{})
	if r.Card == nil {
		return nil, nil, usageError("", "the extended card of the agent is not a card")
	}
	return u, &cardfile.Promise{Reading: r}, nil
}

// drifted compares the file with what is served now.
func (a *app) drifted(run *outcome, name string, node *source.Node) error {
	file, err := a.reader(run.space, source.Limits{}).Read(name)
	if err != nil {
		return err
	}
	old, err := file.Promise()
	if err != nil {
		return err
	}
	now := dialect.Read(node, dialect.ReadOptions{})
	d := report.Comparison{
		Sheet: &run.Sheet, Threshold: diff.Cosmetic, Place: edition.Readings{}.Place,
		Agents: diff.Agents(map[string]diff.Side{"": {Card: old.Card}}, map[string]diff.Side{"": {Card: now.Card}}),
	}
	if err := a.printDifference(run, &d); err != nil {
		return err
	}
	if diff.Worst(d.Changes()) == diff.None {
		if run.options.format == "text" && !a.quiet {
			a.print(filepath.ToSlash(name) + ": the agent serves this card")
		}
		return nil
	}
	if run.options.format == "text" {
		a.talk(filepath.ToSlash(name) +
			" is not what the agent serves; run cardwright capture without --check and commit the file")
	}
	return done(exitFindings)
}
