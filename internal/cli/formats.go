package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/source"
)

// formats are what findings are printed as.
var formats = []string{"text", "json", "sarif", "github"}

// reportFormats are what findings are written to files as.
var reportFormats = []string{"json", "sarif", "github", "markdown"}

// reportFile is a file that findings go to beside what is printed.
type reportFile struct{ format, name string }

// parseReports reads --report FORMAT=FILE.
func parseReports(given []string) ([]reportFile, error) {
	var files []reportFile
	for _, s := range given {
		format, name, _ := strings.Cut(s, "=")
		if !slices.Contains(reportFormats, format) || name == "" {
			return nil, usageError("such as --report sarif=cardwright.sarif", "--report %s is not FORMAT=FILE with one of the formats %s", diag.Quote(s), strings.Join(reportFormats, ", "))
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return nil, usageError("", "cannot write %s: its directory does not exist", diag.Quote(name))
		}
		files = append(files, reportFile{format, name})
	}
	return files, nil
}

// printFindings prints findings in the chosen format: for people on stderr,
// unless they are what was asked for; for programs on stdout. Extra members go
// into JSON.
func (a *app) printFindings(run *built, extra ...source.Member) error {
	return a.emit(run, run.found, extra...)
}

// emit prints findings as [app.printFindings] does. People are told some of
// them only, where they see the rest in another form.
func (a *app) emit(run *built, told diag.List, extra ...source.Member) error {
	run.found, told = withoutSecrets(run.found), withoutSecrets(told)
	err := a.writeReports(run.options.reports, func(w io.Writer, format string) error { return a.render(w, format, run, extra) })
	if err != nil {
		return err
	}
	if run.options.format == "text" {
		return a.tellFindings(run, told)
	}
	return a.render(a.Out, run.options.format, run, extra)
}

// withoutSecrets masks the credentials that findings quote from input.
func withoutSecrets(found diag.List) diag.List {
	out := slices.Clone(found)
	for i := range out {
		d := &out[i]
		d.Message, d.Hint = lint.MaskText(d.Message), lint.MaskText(d.Hint)
		d.Related = slices.Clone(d.Related)
		for j := range d.Related {
			d.Related[j].Message = lint.MaskText(d.Related[j].Message)
		}
	}
	return out
}

// writeReports writes the files that were asked for.
func (a *app) writeReports(files []reportFile, render func(w io.Writer, format string) error) error {
	for _, file := range files {
		var b bytes.Buffer
		if err := render(&b, file.format); err != nil {
			return err
		}
		if _, err := publish.WriteFile(file.name, b.Bytes(), false); err != nil {
			return err
		}
	}
	return nil
}

// tellFindings prints findings for people.
func (a *app) tellFindings(run *built, found diag.List) error {
	if a.quiet {
		found = slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Severity < run.options.threshold() })
	}
	w := a.Err
	if run.data {
		w = a.Out
	}
	if err := report.Text(w, found, report.TextOptions{Color: a.colored(w), Source: run.project.excerpt}); err != nil {
		return err
	}
	if len(found) > 0 {
		a.talk(report.Count(found))
	}
	return nil
}

// render writes findings in a format for programs.
func (a *app) render(w io.Writer, format string, run *built, extra []source.Member) error {
	switch format {
	case "sarif":
		return report.SARIF(w, run.found, a.sarif(run, describedRules()))
	case "github":
		return report.GitHub(w, run.found, run.repository())
	case "markdown":
		if run.markdown != nil {
			return run.markdown(w)
		}
		return report.Markdown(w, run.found)
	}
	return report.JSON(w, run.found, extra...)
}

// sarif says how a run's findings by the given rules are shown.
func (a *app) sarif(run *built, rules []report.Rule) report.SARIFOptions {
	version, _ := buildVersion(a.version)
	return report.SARIFOptions{Version: version, Rules: rules, Repository: run.repository(), Source: run.project.excerpt}
}

// repository tells where the working directory lies in its repository.
func (b *built) repository() report.Repository {
	r := report.Repository{Default: b.project.config}
	if r.Default == "" && len(b.given) > 0 {
		r.Default = filepath.ToSlash(b.given[0])
	}
	working, err := os.Getwd()
	if err == nil {
		working, err = filepath.EvalSymlinks(working)
	}
	if err != nil {
		return r
	}
	root := workTree(working)
	r.Root = filepath.ToSlash(root)
	if rel, err := filepath.Rel(root, working); err == nil && rel != "." {
		r.Dir = filepath.ToSlash(rel)
	}
	return r
}

// describedRules is the catalogue as SARIF explains it.
func describedRules() []report.Rule {
	var rules []report.Rule
	for _, r := range lint.Rules() {
		rules = append(rules, report.Rule{ID: r.ID, Severity: r.Severity, Title: r.Title, Help: r.Page()})
	}
	return rules
}
