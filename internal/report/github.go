package report

import (
	"fmt"
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

// github prints findings as workflow commands of GitHub Actions, which shows
// them as annotations on the lines of a pull request.
func (r *Report) github() string {
	var b strings.Builder
	for _, d := range r.Found {
		annotate(&b, d, r.Repository)
	}
	return b.String()
}

// The escapes of workflow commands. Data and properties are taken apart at
// these characters, and at no others.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(b *strings.Builder, d diag.Diagnostic, repo Repository) {
	var properties []string
	text := func(name, value string) {
		properties = append(properties, name+"="+escapeProperty.Replace(inline(value)))
	}
	number := func(name string, value int) {
		if value > 0 {
			text(name, strconv.Itoa(value))
		}
	}
	if file := repo.file(d.Span.File); file != "" {
		text("file", file)
	}
	number("line", d.Span.Line)
	// GitHub wants columns only within one line, and the last one is the last inside.
	if s := d.Span; s.EndLine > s.Line {
		number("endLine", s.EndLine)
	} else if number("col", s.Column); s.EndColumn > 0 {
		number("endColumn", max(s.EndColumn-1, s.Column))
	}
	text("title", d.Rule.String())

	lines := []string{d.Message}
	if d.Hint != "" {
		lines = append(lines, "hint: "+d.Hint)
	}
	for _, r := range d.Related {
		lines = append(lines, located(r))
	}
	for i, line := range lines {
		lines[i] = escapeData.Replace(inline(line))
	}
	fmt.Fprintf(b, "::%s %s::%s\n", commands[d.Severity], strings.Join(properties, ","), strings.Join(lines, "%0A"))
}

// commands are the names that GitHub has for severities.
var commands = map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}
