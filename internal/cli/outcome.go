package cli

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
)

// reporting say how findings are reported.
type reporting struct {
	Format    string
	Strict    bool          // warnings are errors
	All       bool          // text lists everything
	Groups    bool          // text groups findings, which All undoes
	Threshold diag.Severity // from which findings end a run
	Reports   []reportFile
}

// reportFile is a file that findings go to beside what is printed.
type reportFile struct{ Format, Name string }

// outcome is what a command has found.
type outcome struct {
	report.Sheet
	*console
	reporting
	Space   *project.Space
	Project *project.Project // nil where the configuration does not matter
	Config  *config.Config   // nil likewise
	Given   []string         // what was named on the command line
	// Progress is how far the command is, where it builds no project.
	Progress project.Progress
	verdict  func() string // of a run that builds the project
	Data     bool          // the findings are what the command is for, and go to stdout
	Counts   bool          // how many there are is printed in their place
}

// outcomeOf is what a run has found.
func outcomeOf(c *console, o reporting, run *project.Run) *outcome {
	out := &outcome{
		console: c, reporting: o, Space: run.Space, Project: run.Project, Config: run.Config, Given: run.Sources,
	}
	out.Found, out.Ignored, out.verdict = run.Found, run.Ignored, run.Verdict
	return out
}

// failed reports whether the findings reach the level that ends a run.
func (run *outcome) failed() bool { return run.Found.Worst() >= run.Threshold }

// add adds findings, as the configuration and the flags make them count.
func (run *outcome) add(found diag.List) {
	found = lint.Switches{Rules: run.Config.Rules, Strict: run.Strict}.Apply(found)
	run.Found = append(run.Found, found...).Sorted()
}

// report prints findings in the chosen format: for people on stderr,
// unless they are what was asked for; for programs on stdout. Extra members go
// into JSON.
func (run *outcome) report(extra ...source.Member) error {
	return run.emit(run.Found, extra...)
}

// emit prints findings as [outcome.report] does. People are told some of
// them only, where they see the rest in another form.
func (run *outcome) emit(shown diag.List, extra ...source.Member) error {
	run.head()
	run.Members = extra
	shown = run.Prepared(shown)
	run.Found, run.Ignored = run.Prepared(run.Found), report.WithoutSecrets(run.Ignored)
	if err := run.writeReports(run.Write); err != nil {
		return err
	}
	switch {
	case run.Counts && run.Format == "text":
		return run.Statistics().Print(run.Out)
	case run.Counts:
		run.Members = append(run.Members, run.Statistics().Members()...)
	case run.Format == "text":
		return run.printText(shown)
	}
	return run.Write(run.Out, run.Format)
}

// head fills in what every report says of the run.
func (run *outcome) head() {
	run.Title, run.Sheet.Version, run.Sheet.Home = "cardwright "+run.Command, run.console.Version, run.console.Home
	run.Source, run.Repository, run.Fails = run.Space.Excerpt, run.repository(), run.Threshold
	if run.Config != nil {
		run.House = houseRules(run.Config)
	}
}

// writeReports writes the files that were asked for.
func (run *outcome) writeReports(write func(w io.Writer, format string) error) error {
	for _, file := range run.Reports {
		var b bytes.Buffer
		if err := write(&b, file.Format); err != nil {
			return err
		}
		if _, err := run.Space.Write("the report", file.Name, b.Bytes(), false); err != nil {
			return err
		}
	}
	return nil
}

// printText prints findings for people.
func (run *outcome) printText(found diag.List) error {
	w := run.Err
	if run.Data {
		w = run.Out
	}
	counts, err := run.Text(w, found, report.SheetText{
		Color: run.colored(w), Group: run.Groups, All: run.All, Quiet: run.Quiet,
		Threshold: run.Threshold,
	})
	if err == nil && counts != "" {
		run.talk(counts)
	}
	return err
}

// repository is where the working directory lies in its repository.
func (run *outcome) repository() report.Repository {
	var r report.Repository
	if run.Project != nil {
		r.Default = run.Project.Config
	}
	if r.Default == "" && len(run.Given) > 0 {
		r.Default = filepath.ToSlash(run.Given[0])
	}
	here, err := files.Around(".")
	if err != nil {
		return r
	}
	here = here.Superproject()
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

// end prints the findings of a run that stops because of them.
func (run *outcome) end() error {
	if err := run.report(); err != nil {
		return err
	}
	if run.verdict != nil && !run.Quiet {
		if line := run.verdict(); line != "" {
			run.talk(line)
		}
	}
	return done(run.code())
}

// endChecks prints the checks of a command: for people a line each, for programs
// as findings and the whole list.
func (run *outcome) endChecks(checks []report.Check) error {
	shown := run.Found // of the rest, people see the checks
	checks, failed := report.Judge(checks, lint.Switches{Rules: run.Config.Rules, Strict: run.Strict})
	run.Found = append(run.Found, failed...).Sorted()
	run.Forms = map[string]func(io.Writer) error{
		"markdown": func(w io.Writer) error { return report.ChecksMarkdown(w, run.Title, checks) },
		"junit":    func(w io.Writer) error { return report.JUnit(w, run.Title, checks, run.Threshold, run.Repository) },
	}
	if run.Format == "text" {
		if err := report.Checks(run.Out, checks, run.Quiet); err != nil {
			return err
		}
		run.say(report.CountChecks(checks))
	}
	if err := run.emit(shown, report.CheckMembers(checks)); err != nil {
		return err
	}
	if run.failed() {
		return done(Findings)
	}
	return nil
}

// tell prints lines for people who want to know what was done.
func (run *outcome) tell(lines ...string) {
	if run.Format == "text" && !run.Quiet {
		for _, line := range lines {
			run.Print(line)
		}
	}
}

// printDifference prints what differs in the chosen format.
func (run *outcome) printDifference(d *report.Comparison) error {
	run.head()
	if err := run.writeReports(d.Write); err != nil {
		return err
	}
	if run.Format != "text" {
		return d.Write(run.Out, run.Format)
	}
	if err := run.people(d.Threshold).Print(d.Changes(), d.Agents...); err != nil {
		return err
	}
	return run.printText(run.Found)
}

// parseReports reads --report FORMAT=FILE. It refuses files that could not be written
// in the end.
func parseReports(given, formats []string) ([]reportFile, error) {
	var files []reportFile
	for _, s := range given {
		format, name, _ := strings.Cut(s, "=")
		if !slices.Contains(formats, format) || name == "" {
			return nil, diag.UsageError("such as --report sarif=cardwright.sarif",
				"--report %s is not FORMAT=FILE with one of the formats %s", diag.Quote(s), strings.Join(formats, ", "))
		}
		if err := writable(name); err != nil {
			return nil, err
		}
		files = append(files, reportFile{format, name})
	}
	return files, nil
}

// writable refuses the name of a report that could not be written.
func writable(name string) error {
	s, err := project.Here(nil)
	if err != nil {
		return err
	}
	defer s.Close()
	dir, _, err := s.FileDir("the report", name)
	if err == nil && len(dir.Rest) > 0 {
		err = diag.UsageError("", "cannot write %s: its directory does not exist", diag.Quote(name))
	}
	return err
}
