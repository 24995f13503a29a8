package publish

import (
	"fmt"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	numbers := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintln(&b, i)
		}
		return b.String()
	}
	for name, test := range map[string]struct {
		before, after string
		line          int
		want          []string
	}{
		"one line": {"a\nb\nc\n", "a\nB\nc\n", 2, []string{"@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"}},
		"two hunks": {numbers(1, 30), strings.Replace(numbers(2, 30), "20\n", "", 1), 1, []string{
			"@@ -1,4 +1,3 @@", "-1", " 2", " 3", " 4",
			"@@ -17,7 +16,6 @@", " 17", " 18", " 19", "-20", " 21", " 22", " 23",
		}},
		"empty before": {"", "a\n", 1, []string{"@@ -0,0 +1,1 @@", "+a"}},
		"last end missing": {"a\nb", "a\nb\n", 2, []string{
			"@@ -1,2 +1,2 @@", " a", "-b",
			`\ No newline at end of file`, "+b",
		}},
		"binary": {"\x00\xff\n", "a\n", 1, []string{"@@ -1 +1 @@ no text, so there are no lines to compare"}},
		"large": {strings.Repeat("a\n", maxDiffSize), "a\n", 2, []string{
			"@@ -2 +2 @@ too large to compare line by line",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			line, got := unified("dist/x", []byte(test.before), []byte(test.after))
			equal(t, test.line, line)
			equal(t, append([]string{"--- dist/x", "+++ dist/x (generated)"}, test.want...), got)
		})
	}
}
