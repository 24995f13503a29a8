package report

import (
	"cmp"
	"io"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// CodeQuality prints findings as GitLab reads them from a code quality report: an array
// in which each has a description, a fingerprint of its own and a line of a file.
func CodeQuality(w io.Writer, found diag.List, repo Repository, read func(file string) []byte) error {
	prints := fingerprints{source: excerpts{read: read}, seen: map[string]int{}}
	report := array(len(found), func(i int) *source.Node {
		d := found[i]
		file := repo.file(d.Span.File)
		lines := object()
		lines.Set("begin", source.NewInt(max(d.Span.Line, 1)))
		location := object()
		location.SetText("path", cmp.Or(file, "."))
		location.Set("lines", lines)
		n := object()
		n.SetText("description", withHint(d))
		n.SetText("check_name", d.Rule)
		n.SetText("fingerprint", prints.of(d, file))
		n.SetText("severity", codeClimate(d.Severity))
		n.Set("location", location)
		return n
	})
	return Document(w, report)
}

// withHint is what a finding says where one text has to hold it all.
func withHint(d diag.Diagnostic) string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + " (hint: " + d.Hint + ")"
}

// codeClimate is the name that GitLab has for a severity.
func codeClimate(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "major"
	case diag.Warning:
		return "minor"
	}
	return "info"
}
