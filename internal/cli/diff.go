package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/files"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
)

func (a *app) diffCommand() *ucli.Command {
	var o diffOptions
	o.options, o.failOn = defaults(), diff.Breaking.String()
	return page("diff", []ucli.Flag{
		choiceFlag(&o.failOn, "fail-on", "class for --fail-on",
			"exit 1 for differences of this `CLASS` and above: breaking (default), additive or cosmetic",
			[]string{"breaking", "additive", "cosmetic"}),
		boolFlag(&o.requireBump, "require-bump", "exit 1 when the new version is lower than the differences need"),
		choiceFlag(&o.Format, "format", "format",
			"print differences as `FORMAT`: "+strings.Join(report.ComparisonFormats(), ", "), report.ComparisonFormats()),
		textFlag(&o.acceptInto, "accept-into", "add an entry to `FILE` for each difference that is not accepted yet"),
		listFlag(&o.report, "report", "write differences to a file too, `FORMAT=FILE`: "+
			strings.Join(report.FileFormats(), ", ")+" (repeatable)"),
		cardLimitFlag(&o.limits),
	}, func(ctx context.Context, args []string) error {
		return a.diff(ctx, &o, args)
	})
}

// diffOptions are the flags of diff.
type diffOptions struct {
	options
	threshold   diff.Class // what --fail-on names here
	requireBump bool
	acceptInto  string // file for entries about what counts
}

// finish checks the flags and reads those with a form of their own.
func (o *diffOptions) finish() error {
	o.threshold, _ = diff.ParseClass(o.failOn)
	return o.parse()
}

func (a *app) diff(_ context.Context, o *diffOptions, names []string) error {
	if err := o.finish(); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	run := a.outcome(&o.options, p, names...)
	open := project.Opener{
		Space: p, Limits: o.Limits,
		Card: func(name string) (string, []byte, error) {
			card, err := a.reader(p, o.Limits).Read(name)
			return card.Path(), card.Data, err
		},
	}
	c, err := open.Compare(names)
	if err != nil {
		return err
	}
	if run.Found = slices.Concat(c.Older.Found, c.Newer.Found).Sorted(); len(run.Found) > 0 {
		run.Unusable = true
		return run.end()
	}
	d := report.Comparison{Agents: c.Differences(), Threshold: o.threshold, Place: c.After.Place}
	around, err := a.openProject()
	if err != nil {
		return err
	}
	defer around.Close()
	if d.Agents, run.Found, err = project.Accept(around, d.Agents, os.LookupEnv, a.now()); err != nil {
		return err
	}
	run.Found = report.WithoutSecrets(run.Found)
	if run.Failed() {
		return run.end()
	}
	if o.requireBump {
		run.Found = append(run.Found, d.ShortVersions()...)
	}
	run.Found = run.Found.Sorted()
	if o.acceptInto != "" {
		changes := slices.DeleteFunc(d.Changes(), func(c diff.Change) bool { return c.Class < o.threshold })
		return a.acceptInto(p, o.acceptInto, project.AcceptChanges(changes))
	}
	if err := run.printDifference(&d); err != nil {
		return err
	}
	run.Differs = diff.Worst(d.Changes()) >= o.threshold
	return run.exit()
}

// acceptInto writes entries for what counts, behind those that a file has, for people to
// review.
func (a *app) acceptInto(s *project.Space, name string, wanted []project.Acceptance) error {
	data, err := s.ReadAll(name, source.Limits{}.WithDefaults().Source)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usageError("", "cannot read %s: %s", diag.Quote(name), files.Reason(err))
	}
	data, added, err := project.AcceptInto(name, data, wanted, a.now())
	if err != nil {
		return err
	}
	if _, err := s.Write("--accept-into", name, data, false); err != nil {
		return err
	}
	entries := "1 entry"
	if added != 1 {
		entries = fmt.Sprintf("%d entries", added)
	}
	a.talk(fmt.Sprintf("%s: %s added; review them, and name the file in accept: of the configuration", name, entries))
	return nil
}
