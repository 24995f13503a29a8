package cli

import (
	"bytes"
	"cmp"
	"errors"
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

// home is the URL of the repository of cardwright, without a slash at its end,
// such as "https://github.com/OWNER/cardwright". It is "" until the first
// release. No other place states it, and without it no URL is printed.
const home = ""

// result is a run of a command: what it was asked for, what it has found, and with that
// how it ends.
type result struct {
	run *project.Run
	*console
	*settings
	Data bool // the findings are what the command is for, and go to stdout
}

// begin starts a run of a command about what the command line names.
func (a *app) begin(names ...string) (*result, error) {
	w, err := a.space()
	if err != nil {
		return nil, err
	}
	run := &project.Run{Workspace: w, Options: a.options}
	run.Options.Named = names
	return a.result(run), nil
}

func (a *app) result(run *project.Run) *result {
	return &result{run: run, console: &a.console, settings: &a.settings}
}

// report prints findings in the chosen format: for people on stderr,
// unless they are what was asked for; for programs on stdout. Extra members go
// into JSON.
func (out *result) report(extra ...source.Member) error {
	return out.emit(out.run.Found, extra...)
}

// emit prints findings as [result.report] does. People are reported some of
// them only, where they see the rest in another form.
func (out *result) emit(shown diag.List, extra ...source.Member) error {
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
	if out.Format != "text" {
		return r.Write(out.Out, out.Format)
	}
	slices.SortStableFunc(shown, func(a, b diag.Diagnostic) int { return cmp.Compare(rank(a), rank(b)) })
	return out.printText(r, shown)
}

// rank is lower for what people see first: that a commit would leave the cards out.
func rank(d diag.Diagnostic) int {
	if d.Rule == diag.OutputIgnored {
		return 0
	}
	return 1
}

// findings are what the run has found, as a report shows them.
func (out *result) findings(extra ...source.Member) *report.Report {
	r := &report.Report{
		Title: "cardwright " + out.Command, Version: out.Version, Home: home, Found: out.run.Found,
		Repository: out.repository(), Source: out.run.Workspace.Excerpt, Members: extra,
	}
	if out.run.Drift != nil {
		r.Comment = out.run.Drift.Comment
	}
	return r
}

// writeReports writes the files that were asked for.
func (out *result) writeReports(write func(w io.Writer, format string) error) error {
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
func (out *result) printText(r *report.Report, found diag.List) error {
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
func (out *result) style(w io.Writer) report.Style {
	return report.Style{
		Color: out.colored(w), All: out.All, Quiet: out.Quiet, Threshold: out.run.Options.FailOn,
	}
}

// repository is where the working directory lies in its repository.
func (out *result) repository() report.Repository {
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

// print prints lines for people who want to know what was done.
func (out *result) print(lines ...string) {
	if out.Format == "text" && !out.Quiet {
		for _, line := range lines {
			out.Print(line)
		}
	}
}

// end prints the findings of a run, the last that it does.
func (out *result) end() error { return cmp.Or(out.report(), out.exit()) }

// endChecks prints the checks of a command: for people a line each, for programs
// as findings and the whole list.
func (out *result) endChecks(checks []report.Check) error {
	shown := out.run.Found // of the rest, people see the checks
	checks, failed := report.Configured(checks, out.run.Counted)
	out.run.Note(failed)
	if out.Format == "text" {
		out.Print(report.SumUp(checks))
		if _, err := io.WriteString(out.Out, report.Checks(checks, out.Quiet)); err != nil {
			return err
		}
		out.say(report.CountChecks(checks))
	}
	return cmp.Or(out.emit(shown, report.CheckMembers(checks)), out.exit())
}

// exit ends a command that has printed what it has found, by the worst of it. A file that may
// not be replaced is a finding, a directory that cannot be one is a mistake in the call,
// one that cannot be written to is a failure.
func (out *result) exit() error {
	code := OK
	for _, d := range out.run.Found {
		if d.Severity < out.run.Options.FailOn {
			continue
		}
		rule, _ := d.Rule.Rule()
		if code = max(code, Findings+int(rule.Exit)); out.isNamed(d) {
			code = max(code, Usage)
		}
	}
	if code == OK {
		return nil
	}
	return exitError(code)
}

// isNamed reports whether a finding says that a source cannot be read which the
// configuration or the command line names, and not only a file in one.
func (out *result) isNamed(d diag.Diagnostic) bool {
	return d.Rule == diag.SourceUnreadable && d.Severity == diag.Error &&
		(out.run.Project.Configures(d.Span.File) || slices.Contains(out.run.Options.Named, d.Span.File))
}

// parseReports reads --report FORMAT=FILE. It refuses files that could not be written
// in the end.
func (a *app) parseReports() error {
	formats := report.FileFormats()
	for _, given := range a.report {
		format, name, _ := strings.Cut(given, "=")
		if !slices.Contains(formats, format) || name == "" || name == "-" {
			return usageError("such as --report sarif=cardwright.sarif; for stdout use --format",
				"--report %s is not FORMAT=FILE with one of the formats %s", diag.Quote(given), strings.Join(formats, ", "))
		}
		w, err := a.space()
		if err != nil {
			return err
		}
		dir, _, err := w.FileDir("the report", name)
		if err == nil && len(dir.Rest) > 0 {
			err = usageError("", "cannot write %s: its directory does not exist", diag.Quote(name))
		}
		if err != nil {
			return err
		}
		a.Reports = append(a.Reports, reportFile{format, name})
	}
	return nil
}

// reportFailure reports why a command ended before it had findings, in the format and
// to the files that its command line asks for: a service shows nothing else.
func reportFailure(a *app, err error) {
	if _, reported := errors.AsType[exitError](err); err == nil || reported {
		return
	}
	if !slices.Contains(report.Formats(), a.Format) {
		a.Format = "text"
	}
	out, unusable := a.begin()
	if unusable != nil || a.Format == "text" && len(a.Reports) == 0 {
		return
	}
	failure := diag.New(diag.CommandFailed, diag.Span{}, "%s", err)
	if call, ok := errors.AsType[*diag.CallError](err); ok {
		failure = failure.WithHint(call.Hint)
	}
	out.run.Found = diag.List{failure}
	r := out.findings()
	r.Found = r.Prepared(r.Found)
	_ = out.writeReports(r.Write) // a second failure has nowhere to go
	if a.Format != "text" {
		_ = r.Write(a.Out, a.Format)
	}
}
