package docs_test

import (
	"regexp"
	"strings"
	"testing"
)

// dated are the pages that say what others do, with the rows at least that say where and
// when it was read.
var dated = map[string]int{
	"recipes/frameworks.md": 14, "discovery.md": 3,
}

// Each row of a table whose last column is called "read" links to its source and has the
// date at which somebody read it.
func TestStatementsAboutOthersAreDated(t *testing.T) {
	source := regexp.MustCompile(`\]\(https://[^)]+\).*, 20\d\d-[01]\d-[0-3]\d \|$`)
	for page, want := range dated {
		rows, within := 0, false
		for line := range strings.Lines(read(t, page)) {
			line = strings.TrimSpace(line)
			switch {
			case strings.HasSuffix(line, "| read |"):
				within = true
			case !strings.HasPrefix(line, "|"):
				within = false
			case within && !strings.HasPrefix(line, "| ---"):
				rows++
				cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), " | ")
				if !source.MatchString(cells[len(cells)-1]) {
					t.Errorf("docs/%s: a row has no source with a date: %s", page, line)
				}
			}
		}
		if rows < want {
			t.Errorf("docs/%s has %d rows with a source, want %d", page, rows, want)
		}
	}
}
