package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
)

// findingOptions are the flags of every command that reports findings.
type findingOptions struct {
	format  string
	also    []string // further formats of the command
	strict  bool
	failOn  string
	all     bool     // text lists everything
	groups  bool     // text groups findings, which all undoes
	repairs bool     // the command repairs what it reads, unless it is strict
	report  []string // as given
	limits  []string
	bounds  source.Limits // as understood
	reports []reportFile  // as understood
}

func (o *findingOptions) flags() []ucli.Flag {
	o.format, o.failOn = "text", diag.Error.String()
	strict := "treat warnings as errors"
	if o.repairs {
		strict = "do not repair input, and " + strict
	}
	return []ucli.Flag{
		textFlag(&o.format, "format", "print findings as `FORMAT`: "+strings.Join(o.formats(), ", ")),
		listFlag(&o.report, "report", "write findings to a file too, `FORMAT=FILE`: "+
			strings.Join(report.FileFormats(), ", ")+" (repeatable)"),
		boolFlag(&o.strict, "strict", strict),
		textFlag(&o.failOn, "fail-on", "exit 1 for findings of this `LEVEL` and above: error (default), warning or info"),
	}
}

func (o *findingOptions) check() error {
	if !slices.Contains(o.formats(), o.format) {
		return unknown("format", o.format, "use ", o.formats())
	}
	if s, ok := diag.ParseSeverity(o.failOn); !ok || s == 0 {
		return unknown("level for --fail-on", o.failOn, "use ", []string{"error", "warning", "info"})
	}
	return o.parse(report.FileFormats())
}

// parse reads the flags with a form of their own.
func (o *findingOptions) parse(formats []string) (err error) {
	if o.reports, err = parseReports(o.report, formats); err != nil {
		return err
	}
	o.bounds, err = project.ParseLimits(o.limits)
	return err
}

// formats are what the command prints findings as.
func (o *findingOptions) formats() []string {
	return slices.Concat(report.Formats(), o.also)
}

// reporting says how what is found is reported.
func (o *findingOptions) reporting() reporting {
	return reporting{
		Format: o.format, Strict: o.strict, All: o.all, Groups: o.groups, Threshold: o.threshold(), Reports: o.reports,
	}
}

// outcome is what a command has found about what the command line names.
func (a *app) outcome(o *findingOptions, s *project.Space, given []string) *outcome {
	return &outcome{console: &a.console, reporting: o.reporting(), Space: s, Given: given}
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
