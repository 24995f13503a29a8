package cli

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/buildinfo"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/report"
	"cardwright/internal/source"
)

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
	return a.emit(run, run.Found, extra...)
}

// emit prints findings as [app.printFindings] does. People are told some of
// them only, where they see the rest in another form.
func (a *app) emit(run *built, shown diag.List, extra ...source.Member) error {
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
func (a *app) head(run *built) {
	run.Title, run.Version, run.Home = a.title(), buildinfo.Read(a.version).Version, home
	run.Source, run.Repository = run.space.Excerpt, run.repository()
	if run.config != nil {
		run.House = houseRules(run.config)
	}
}

// writeReports writes the files that were asked for.
func (a *app) writeReports(run *built, write func(w io.Writer, format string) error) error {
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
func (a *app) printText(run *built, found diag.List) error {
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
func houseRules(c *config.Config) []report.Rule {
	var rules []report.Rule
	for _, p := range policiesOf(c) {
		rules = append(rules, report.Rule{
			ID: p.ID, Severity: p.Severity,
			Title: cmp.Or(p.Message, "a policy of this project"),
		})
	}
	return rules
}
