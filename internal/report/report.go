package report

import (
	"fmt"
	"io"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// Report is what a command has found, and what it takes to show that in every format.
type Report struct {
	Title      string    // the command as called, such as "cardwright lint"
	Version    string    // of cardwright
	Home       string    // URL of the repository of cardwright, "" while it has none
	Found      diag.List // switched and sorted
	Repository Repository
	// Source returns the content of a file that a finding names, nil when it
	// cannot be shown.
	Source func(file string) []byte
	// Members stand next to the findings in JSON.
	Members []source.Member
	// Rules are what SARIF explains, nil for the rules of lint.
	Rules []Rule
	// Comment is the Markdown of a command that reports more than findings, nil for others.
	Comment func(*Report) string
}

// format is a format of findings.
type format struct {
	name          string
	printed, file bool                 // by --format, and by --report
	write         func(*Report) string // nil for the one for people, see [Report.Text]
}

func formats() []format {
	return []format{
		{"text", true, false, nil},
		{"json", true, true, (*Report).json},
		{"sarif", true, true, (*Report).sarif},
		{"github", true, true, (*Report).github},
		{"markdown", false, true, (*Report).markdown},
		{"gitlab", false, true, (*Report).gitlab},
	}
}

// Formats are what findings are printed as.
func Formats() []string { return names(func(f format) bool { return f.printed }) }

// FileFormats are what findings are written to files as.
func FileFormats() []string { return names(func(f format) bool { return f.file }) }

func names(wanted func(format) bool) (names []string) {
	for _, f := range formats() {
		if wanted(f) {
			names = append(names, f.name)
		}
	}
	return names
}

// Prepared are findings as they can be shown: without credentials, and with the
// exact place of what they are about.
func (r *Report) Prepared(found diag.List) diag.List {
	return withoutSecrets(lint.Pinpoint(found, r.Source))
}

// Write writes the findings in a format for programs.
func (r *Report) Write(w io.Writer, name string) error {
	i := slices.IndexFunc(formats(), func(f format) bool { return f.name == name && f.write != nil })
	if i < 0 {
		return fmt.Errorf("%q is no format of findings", name)
	}
	_, err := io.WriteString(w, formats()[i].write(r))
	return err
}
