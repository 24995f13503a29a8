package cli

import (
	"os"
	"slices"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/nearest"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/internal/terminal"
)

// findingOptions are the flags of every command that reports findings.
type findingOptions struct {
	format  string
	also    []string // further formats of the command
	strict  bool
	failOn  string
	all     bool             // text lists everything
	groups  bool             // text groups findings, which all undoes
	report  ucli.StringSlice // as given
	reports []reportFile     // as understood
}

func (o *findingOptions) flags() []ucli.Flag {
	return []ucli.Flag{
		&ucli.StringFlag{
			Name: "format", Usage: "print findings as `FORMAT`: " + strings.Join(o.formats(), ", "),
			Value: "text", Destination: &o.format,
		},
		&ucli.StringSliceFlag{Name: "report", Usage: "write findings to a file too, `FORMAT=FILE`: " +
			strings.Join(o.reportFormats(), ", ") + " (repeatable)", Destination: &o.report},
		&ucli.BoolFlag{Name: "strict", Usage: "repair nothing, and treat warnings as errors", Destination: &o.strict},
		&ucli.StringFlag{
			Name:  "fail-on",
			Usage: "exit 1 for findings of this `LEVEL` and above: error (default), warning or info", Value: "error",
			Destination: &o.failOn,
		},
	}
}

func (o *findingOptions) check() error {
	if !slices.Contains(o.formats(), o.format) {
		return unknown("format", o.format, "use ", o.formats())
	}
	var err error
	if o.reports, err = parseReports(o.report.Value(), o.reportFormats()); err != nil {
		return err
	}
	if s, ok := diag.ParseSeverity(o.failOn); !ok || s == 0 {
		return unknown("level for --fail-on", o.failOn, "use ", []string{"error", "warning", "info"})
	}
	return nil
}

// formats are what the command prints findings as.
func (o *findingOptions) formats() []string {
	return slices.Concat(report.Formats(), o.also)
}

// reportFormats are what the command writes findings to files as.
func (o *findingOptions) reportFormats() []string {
	if slices.Contains(o.also, "junit") {
		return append(slices.Clone(report.FileFormats()), "junit")
	}
	return report.FileFormats()
}

// threshold is the severity from which findings end a run.
func (o *findingOptions) threshold() diag.Severity {
	s, _ := diag.ParseSeverity(o.failOn)
	return s
}

// apply returns the findings sorted, with the severities that the flags give them.
func (o *findingOptions) apply(found diag.List) diag.List {
	return lint.Switches{Strict: o.strict}.Apply(found).Sorted()
}

// endFindings prints the findings of a run that stops because of them.
func (a *app) endFindings(run *built) error {
	if err := a.printFindings(run); err != nil {
		return err
	}
	code := exitFindings
	for _, d := range run.Found {
		// a source that cannot be read, not a file in one
		source := d.Rule == "source-unreadable" && d.Severity == diag.Error &&
			(run.project.Configures(d.Span.File) || slices.Contains(run.given, d.Span.File))
		if r, _ := lint.Find(d.Rule); r.Exit == diag.Usage || source {
			code = exitUsage
		}
	}
	return done(code)
}

// colored tells whether a stream gets color.
func (a *app) colored(w any) bool {
	return terminal.Stream{To: w, Getenv: os.LookupEnv}.Colored(a.color)
}

// showProgress shows on a terminal how far a run is, until stop is called. In
// quiet runs it shows nothing.
func (a *app) showProgress(line func() string) (stop func()) {
	if a.quiet {
		return func() {}
	}
	return terminal.Stream{To: a.Err, Getenv: os.LookupEnv}.Progress(line)
}

// parseLimits reads --limit NAME=N.
func parseLimits(assignments []string) (source.Limits, error) {
	var l source.Limits
	bounds := map[string]*int{
		"frontmatter": &l.Frontmatter,
		"source":      &l.Source,
		"card":        &l.Card,
		"nesting":     &l.Nesting,
		"depth":       &l.Depth,
		"skills":      &l.Skills,
	}
	names := []string{"frontmatter", "source", "card", "nesting", "depth", "skills"}
	for _, s := range assignments {
		name, value, _ := strings.Cut(s, "=")
		bound, ok := bounds[name]
		if !ok {
			return l, unknown("bound", name, "bounds: ", names)
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return l, usageError("for example --limit "+name+"=1000", "limit %q needs a whole number above 0", name)
		}
		*bound = n
	}
	return l, nil
}

// knownAgents refuses ids that --agent names and the configuration does not.
func knownAgents(c *config.Config, ids []string) error {
	var known []string
	for _, a := range c.Agents {
		known = append(known, a.ID)
	}
	for _, id := range ids {
		if slices.Contains(known, id) {
			continue
		}
		return usageError(nearest.Hint(id, known, "agents: "+strings.Join(known, ", ")), "no agent has the id %q", id)
	}
	return nil
}
