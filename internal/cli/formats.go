package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/buildinfo"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/paths"
	"cardwright/internal/report"
	"cardwright/internal/secret"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
)

// formats are what findings are printed as.
var formats = []string{"text", "json", "sarif", "github"}

// reportFormats are what findings are written to files as.
var reportFormats = []string{"json", "sarif", "github", "markdown"}

// reportFile is a file that findings go to beside what is printed.
type reportFile struct{ format, name string }

// parseReports reads --report FORMAT=FILE.
func parseReports(given, formats []string) ([]reportFile, error) {
	var files []reportFile
	for _, s := range given {
		format, name, _ := strings.Cut(s, "=")
		if !slices.Contains(formats, format) || name == "" {
			return nil, usageError("such as --report sarif=cardwright.sarif",
				"--report %s is not FORMAT=FILE with one of the formats %s", diag.Quote(s), strings.Join(formats, ", "))
		}
		if err := place(name); err != nil {
			return nil, err
		}
		files = append(files, reportFile{format, name})
	}
	return files, nil
}

// place refuses the name of a report that could not be written in the end.
func place(name string) error {
	p, err := new(app).space()
	if err != nil {
		return err
	}
	defer p.Close()
	dir, _, err := p.FileDir("the report", name)
	if err == nil && len(dir.Rest) > 0 {
		err = usageError("", "cannot write %s: its directory does not exist", diag.Quote(name))
	}
	return err
}

// printFindings prints findings in the chosen format: for people on stderr,
// unless they are what was asked for; for programs on stdout. Extra members go
// into JSON.
func (a *app) printFindings(run *built, extra ...source.Member) error {
	return a.emit(run, run.found, extra...)
}

// emit prints findings as [app.printFindings] does. People are told some of
// them only, where they see the rest in another form.
func (a *app) emit(run *built, shown diag.List, extra ...source.Member) error {
	run.found, shown = lint.Pinpoint(run.found, run.space.Excerpt), lint.Pinpoint(shown, run.space.Excerpt)
	run.found, run.ignored, shown = withoutSecrets(run.found), withoutSecrets(run.ignored), withoutSecrets(shown)
	err := writeReports(run.space, run.options.reports,
		func(w io.Writer, format string) error { return a.render(w, format, run, extra) })
	if err != nil {
		return err
	}
	if run.options.format == "text" {
		return a.printText(run, shown)
	}
	return a.render(a.Out, run.options.format, run, extra)
}

// withoutSecrets masks the credentials that findings quote from input.
func withoutSecrets(found diag.List) diag.List {
	out := slices.Clone(found)
	for i := range out {
		d := &out[i]
		d.Message, d.Hint = secret.MaskText(d.Message), secret.MaskText(d.Hint)
		d.Related = slices.Clone(d.Related)
		for j := range d.Related {
			d.Related[j].Message = secret.MaskText(d.Related[j].Message)
		}
	}
	return out
}

// writeReports writes the files that were asked for.
func writeReports(s *workspace.Space, files []reportFile, render func(w io.Writer, format string) error) error {
	for _, file := range files {
		var b bytes.Buffer
		if err := render(&b, file.format); err != nil {
			return err
		}
		if _, err := s.Write("the report", file.name, b.Bytes(), false); err != nil {
			return err
		}
	}
	return nil
}

// printText prints findings for people.
func (a *app) printText(run *built, found diag.List) error {
	if a.quiet {
		found = slices.DeleteFunc(slices.Clone(found),
			func(d diag.Diagnostic) bool { return d.Severity < run.options.threshold() })
	}
	w := a.Err
	if run.data {
		w = a.Out
	}
	options := report.TextOptions{Color: a.colored(w), Source: run.space.Excerpt, Group: run.options.groups &&
		!run.options.all}
	if err := report.Text(w, found, options); err != nil {
		return err
	}
	counts := []string{report.Count(found)}
	if n := countLeftOut(found); n > 0 && !a.quiet {
		counts = append(counts, count(n, "skill")+" left out of the card")
	}
	if n := len(run.ignored); n > 0 && !a.quiet {
		counts = append(counts, ignoredCount(n)+" (--all lists them)")
		if run.options.all {
			counts[len(counts)-1] = ignoredCount(n)
			if _, err := fmt.Fprintln(w, "ignored by a2a-lint-ignore:"); err != nil {
				return err
			}
			if err := report.Text(w, run.ignored, options); err != nil {
				return err
			}
		}
	}
	if line := strings.Join(slices.DeleteFunc(counts, func(s string) bool { return s == "" }), ", "); line != "" {
		a.talk(line)
	}
	return nil
}

// countLeftOut counts the findings that cost a skill.
func countLeftOut(found diag.List) int {
	n := 0
	for _, d := range found {
		if d.LeftOut() {
			n++
		}
	}
	return n
}

// ignoredCount says how many findings the skills themselves switch off.
func ignoredCount(n int) string { return count(n, "finding") + " ignored by a2a-lint-ignore" }

// render writes findings in a format for programs.
func (a *app) render(w io.Writer, format string, run *built, extra []source.Member) error {
	if form := run.forms[format]; form != nil {
		return form(w)
	}
	switch format {
	case "sarif":
		return report.SARIF(w, run.found, a.sarif(run, slices.Concat(describedRules(), run.houseRules())))
	case "github":
		return report.GitHub(w, run.found, run.repository())
	case "markdown":
		if err := report.Markdown(w, a.title(), run.found); err != nil || len(run.ignored) == 0 {
			return err
		}
		_, err := fmt.Fprintf(w, "\n%s\n", ignoredCount(len(run.ignored)))
		return err
	}
	if len(run.ignored) > 0 {
		extra = slices.Concat([]source.Member{report.Findings("ignored", run.ignored)}, extra)
	}
	return report.JSON(w, run.found, extra...)
}

// sarif says how a run's findings by the given rules are shown.
func (a *app) sarif(run *built, rules []report.Rule) report.SARIFOptions {
	version := buildinfo.Read(a.version).Version
	return report.SARIFOptions{
		Version: version, Home: home, Rules: rules, Repository: run.repository(),
		Source: run.space.Excerpt,
	}
}

// repository tells where the working directory lies in its repository.
func (b *built) repository() report.Repository {
	var r report.Repository
	if b.project != nil {
		r.Default = b.project.Config
	}
	if r.Default == "" && len(b.given) > 0 {
		r.Default = filepath.ToSlash(b.given[0])
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
func (b *built) houseRules() []report.Rule {
	if b.config == nil {
		return nil
	}
	var rules []report.Rule
	for _, p := range policiesOf(b.config) {
		rules = append(rules, report.Rule{
			ID: p.ID, Severity: p.Severity,
			Title: cmp.Or(p.Message, "a policy of this project"),
		})
	}
	return rules
}

// describedRules is the catalog as SARIF explains it.
func describedRules() []report.Rule {
	var rules []report.Rule
	for _, r := range lint.Rules() {
		rules = append(rules, report.Rule{
			ID: r.ID, Severity: r.Severity, Title: r.Title, Help: r.Page(),
			Page: "docs/rules.md#" + r.ID,
		})
	}
	return rules
}
