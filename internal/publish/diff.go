package publish

import (
	"bytes"
	"fmt"
	"strings"

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
	if max(len(before), len(after)) > maxDiffSize {
		return line, []string{
			"--- " + name, "+++ " + generated,
			fmt.Sprintf("@@ -%d +%[1]d @@ too large to compare line by line", line),
		}
	}
	return line, Difference(name, generated, before, after)
}
