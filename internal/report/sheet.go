package report

import (
	"fmt"
	"io"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// Sheet is what a command has found, and what it takes to show that in every
// format.
type Sheet struct {
	Title      string    // the command as called, such as "cardwright lint"
	Version    string    // of cardwright
	Home       string    // URL of the repository of cardwright, "" while it has none
	Found      diag.List // switched and sorted
	Repository Repository
	// Fails is the severity from which a finding is a failed test, in formats that have tests.
	Fails diag.Severity
	// Source returns the content of a file that a finding names, nil when it
	// cannot be shown.
	Source func(file string) []byte
	// Members stand beside the findings in JSON.
	Members []source.Member
	// Forms are the formats that the command has for itself.
	Forms map[string]func(*Sheet, io.Writer) error
}

// sheetFormats are the formats of findings.
var sheetFormats = []struct {
	name          string
	printed, file bool                          // by --format, and by --report
	write         func(*Sheet, io.Writer) error // nil for the one for people, see [Sheet.Text]
}{
	{"text", true, false, nil},
	{"json", true, true, (*Sheet).json},
	{"sarif", true, true, (*Sheet).cataloged},
	{"github", true, true, func(s *Sheet, w io.Writer) error { return GitHub(w, s.Found, s.Repository) }},
	{"markdown", false, true, (*Sheet).markdown},
	{"gitlab", false, true, func(s *Sheet, w io.Writer) error {
		return GitLab(w, s.Found, s.Repository, s.Source)
	}},
}

// Formats are what findings are printed as.
func Formats() []string {
	var names []string
	for _, f := range sheetFormats {
		if f.printed {
			names = append(names, f.name)
		}
	}
	return names
}

// FileFormats are what findings are written to files as.
func FileFormats() []string {
	var names []string
	for _, f := range sheetFormats {
		if f.file {
			names = append(names, f.name)
		}
	}
	return names
}

// Prepared are findings as they can be shown: without credentials, and with the
// exact place of what they are about.
func (s *Sheet) Prepared(found diag.List) diag.List {
	return WithoutSecrets(lint.Pinpoint(found, s.Source))
}

// Write writes the findings in a format for programs.
func (s *Sheet) Write(w io.Writer, format string) error {
	if form := s.Forms[format]; form != nil {
		return form(s, w)
	}
	for _, f := range sheetFormats {
		if f.name == format && f.write != nil {
			return f.write(s, w)
		}
	}
	return fmt.Errorf("%q is no format of findings", format)
}

func (s *Sheet) json(w io.Writer) error {
	return JSON(w, s.Found, s.Members...)
}

func (s *Sheet) markdown(w io.Writer) error {
	return Markdown(w, s.Title, s.Found)
}

// cataloged writes the findings as SARIF, by the rules of the catalog.
func (s *Sheet) cataloged(w io.Writer) error {
	return s.sarif(w, s.Found, Catalog())
}

// Catalog are the rules as SARIF explains them.
func Catalog() []Rule {
	var rules []Rule
	for _, r := range lint.Rules() {
		rules = append(rules, Rule{
			ID: r.ID, Severity: r.Severity, Title: r.Title, Help: r.Page(),
			Page: "docs/rules.md#" + r.ID.String(),
		})
	}
	return rules
}
