package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// GitLab prints findings as GitLab reads them from a code quality report: an array
// in which each has a description, a fingerprint of its own and a line of a file.
func GitLab(w io.Writer, found diag.List, repo Repository, read func(file string) []byte) error {
	prints := fingerprints{source: excerpts{read: read}, seen: map[string]int{}}
	severities := map[diag.Severity]string{diag.Error: "major", diag.Warning: "minor", diag.Info: "info"}
	return Document(w, source.ListOf(found, func(d diag.Diagnostic) *source.Node {
		file := repo.file(d.Span.File)
		return source.ObjectOf(
			"description", withHint(d),
			"check_name", d.Rule.String(),
			"fingerprint", prints.of(d, file),
			"severity", severities[d.Severity],
			"location", source.ObjectOf(
				"path", cmp.Or(file, "."),
				"lines", source.ObjectOf("begin", max(d.Span.Line, 1)),
			),
		)
	}))
}

// withHint is a finding where one text has to hold it all.
func withHint(d diag.Diagnostic) string {
	text := d.Message
	if d.Hint != "" {
		text += " (hint: " + d.Hint + ")"
	}
	return text
}

// fingerprints tell findings of one run apart, and find them again in the next:
// by rule, file and what stands on the line, whatever its number is.
//
// They have a name of their own: the one that GitHub reads,
// primaryLocationLineHash, its upload action computes, and warns of others.
type fingerprints struct {
	source excerpts
	seen   map[string]int // how often a line drew a finding of a rule
}

// of returns the fingerprint of a finding in a file.
func (f *fingerprints) of(d diag.Diagnostic, file string) string {
	parts := []string{d.Rule.String(), file, f.text(d.Span)}
	key := strings.Join(parts, "\x00")
	f.seen[key]++
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(f.seen[key])))
	return hex.EncodeToString(sum[:16])
}

// text returns the line of a span without its white space. Of a long line, such
// as a card without line breaks, it is what stands around the place.
func (f *fingerprints) text(s diag.Span) string {
	line, ok := f.source.line(s)
	if !ok {
		return ""
	}
	const long, around = 400, 50
	if len(line) > long {
		before, _, rest := f.source.split(line, s)
		line = last(before, around) + first(line[len(line)-len(rest):], around)
	}
	return strings.Join(strings.Fields(line), " ")
}
