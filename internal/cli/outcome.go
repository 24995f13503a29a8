package cli

import (
	"bytes"
	"cmp"
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
	Groups  string // the option that shows all findings of a cause; text has the first few
	Reports []reportFile
}

// reportFile is a file that findings go to beside what is printed.
type reportFile struct{ Format, Name string }

// outcome is a run of a command: what it was asked for, what it has found, and with that
// how it ends.
type outcome struct {
	run *project.Run
	*console
	reporting

	Data     bool                        // the findings are what the command is for, and go to stdout
	Comment  func(*report.Report) string // the Markdown of a command that reports more than findings
	Differs  bool                        // what was compared differs by as much as ends a run
	Unusable bool                        // what was found is why nothing could be compared
	Final    bool                        // no change of a file undoes what was found
}

// outcome begins a run of a command about what the command line names.
func (a *app) outcome(o *options, w *project.Workspace, names ...string) *outcome {
	run := &project.Run{Workspace: w, Options: o.run}
	run.Options.Named = names
	return &outcome{run: run, console: &a.console, reporting: o.reporting}
}

// report prints findings in the chosen format: for people on stderr,
// unless they are what was asked for; for programs on stdout. Extra members go
// into JSON.
func (out *outcome) report(extra ...source.Member) error {
	return out.emit(out.run.Found, extra...)
}

// emit prints findings as [outcome.report] does. People are reported some of
// them only, where they see the rest in another form.
func (out *outcome) emit(shown diag.List, extra ...source.Member) error {
	r := out.findings(extra...)
	shown = r.Prepared(shown)
	if out.Format == "text" && len(out.Reports) == 0 {
		r.Found = shown // which is all that is shown, and there may be very many
	} else {
		r.Found = r.Prepared(r.Found)
	}
	if err := out.writeReports(r.Write); err != nil {
		return err
	}
	if out.Format == "text" {
		// That a commit would leave the cards out comes first.
		slices.SortStableFunc(shown, func(a, b diag.Diagnostic) int {
			return cmp.Compare(rank(a), rank(b))
		})
		return out.printText(r, shown)
	}
	return r.Write(out.Out, out.Format)
}

func rank(d diag.Diagnostic) int {
	if d.Rule == diag.OutputIgnored {
		return 0
	}
	return 1
}

// findings are what the run has found, as a report shows them.
func (out *outcome) findings(extra ...source.Member) *report.Report {
	return &report.Report{
		Title: "cardwright " + out.Command, Version: out.Version, Home: out.Home, Found: out.run.Found,
		Repository: out.repository(), Source: out.run.Workspace.Excerpt, Members: extra, Comment: out.Comment,
	}
}

// writeReports writes the files that were asked for.
func (out *outcome) writeReports(write func(w io.Writer, format string) error) error {
	for _, file := range out.Reports {
		var b bytes.Buffer
		if err := write(&b, file.Format); err != nil {
			return err
		}
		if err := out.run.Workspace.Write("the report", file.Name, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// printText prints findings for people.
func (out *outcome) printText(r *report.Report, found diag.List) error {
	w := out.Err
	if out.Data {
		w = out.Out
	}
	text, counts := r.Text(found, out.style(w))
	_, err := io.WriteString(w, text)
	if err == nil && counts != "" {
		out.talk(counts)
	}
	return err
}

// style is how a stream gets text.
func (out *outcome) style(w io.Writer) report.Style {
	return report.Style{
		Color: out.colored(w), Group: out.Groups, All: out.All, Quiet: out.Quiet, Threshold: out.run.Options.FailOn,
	}
}

// repository is where the working directory lies in its repository.
func (out *outcome) repository() report.Repository {
	r := report.Repository{}
	if out.run.Project != nil {
		r.Default = out.run.Project.Config
	}
	if r.Default == "" && len(out.run.Options.Named) > 0 {
		r.Default = filepath.ToSlash(out.run.Options.Named[0])
	}
	here, err := files.Around(".")
	if err != nil {
		return r
	}
	r.Root = filepath.ToSlash(here.Root)
	if rel, err := filepath.Rel(here.Root, here.Base); err == nil && rel != "." {
		r.Dir = filepath.ToSlash(rel)
	}
	return r
}

// end prints the findings of a run, the last that it does.
func (out *outcome) end() error {
	if err := out.report(); err != nil {
		return err
	}
	return out.exit()
}

// endChecks prints the checks of a command: for people a line each, for programs
// as findings and the whole list.
func (out *outcome) endChecks(checks []report.Check) error {
	shown := out.run.Found // of the rest, people see the checks
	checks, failed := report.Judge(checks, out.run.Judged)
	out.run.Note(failed)
	if out.Format == "text" {
		out.Print(report.SumUp(checks))
		if _, err := io.WriteString(out.Out, report.Checks(checks, out.Quiet)); err != nil {
			return err
		}
		out.say(report.CountChecks(checks))
	}
	if err := out.emit(shown, report.CheckMembers(checks)); err != nil {
		return err
	}
	return out.exit()
}

// tell prints lines for people who want to know what was done.
func (out *outcome) tell(lines ...string) {
	if out.Format == "text" && !out.Quiet {
		for _, line := range lines {
			out.Print(line)
		}
	}
}

// printDifference prints what differs in the chosen format.
func (out *outcome) printDifference(d *report.Comparison) error {
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
