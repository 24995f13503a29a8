package cli

import (
	"cmp"
	"context"
	"io"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diff"
	"cardwright/internal/project"
	"cardwright/internal/report"
)

func diffCommand(a *app) *ucli.Command {
	failOn := diff.Breaking.String()
	return page("diff", []ucli.Flag{
		choiceFlag(&failOn, "fail-on", "class for --fail-on",
			"exit 1 for `CLASS`: breaking, additive, any or none",
			[]string{"breaking", "additive", "any", "none"}),
		formatFlag(&a.settings, "print them", report.ComparisonFormats()),
		reportFlag(&a.settings, "differences"),
	}, func(ctx context.Context, args []string) error { return runDiff(ctx, a, failOnClass(failOn), args) })
}

// failOnClass is what --fail-on names here.
func failOnClass(name string) diff.Class {
	switch name {
	case "any":
		return diff.Cosmetic
	case "none":
		return diff.Never
	}
	class, _ := diff.ParseClass(name)
	return class
}

func runDiff(ctx context.Context, a *app, failOn diff.Class, names []string) error {
	out, err := a.begin(names...)
	if err != nil {
		return err
	}
	open := project.Opener{Reader: a.reader(out.run.Workspace), Options: a.options, Config: a.configFile}
	c, err := open.Compare(ctx, names)
	if err != nil {
		return err
	}
	if c.Older.Empty {
		out.say(names[0] + " has no card and no configuration, so everything is new")
	}
	if out.run.Found = slices.Concat(c.Older.Found, c.Newer.Found).Sorted(); len(out.run.Found) > 0 {
		return cmp.Or(out.report(), error(exitError(Usage)))
	}
	d := report.Comparison{Agents: c.Agents, FailOn: failOn, Place: c.Place}
	if err := out.reportDifference(&d); err != nil || !d.Fails() {
		return err
	}
	return exitError(Findings)
}

// reportDifference prints what differs in the chosen format.
func (out *result) reportDifference(d *report.Comparison) error {
	r := d.Report(out.findings())
	if err := out.writeReports(r.Write); err != nil {
		return err
	}
	if out.Format != "text" {
		return r.Write(out.Out, out.Format)
	}
	text, aside := d.Text(out.style(out.Out))
	if aside != "" {
		out.talk(aside)
	}
	_, err := io.WriteString(out.Out, text)
	return err
}
