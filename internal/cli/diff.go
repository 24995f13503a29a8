package cli

import (
	"context"
	"os"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diff"
	"cardwright/internal/project"
	"cardwright/internal/report"
)

func diffCommand(a *app) *ucli.Command {
	var o diffOptions
	o.options, o.failOn = defaults(), diff.Breaking.String()
	return page("diff", []ucli.Flag{
		choiceFlag(&o.failOn, "fail-on", "class for --fail-on",
			"exit 1 for `CLASS`: breaking, additive, any or none",
			[]string{"breaking", "additive", "any", "none"}),
		choiceFlag(&o.Format, "format", "format",
			"print them as `FORMAT`: "+strings.Join(report.ComparisonFormats(), ", "), report.ComparisonFormats()),
		listFlag(&o.report, "report", "write differences also to `FORMAT=FILE` (repeatable)"),
	}, func(ctx context.Context, args []string) error {
		return runDiff(ctx, a, &o, args)
	})
}

// diffOptions are the flags of diff.
type diffOptions struct {
	options
}

// class is what --fail-on names here.
func (o *diffOptions) class() diff.Class {
	switch o.failOn {
	case "any":
		return diff.Cosmetic
	case "none":
		return diff.Never
	}
	class, _ := diff.ParseClass(o.failOn)
	return class
}

func runDiff(ctx context.Context, a *app, o *diffOptions, names []string) error {
	failOn := o.class()
	if err := o.parse(); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	out := a.outcome(&o.options, p, names...)
	open := project.Opener{Reader: a.reader(p), Options: o.run, Config: a.configFile}
	open.Options.Getenv = os.LookupEnv
	c, err := open.Compare(ctx, names)
	if err != nil {
		return err
	}
	if c.Older.Empty {
		out.say(names[0] + " has no card and no configuration, so everything is new")
	}
	agents := c.Differences()
	if out.run.Found = slices.Concat(c.Older.Found, c.Newer.Found).Sorted(); len(out.run.Found) > 0 {
		out.Unusable = true
		return out.end()
	}
	d := report.Comparison{Agents: agents, FailOn: failOn, Place: c.After.Place}
	if err := out.printDifference(&d); err != nil {
		return err
	}
	out.Differs = d.Fails()
	return out.exit()
}
