package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"cardwright/internal/buildinfo"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/paths"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/internal/terminal"
	"cardwright/internal/workspace"
)

// outcome is what a command has found, and how that is reported.
type outcome struct {
	report.Sheet
	options *findingOptions
	space   *workspace.Space
	project *workspace.Project // nil where the configuration does not matter
	config  *config.Config     // nil likewise
	given   []string           // what was named on the command line
	// progress is how far the command is, where it builds no project.
	progress project.Progress
	data     bool // the findings are what the command is for, and go to stdout
}

// failed tells whether the findings reach the level that ends a run.
func (run *outcome) failed() bool { return run.Found.Worst() >= run.options.threshold() }

// add adds findings, as the configuration and the flags make them count.
func (run *outcome) add(found diag.List) {
	found = lint.Switches{Rules: run.config.Rules, Strict: run.options.strict}.Apply(found)
	run.Found = append(run.Found, found...).Sorted()
}

// printFindings prints findings in the chosen format: for people on stderr,
// unless they are what was asked for; for programs on stdout. Extra members go
// into JSON.
func (a *app) printFindings(run *outcome, extra ...source.Member) error {
	return a.emit(run, run.Found, extra...)
}

// emit prints findings as [app.printFindings] does. People are told some of
// them only, where they see the rest in another form.
func (a *app) emit(run *outcome, shown diag.List, extra ...source.Member) error {
	a.head(run)
	run.Members = extra
	shown = run.Prepared(shown)
	run.Found, run.Ignored = run.Prepared(run.Found), report.WithoutSecrets(run.Ignored)
	if err := a.writeReports(run, run.Write); err != nil {
		return err
	}
	if run.options.format == "text" {
		return a.printText(run, shown)
	}
	return run.Write(a.Out, run.options.format)
}

// head fills in what every report says of the run.
func (a *app) head(run *outcome) {
	run.Title, run.Version, run.Home = a.title(), buildinfo.Read(a.version).Version, home
	run.Source, run.Repository = run.space.Excerpt, run.repository()
	if run.config != nil {
		run.House = houseRules(run.config)
	}
}

// writeReports writes the files that were asked for.
func (a *app) writeReports(run *outcome, write func(w io.Writer, format string) error) error {
	for _, file := range run.options.reports {
		var b bytes.Buffer
		if err := write(&b, file.format); err != nil {
			return err
		}
		if _, err := run.space.Write("the report", file.name, b.Bytes(), false); err != nil {
			return err
		}
	}
	return nil
}

// printText prints findings for people.
func (a *app) printText(run *outcome, found diag.List) error {
	w := a.Err
	if run.data {
		w = a.Out
	}
	counts, err := run.Text(w, found, report.SheetText{
		Color: a.colored(w), Group: run.options.groups, All: run.options.all, Quiet: a.quiet,
		Threshold: run.options.threshold(),
	})
	if err == nil && counts != "" {
		a.talk(counts)
	}
	return err
}

// repository tells where the working directory lies in its repository.
func (run *outcome) repository() report.Repository {
	var r report.Repository
	if run.project != nil {
		r.Default = run.project.Config
	}
	if r.Default == "" && len(run.given) > 0 {
		r.Default = filepath.ToSlash(run.given[0])
	}
	here, err := paths.Around(".")
	if err != nil {
		return r
	}
	r.Root = filepath.ToSlash(here.Root)
	if rel, err := filepath.Rel(here.Root, here.Base); err == nil && rel != "." {
		r.Dir = filepath.ToSlash(rel)
	}
	return r
}

// houseRules are the policies of the project as SARIF explains them.
func houseRules(c *config.Config) []report.Rule {
	var rules []report.Rule
	for _, p := range project.Policies(c) {
		rules = append(rules, report.Rule{
			ID: p.ID, Severity: p.Severity,
			Title: cmp.Or(p.Message, "a policy of this project"),
		})
	}
	return rules
}

// endFindings prints the findings of a run that stops because of them.
func (a *app) endFindings(run *outcome) error {
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

// endChecks prints the checks of a command: for people a line each, for programs
// as findings and the whole list.
func (a *app) endChecks(run *outcome, checks []report.Check) error {
	shown := run.Found // of the rest, people see the checks
	checks, failed := report.Judge(checks, lint.Switches{Rules: run.config.Rules, Strict: run.options.strict})
	run.Found = append(run.Found, failed...).Sorted()
	run.Forms = map[string]func(io.Writer) error{
		"markdown": func(w io.Writer) error { return report.ChecksMarkdown(w, a.title(), checks) },
		"junit":    func(w io.Writer) error { return report.JUnit(w, a.name, checks, run.options.threshold()) },
	}
	if run.options.format == "text" {
		if err := report.Checks(a.Out, checks, a.quiet); err != nil {
			return err
		}
		if !a.quiet {
			a.talk(report.CountChecks(checks))
		}
	}
	if err := a.emit(run, shown, report.CheckMembers(checks)); err != nil {
		return err
	}
	if run.failed() {
		return done(exitFindings)
	}
	return nil
}

// exitCodes are the exit codes of rules.
var exitCodes = map[diag.Exit]int{diag.Findings: exitFindings, diag.Usage: exitUsage, diag.Fault: exitFault}

// outputCode is the exit code for what stands in the way of writing: a file
// that may not be replaced is a finding, a directory that cannot be one is a
// mistake in the call, one that cannot be written to is a failure.
func outputCode(found diag.List) int {
	code := 0
	for _, d := range found {
		if d.Severity != diag.Error {
			continue
		}
		r, _ := diag.FindRule(d.Rule)
		code = max(code, exitCodes[r.Exit])
	}
	return code
}

// print prints one line of data. A run that could not print all ends with an
// error.
func (a *app) print(line string) {
	if _, err := fmt.Fprintln(a.Out, report.Escape(line)); err != nil && a.unprinted == nil {
		a.unprinted = err
	}
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
