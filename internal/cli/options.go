package cli

import (
	"cmp"
	"os"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/report"
)

// options are the flags of every command that reports findings.
type options struct {
	run project.Options
	reporting
	failOn  string   // as given
	repairs bool     // the command repairs what it reads, unless it is strict
	report  []string // as given
}

// defaults are the options of a command that has no flags for them.
func defaults() options {
	return options{run: project.Options{FailOn: diag.Error}, reporting: reporting{Format: "text"}}
}

func (o *options) flags() []ucli.Flag {
	o.Format, o.failOn = "text", diag.Error.String()
	o.Groups = cmp.Or(o.Groups, "--format json")
	strict := "treat warnings as errors"
	if o.repairs {
		strict = "do not repair input, and " + strict
	}
	return grouped("Reports",
		choiceFlag(&o.Format, "format", "format", "print findings as `FORMAT`: "+strings.Join(report.Formats(), ", "),
			report.Formats()),
		listFlag(&o.report, "report", "write findings also to `FORMAT=FILE` (repeatable)"),
		boolFlag(&o.run.Strict, "strict", strict),
		choiceFlag(&o.failOn, "fail-on", "level for --fail-on",
			"exit 1 from this `LEVEL`: error (default), warning, info",
			[]string{"error", "warning", "info"}),
	)
}

// findingFlags are the flags of every command that judges the project.
func (o *options) findingFlags() []ucli.Flag {
	o.Groups, o.repairs = "--all", true
	all := boolFlag(&o.All, "all", "print every finding and every difference")
	return append(o.flags(), grouped("Reports", all)...)
}

// check reads the flags of [options.flags].
func (o *options) check() error {
	if o.failOn != "" {
		o.run.FailOn, _ = diag.ParseSeverity(o.failOn)
	}
	return o.parse()
}

// parse reads the flags with a form of their own.
func (o *options) parse() (err error) {
	o.run.Getenv = os.LookupEnv
	o.Reports, err = parseReports(o.report, report.FileFormats())
	return err
}
