package publish

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
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
		"context of three": {numbers(1, 20), strings.Replace(numbers(1, 20), "10\n", "ten\n", 1), 10, []string{
			"@@ -7,7 +7,7 @@", " 7", " 8", " 9", "-10", "+ten", " 11", " 12", " 13",
		}},
		"two hunks": {numbers(1, 30), strings.Replace(numbers(2, 30), "20\n", "", 1), 1, []string{
			"@@ -1,4 +1,3 @@", "-1", " 2", " 3", " 4",
			"@@ -17,7 +16,6 @@", " 17", " 18", " 19", "-20", " 21", " 22", " 23",
		}},
		"appended":      {numbers(1, 9), numbers(1, 10), 10, []string{"@@ -7,3 +7,4 @@", " 7", " 8", " 9", "+10"}},
		"repeated line": {"a\na\n", "a\na\na\n", 3, []string{"@@ -1,2 +1,3 @@", " a", " a", "+a"}},
		"empty before":  {"", "a\n", 1, []string{"@@ -0,0 +1,1 @@", "+a"}},
		"empty after":   {"a\nb\n", "", 1, []string{"@@ -1,2 +0,0 @@", "-a", "-b"}},
		"last end missing": {"a\nb", "a\nb\n", 2, []string{
			"@@ -1,2 +1,2 @@", " a", "-b",
			`\ No newline at end of file`, "+b",
		}},
		"other line ends": {"a\r\nb\n", "a\nb\n", 1, []string{"@@ -1,2 +1,2 @@", "-a\r", "+a", " b"}},
		"binary":          {"\x00\xff\n", "a\n", 1, []string{"@@ -1 +1 @@ no text, so there are no lines to compare"}},
		"end of a large": {numbers(1, 45_000), numbers(1, 44_999), 45000, []string{
			"@@ -44997,4 +44997,3 @@", " 44997", " 44998", " 44999", "-45000",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			line, got := unified("dist/x", []byte(test.before), []byte(test.after))
			equal(t, test.line, line)
			equal(t, append([]string{"--- dist/x", "+++ dist/x (generated)"}, test.want...), got)
		})
	}
}

// FuzzUnified applies the diff to the one file and wants the other.
func FuzzUnified(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc\n")
	f.Add("", "a")
	f.Add("a\na\na\nb\n\n\n", "\n\nb\na")
	f.Fuzz(func(t *testing.T, before, after string) {
		if before == after || !utf8.ValidString(before) || !utf8.ValidString(after) {
			return
		}
		_, diff := unified("x", []byte(before), []byte(after))
		for _, line := range diff {
			if strings.Contains(line, "\n") {
				t.Errorf("%q is more than the one line that it is escaped as", line)
			}
		}
		if got := patch(t, before, diff[2:]); got != after {
			t.Errorf("the diff of %q and %q makes %q:\n%s", before, after, got, strings.Join(diff, "\n"))
		}
	})
}

// patch applies hunks to a text.
func patch(t *testing.T, text string, diff []string) string {
	t.Helper()
	rest := strings.SplitAfter(text, "\n")
	done := 0
	var out []string
	for i, line := range diff {
		body := line[1:] + "\n"
		if i+1 < len(diff) && strings.HasPrefix(diff[i+1], `\`) {
			body = line[1:]
		}
		switch line[0] {
		case '@':
			var from, n int
			if k, _ := fmt.Sscanf(line, "@@ -%d,%d", &from, &n); k < 2 {
				n = 1
			}
			if n == 0 {
				from++
			}
			out = append(out, rest[:from-1-done]...)
			rest, done = rest[from-1-done:], from-1
		case '+':
			out = append(out, body)
		case ' ', '-':
			if len(rest) == 0 || rest[0] != body {
				t.Fatalf("%q does not apply", line)
			}
			if line[0] == ' ' {
				out = append(out, body)
			}
			rest, done = rest[1:], done+1
		}
	}
	return strings.Join(slices.Concat(out, rest), "")
}

// BenchmarkUnified compares files that are as hard to compare as they can be.
func BenchmarkUnified(b *testing.B) {
	var before, after strings.Builder
	for i := range 10_000 {
		fmt.Fprintln(&before, i*i%211)
		fmt.Fprintln(&after, i*i*i%199)
	}
	b.ReportAllocs()
	for b.Loop() {
		unified("x", []byte(before.String()), []byte(after.String()))
	}
}
