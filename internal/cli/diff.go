package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/edition"
	"cardwright/internal/report"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

func (a *app) diffCommand() *ucli.Command {
	var o diffOptions
	return &ucli.Command{
		Name:      "diff",
		Usage:     "compare two cards, or two trees of cards",
		UsageText: "cardwright diff [flags] OLD NEW\n       cardwright diff [flags] --git REV [NEW]",
		Description: `Compares what cards mean, not how they are written: a card of A2A 0.3 can be
compared with one of 1.0. Each difference is breaking, additive or cosmetic, and
the last line says which version bump is needed. OLD and NEW are cards (- for
stdin) or directories. Agents in directories are matched by the manifest, or else
by path. --git compares NEW (default: the output directory of the configuration)
with a commit.

Examples:
  cardwright diff old.json new.json
  cardwright diff --git main
  cardwright diff --git v1.4.0 dist --require-bump
  cardwright diff --git v1.4.0..v1.5.0 --format changelog
  curl -s https://agents.acme.example/.well-known/agent-card.json | cardwright diff - dist/.well-known/agent-card.json`,
		Flags: []ucli.Flag{
			&ucli.StringFlag{
				Name:        "git",
				Usage:       "compare with the files as they are in `REV`: a commit, branch or tag; or compare two, A..B",
				Destination: &o.rev,
			},
			&ucli.StringFlag{
				Name:  "fail-on",
				Usage: "exit 1 for differences of this `CLASS` and above: breaking (default), additive or cosmetic",
				Value: "breaking", Destination: &o.failOn,
			},
			&ucli.BoolFlag{
				Name: "require-bump", Usage: "exit 1 when the new version is lower than the differences need",
				Destination: &o.requireBump,
			},
			&ucli.StringFlag{
				Name: "format", Usage: "print differences as `FORMAT`: " + strings.Join(diffFormats, ", "),
				Value: "text", Destination: &o.format,
			},
			&ucli.StringFlag{
				Name: "accept-into", Usage: "add entries for the differences that count to `FILE`, for review",
				Destination: &o.acceptInto,
			},
			&ucli.StringSliceFlag{Name: "report", Usage: "write differences to a file too, `FORMAT=FILE`: " +
				strings.Join(reportFormats, ", ") + " (repeatable)", Destination: &o.report},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a limit, `NAME=N`: card, nesting (repeatable)"},
		},
		Action: func(c *ucli.Context) error {
			o.git = c.IsSet("git")
			return a.diff(c.Context, &o, c.Args().Slice(), c.StringSlice("limit"))
		},
	}
}

var diffFormats = []string{"text", "json", "markdown", "changelog", "sarif", "github"}

// diffOptions are the flags of diff.
type diffOptions struct {
	findingOptions
	threshold   diff.Class // what --fail-on names here
	git         bool       // compare with a commit
	rev         string     // of the commit
	requireBump bool
	acceptInto  string // file for entries about what counts
	limits      source.Limits
}

// finish checks the flags and reads those with a form of their own.
func (o *diffOptions) finish(limits []string) (err error) {
	var known bool
	if o.threshold, known = diff.ParseClass(o.failOn); !known || o.threshold == diff.None {
		return unknown("class for --fail-on", o.failOn, "use ", []string{"breaking", "additive", "cosmetic"})
	}
	o.failOn = "error" // what is found beside the differences
	if !slices.Contains(diffFormats, o.format) {
		return unknown("format", o.format, "use ", diffFormats)
	}
	if o.reports, err = parseReports(o.report.Value(), reportFormats); err != nil {
		return err
	}
	o.limits, err = parseLimits(limits)
	return err
}

func (a *app) diff(ctx context.Context, o *diffOptions, names, limits []string) error {
	if err := o.finish(limits); err != nil {
		return err
	}
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	run := &built{options: &o.findingOptions, space: p, given: names}
	c, err := a.editions(ctx, o, run.space, names)
	if err != nil {
		return err
	}
	if run.found = slices.Concat(c.Older.Found, c.Newer.Found).Sorted(); len(run.found) > 0 {
		if err := a.printFindings(run); err != nil {
			return err
		}
		return done(exitUsage)
	}
	d := difference{
		run: run, threshold: o.threshold, comparisons: diff.Agents(sides(c.Before), sides(c.After)),
		newer: c.After,
	}
	if c := diff.Published(c.Older.Published(), c.Newer.Published()); len(c.Changes) > 0 {
		d.comparisons = append(d.comparisons, c)
	}
	if d.comparisons, run.found, err = a.accept(d.comparisons); err != nil {
		return err
	}
	if run.found.Worst() == diag.Error {
		return a.endFindings(run)
	}
	if o.requireBump {
		run.found = append(run.found, d.short()...)
	}
	run.found = run.found.Sorted()
	if o.acceptInto != "" {
		return a.acceptInto(p, o.acceptInto, &d)
	}
	if err := a.printDifference(&d); err != nil {
		return err
	}
	counts := o.format != "changelog" // which is about what has been decided
	if run.found.Worst() == diag.Error || counts && diff.Worst(d.changes()) >= o.threshold {
		return done(exitFindings)
	}
	return nil
}

// difference is what diff has found out.
type difference struct {
	run         *built
	threshold   diff.Class
	comparisons []diff.Comparison
	newer       edition.Readings
}

func (d *difference) changes() []diff.Change { return printable(d.comparisons) }

// printable are the changes of all agents, without the credentials that stand in
// their values.
func printable(comparisons []diff.Comparison) []diff.Change {
	changes := diff.All(comparisons)
	for i := range changes {
		c := &changes[i]
		c.Old, c.New = masked(c.Old), masked(c.New)
		c.Message, c.About = secret.MaskText(c.Message), secret.MaskText(c.About)
	}
	return changes
}

// difference is what a comment says of the differences between cards.
func (a *app) difference(run *built, comparisons []diff.Comparison) report.Difference {
	d := report.Difference{Title: a.title(), Asked: diff.Asked(comparisons), Found: run.found}
	for _, c := range comparisons {
		agent := report.AgentDifference{Agent: c.Agent, Asked: c.Asked(), Changes: printable([]diff.Comparison{c})}
		if c.Old != nil {
			agent.Old = secret.MaskText(c.Old.Version)
		}
		if c.New != nil {
			agent.New = secret.MaskText(c.New.Version)
		}
		d.Agents = append(d.Agents, agent)
	}
	return d
}

// masked returns a value without the credentials in its texts.
func masked(n *source.Node) *source.Node {
	if n == nil {
		return nil
	}
	out := *n
	if n.Kind == source.String {
		out.Text = secret.MaskText(n.Text)
	}
	out.Items = make([]*source.Node, len(n.Items))
	for i, item := range n.Items {
		out.Items[i] = masked(item)
	}
	out.Members = slices.Clone(n.Members)
	for i, m := range n.Members {
		out.Members[i].Value = masked(m.Value)
	}
	return &out
}

// short returns a finding for each version that moves less than it should.
func (d *difference) short() diag.List {
	var found diag.List
	for _, c := range d.comparisons {
		if !c.Short() {
			continue
		}
		moves := fmt.Sprintf("the version goes from %s to %s", diag.Quote(c.Old.Version), diag.Quote(c.New.Version))
		if c.Old.Version == c.New.Version {
			moves = "the version stays " + diag.Quote(c.Old.Version)
		}
		if c.Agent != "" {
			moves = fmt.Sprintf("agent %q: %s", c.Agent, moves)
		}
		found = append(found, diag.New(ruleBump, d.newer[c.Agent].Place("/version"),
			"%s, but the differences need a %s version", moves, c.Asked()).
			WithPointer("/version").
			WithHint("raise the version of the agent; cardwright diff lists the differences"))
	}
	return found
}

// findings returns the changes as findings in the new cards, errors from the
// threshold on and notes below it, with those about the versions.
func (d *difference) findings() diag.List {
	found := slices.Clone(d.run.found)
	for _, c := range d.changes() {
		message := report.Change(c)
		if c.Agent != "" {
			message = fmt.Sprintf("agent %q: %s", c.Agent, message)
		}
		f := diag.New(c.Rule, diag.Span{}, "%s", message).WithSeverity(diag.Info).WithPointer(c.Pointer())
		if c.Class >= d.threshold {
			f.Severity = diag.Error
		}
		if card, ok := d.newer[c.Agent]; ok {
			f.Span = card.Place(c.NewPointer)
		}
		if c.Class > diff.None {
			found = append(found, f)
		}
	}
	return found.Sorted()
}

// printDifference prints what differs in the chosen format.
func (a *app) printDifference(d *difference) error {
	options := d.run.options
	err := writeReports(d.run.space, options.reports,
		func(w io.Writer, format string) error { return a.renderDifference(w, format, d) })
	if err != nil {
		return err
	}
	if options.format != "text" {
		return a.renderDifference(a.Out, options.format, d)
	}
	if err := a.tellDifference(d.changes(), diff.Asked(d.comparisons), d.threshold); err != nil {
		return err
	}
	return a.printText(d.run, d.run.found)
}

// tellDifference prints changes for people, and what they come to. In quiet
// runs only those at or above the threshold are told.
func (a *app) tellDifference(changes []diff.Change, asked diff.Step, threshold diff.Class) error {
	if a.quiet {
		changes = slices.DeleteFunc(changes, func(c diff.Change) bool { return c.Class < threshold })
	}
	if err := report.Changes(a.Out, changes, a.colored(a.Out)); err != nil {
		return err
	}
	if summary := report.Summary(changes, asked); summary != "" && !a.quiet {
		a.print(summary)
	}
	if rest := report.Meaningless(changes); rest != "" {
		a.talk(rest)
	}
	return nil
}

// renderDifference writes what differs in a format for programs.
func (a *app) renderDifference(w io.Writer, format string, d *difference) error {
	switch format {
	case "json":
		return report.JSON(w, d.run.found, report.ChangeMembers(d.changes(), diff.Asked(d.comparisons))...)
	case "markdown":
		return a.difference(d.run, d.comparisons).Markdown(w)
	case "changelog":
		return a.difference(d.run, d.comparisons).Changelog(w)
	case "sarif":
		return report.SARIF(w, d.findings(), a.sarif(d.run, changeRules()))
	}
	return report.GitHub(w, d.findings(), d.run.repository())
}

const ruleBump = "version-bump"

// changeRules are the rules of diff as SARIF explains them.
func changeRules() []report.Rule {
	rules := slices.DeleteFunc(describedRules(), func(r report.Rule) bool { return r.ID != ruleBump })
	for _, r := range diff.Rules() {
		severity := diag.Info
		if r.Class == diff.Breaking {
			severity = diag.Error
		}
		if r.Class > diff.None {
			rules = append(rules, report.Rule{ID: r.ID, Severity: severity, Title: r.Title, Page: "docs/diff.md"})
		}
	}
	return rules
}
