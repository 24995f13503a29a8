package docs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cardwright/internal/diff"
)

// The table in docs/diff.md is that of the program.
func TestDiffRules(t *testing.T) {
	const begin, end = "<!-- rules: made by go test ./docs -update -->\n", "<!-- /rules -->\n"
	page, err := os.ReadFile("diff.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatal("docs/diff.md has no place for the table")
	}
	var table strings.Builder
	table.WriteString("| rule | class | says that | mirror |\n| --- | --- | --- | --- |\n")
	for _, r := range diff.Rules() {
		mirror := "`" + r.Mirror + "`"
		if r.Mirror == r.ID {
			mirror = "itself"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", r.ID, r.Class, r.Title, mirror)
	}
	compare(t, "diff.md", before+begin+table.String()+end+after)
}
