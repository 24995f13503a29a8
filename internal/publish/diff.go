package publish

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
)

// maxDiffSize bounds the files that are compared line by line, in bytes.
const maxDiffSize = 8 << 20

// Difference returns the lines of a unified diff between two versions of a file,
// of which the newer has a name of its own.
func Difference(name, newer string, before, after []byte) []string {
	text := diff.Diff(name, before, newer, after)
	_, text, _ = bytes.Cut(text, []byte("\n")) // the command that would have printed it
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// unified returns the number of the first line in which before and after
// differ, and the lines of a unified diff between them without their ends.
func unified(name string, before, after []byte) (line int, lines []string) {
	same := 0
	for same < len(before) && same < len(after) && before[same] == after[same] {
		same++
	}
	line = bytes.Count(before[:same], []byte("\n")) + 1
	generated := name + " (generated)"
	var why string
	switch {
	case max(len(before), len(after)) > maxDiffSize:
		why = "too large to compare line by line"
	case !utf8.Valid(before), !utf8.Valid(after): // an archive
		why = "no text, so there are no lines to compare"
	default:
		return line, Difference(name, generated, before, after)
	}
	return line, []string{"--- " + name, "+++ " + generated, fmt.Sprintf("@@ -%d +%[1]d @@ %s", line, why)}
}
