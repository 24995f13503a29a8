package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// gitlab prints findings as GitLab reads them from a code quality report: an array
// in which each has a description, a fingerprint of its own and a line of a file.
func (r *Report) gitlab() string {
	seen := fingerprints{}
	severities := map[diag.Severity]string{diag.Error: "major", diag.Warning: "minor", diag.Info: "info"}
	return printJSON(source.ListOf(r.Found, func(d diag.Diagnostic) *source.Node {
		file := r.Repository.file(d.Span.File)
		description := d.Message
		if d.Hint != "" {
			description += " (hint: " + d.Hint + ")"
		}
		return source.ObjectOf(
			"description", description,
			"check_name", d.Rule.String(),
			"fingerprint", seen.of(d, file),
			"severity", severities[d.Severity],
			"location", source.ObjectOf(
				"path", cmp.Or(file, "."),
				"lines", source.ObjectOf("begin", max(d.Span.Line, 1)),
			),
		)
	}))
}

// fingerprints count how often a run has the same finding. A fingerprint finds one again
// in the next run: by rule, file and message, whatever its line is. In SARIF it has a name of
// its own: the one that GitHub reads, primaryLocationLineHash, its upload action computes.
type fingerprints map[string]int

func (f fingerprints) of(d diag.Diagnostic, file string) string {
	key := strings.Join([]string{d.Rule.String(), file, d.Message}, "\x00")
	f[key]++
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(f[key])))
	return hex.EncodeToString(sum[:16])
}
