package report

import (
	"io"
	"path"
	"strconv"
	"strings"

	"cardwright/internal/diag"
)

// Repository says how a service that shows findings on code spells files: with
// slashes, relative to the root of the repository.
type Repository struct {
	// Root is the absolute path of the root of the repository, "" when files
	// that findings name absolutely shall stay so.
	Root string
	// Dir is the working directory, relative to the root of the repository. ""
	// is the root itself.
	Dir string
	// Default is the file for findings that name none, relative to the working
	// directory.
	Default string
}

// file spells the file of a finding, "" when there is none. A flag of the
// command line is not a file of the repository.
func (r Repository) file(name string) string {
	if name == "" || strings.HasPrefix(name, "--") {
		name = r.Default
	}
	if name == "" {
		return ""
	}
	if inside, ok := strings.CutPrefix(name, r.Root+"/"); ok && r.Root != "" {
		return path.Clean(inside)
	}
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(r.Dir, name)
}

// GitHub prints findings as workflow commands of GitHub Actions, which shows
// them as annotations on the lines of a pull request.
func GitHub(w io.Writer, found diag.List, repo Repository) error {
	var b strings.Builder
	for _, d := range found {
		annotate(&b, d, repo)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// The escapes of workflow commands. Data and properties are taken apart at
// these characters, and at no others.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(b *strings.Builder, d diag.Diagnostic, repo Repository) {
	b.WriteString("::" + commands[d.Severity])
	separator := " "
	property := func(name, value string) {
		b.WriteString(separator + name + "=" + escapeProperty.Replace(inline(value)))
		separator = ","
	}
	if file := repo.file(d.Span.File); file != "" {
		property("file", file)
	}
	for _, p := range position(d.Span) {
		if p.value > 0 {
			property(p.name, strconv.Itoa(p.value))
		}
	}
	property("title", d.Rule.String())

	lines := []string{d.Message}
	if d.Hint != "" {
		lines = append(lines, "hint: "+d.Hint)
	}
	for _, r := range d.Related {
		lines = append(lines, located(r))
	}
	b.WriteString("::")
	for i, line := range lines {
		if i > 0 {
			b.WriteString("%0A")
		}
		b.WriteString(escapeData.Replace(inline(line)))
	}
	b.WriteByte('\n')
}

// number is a property that is left out when it is zero.
type number struct {
	name  string
	value int
}

// position spells a span as GitHub wants it: columns only within one line, and
// the last one is the last inside.
func position(s diag.Span) []number {
	if s.EndLine > s.Line {
		return []number{{"line", s.Line}, {"endLine", s.EndLine}}
	}
	end := 0
	if s.EndColumn > 0 {
		end = max(s.EndColumn-1, s.Column)
	}
	return []number{{"line", s.Line}, {"col", s.Column}, {"endColumn", end}}
}

// commands are the names that GitHub has for severities.
var commands = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}
