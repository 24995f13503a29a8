package cli

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/source"
)

// reporting say how findings are reported.
type reporting struct {
	Format  string
	All     bool   // text lists everything
	Groups  string // the option that shows all findings of a cause, of which text has the first few
	Reports []reportFile
}

// reportFile is a file that findings go to beside what is printed.
type reportFile struct{ Format, Name string }

// outcome is a run of a command: what it was asked for, what it has found, and with that
// how it ends.
type outcome struct {
	*project.Run
	*console
	reporting

	Data     bool                                            // the findings are what the command is for, and go to stdout
	Forms    map[string]func(*report.Sheet, io.Writer) error // formats that the command has for itself
	Differs  bool                                            // what was compared differs by as much as ends a run
	Unusable bool                                            // what was found is why nothing could be compared
	Final    bool                                            // no change of a file undoes what was found
}

// outcome is a run of a command about what the command line names.
func (a *app) outcome(o *options, s *project.Space, given ...string) *outcome {
	run := &project.Run{Project: &project.Project{Space: s}, Options: o.Options}
	run.Named = given
	return &outcome{Run: run, console: &a.console, reporting: o.reporting}
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
	sheet := run.sheet(extra...)
	shown = sheet.Prepared(shown)
	if run.Format == "text" && len(run.reporting.Reports) == 0 {
		sheet.Found = shown // which is all that anybody sees, and there may be very many
	} else {
		sheet.Found = sheet.Prepared(sheet.Found)
	}
	if err := run.writeReports(sheet.Write); err != nil {
		return err
	}
	if run.Format == "text" {
		return run.printText(sheet, shown)
	}
	return sheet.Write(run.Out, run.Format)
}

// sheet is what every report says of the run.
func (run *outcome) sheet(extra ...source.Member) *report.Sheet {
	sheet := &report.Sheet{
		Title: "cardwright " + run.Command, Version: run.Version, Home: run.Home, Found: run.Found,
		Repository: run.repository(), Fails: run.FailOn, Source: run.Excerpt, Members: extra, Forms: run.Forms,
	}
	if run.Config != nil {
	}
	return sheet
}

// writeReports writes the files that were asked for.
func (run *outcome) writeReports(write func(w io.Writer, format string) error) error {
	for _, file := range run.reporting.Reports {
		var b bytes.Buffer
		if err := write(&b, file.Format); err != nil {
			return err
		}
		if _, err := run.Write("the report", file.Name, b.Bytes(), false); err != nil {
			return err
		}
	}
	return nil
}

// printText prints findings for people.
func (run *outcome) printText(sheet *report.Sheet, found diag.List) error {
	w := run.Err
	if run.Data {
		w = run.Out
	}
	counts, err := sheet.Text(w, found, report.SheetText{
		Color: run.colored(w), Group: run.Groups, All: run.All, Quiet: run.Quiet,
		Threshold: run.FailOn,
	})
	if err == nil && counts != "" {
		run.talk(counts)
	}
	return err
}

// repository is where the working directory lies in its repository.
func (run *outcome) repository() report.Repository {
	r := report.Repository{Default: run.Project.Config}
	if r.Default == "" && len(run.Named) > 0 {
		r.Default = filepath.ToSlash(run.Named[0])
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

// end prints the findings of a run, the last that it does.
func (run *outcome) end(extra ...source.Member) error {
	if err := run.report(extra...); err != nil {
		return err
	}
	return run.exit()
}

// endChecks prints the checks of a command: for people a line each, for programs
// as findings and the whole list.
func (run *outcome) endChecks(checks []report.Check) error {
	shown := run.Found // of the rest, people see the checks
	checks, failed := report.Judge(checks, run.Judged)
	run.Note(failed)
	if run.Format == "text" {
		run.Print(report.SumUp(checks))
		if err := report.Checks(run.Out, checks, run.Quiet); err != nil {
			return err
		}
		run.say(report.CountChecks(checks))
	}
	if err := run.emit(shown, report.CheckMembers(checks)); err != nil {
		return err
	}
	return run.exit()
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
	d.Sheet = run.sheet()
	if err := run.writeReports(d.Write); err != nil {
		return err
	}
	if run.Format != "text" {
		return d.Write(run.Out, run.Format)
	}
	return d.Text(run.people())
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
