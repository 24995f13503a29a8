package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/report"
)

// A key of several lines is masked on both sides of a diff, with its context.
func TestUnifiedShowsNoKey(t *testing.T) {
	const begin, end = "-----BEGIN PRIVATE " + "KEY-----", "-----END PRIVATE " + "KEY-----"
	body := strings.Repeat("aB3/", 16)
	var b strings.Builder
	err := report.Unified(&b, []string{
		"--- notes.md", "+++ notes.md (generated)", "@@ -1,5 +1,5 @@",
		" one", " " + begin, "-" + body, "+x" + body[1:], " " + end, " two",
		"@@ -20,3 +20,3 @@", " " + body, "-three", "+four",
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	stars := func(n int) string { return strings.Repeat("*", n) }
	want := strings.Join([]string{
		"--- notes.md", "+++ notes.md (generated)", "@@ -1,5 +1,5 @@",
		" one", " " + stars(len(begin)), "-" + stars(64), "+" + stars(64), " " + stars(len(end)), " two",
		"@@ -20,3 +20,3 @@", " " + stars(64), "-three", "+four", "",
	}, "\n")
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
