package cli

import (
	"context"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/report"
)

func (a *app) diffCommand() *ucli.Command {
	var o diffOptions
	o.format, o.failOn = "text", diff.Breaking.String()
	return page("diff", []ucli.Flag{
		listFlag(&o.revs, "git",
			"compare with the files in `REV`: a commit, branch or tag; or compare two, A..B"),
		textFlag(&o.failOn, "fail-on",
			"exit 1 for differences of this `CLASS` and above: breaking (default), additive or cosmetic"),
		boolFlag(&o.requireBump, "require-bump", "exit 1 when the new version is lower than the differences need"),
		textFlag(&o.format, "format", "print differences as `FORMAT`: "+strings.Join(report.ComparisonFormats(), ", ")),
		textFlag(&o.acceptInto, "accept-into", "add an entry to `FILE` for each difference that is not accepted yet"),
		listFlag(&o.report, "report", "write differences to a file too, `FORMAT=FILE`: "+
			strings.Join(report.FileFormats(), ", ")+" (repeatable)"),
		cardLimitFlag(&o.limits),
	}, func(ctx context.Context, args []string) error {
		o.git = len(o.revs) > 0
		return a.diff(ctx, &o, args)
	})
}

// diffOptions are the flags of diff.
type diffOptions struct {
	findingOptions
	threshold   diff.Class // what --fail-on names here
	git         bool       // compare with a commit
	revs        []string   // of the commit, where several are given the last
	requireBump bool
	acceptInto  string // file for entries about what counts
}

// finish checks the flags and reads those with a form of their own.
func (o *diffOptions) finish() error {
	var known bool
	if o.threshold, known = diff.ParseClass(o.failOn); !known || o.threshold == diff.None {
		return unknown("class for --fail-on", o.failOn, "use ", []string{"breaking", "additive", "cosmetic"})
	}
	o.failOn = "error" // what is found beside the differences
	if !slices.Contains(report.ComparisonFormats(), o.format) {
		return unknown("format", o.format, "use ", report.ComparisonFormats())
	}
	return o.parse(report.FileFormats())
}

func (a *app) diff(ctx context.Context, o *diffOptions, names []string) error {
	if err := o.finish(); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	run := &outcome{options: &o.findingOptions, space: p, given: names}
	c, err := a.editions(ctx, o, run.space, names)
	if err != nil {
		return err
	}
	if run.Found = slices.Concat(c.Older.Found, c.Newer.Found).Sorted(); len(run.Found) > 0 {
		if err := a.printFindings(run); err != nil {
			return err
		}
		return done(exitUsage)
	}
	d := report.Comparison{Sheet: &run.Sheet, Agents: c.Differences(), Threshold: o.threshold, Place: c.After.Place}
	if d.Agents, run.Found, err = a.accept(d.Agents); err != nil {
		return err
	}
	if run.Found.Worst() == diag.Error {
		return a.endFindings(run)
	}
	if o.requireBump {
		run.Found = append(run.Found, d.ShortVersions()...)
	}
	run.Found = run.Found.Sorted()
	if o.acceptInto != "" {
		return a.acceptInto(p, o.acceptInto, &d)
	}
	if err := a.printDifference(run, &d); err != nil {
		return err
	}
	counts := o.format != "changelog" // which is about what has been decided
	if run.Found.Worst() == diag.Error || counts && diff.Worst(d.Changes()) >= o.threshold {
		return done(exitFindings)
	}
	return nil
}

// printDifference prints what differs in the chosen format.
func (a *app) printDifference(run *outcome, d *report.Comparison) error {
	a.head(run)
	if err := a.writeReports(run, d.Write); err != nil {
		return err
	}
	if run.options.format != "text" {
		return d.Write(a.Out, run.options.format)
	}
	if err := a.people(d.Threshold).Print(d.Changes(), diff.Asked(d.Agents)); err != nil {
		return err
	}
	return a.printText(run, run.Found)
}

// people is where differences are printed for people. Quiet runs print those of a
// class and above.
func (a *app) people(threshold diff.Class) report.People {
	return report.People{Out: a.Out, Err: a.Err, Color: a.colored(a.Out), Quiet: a.quiet, Threshold: threshold}
}
