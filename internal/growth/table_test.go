package growth

import (
	"os"
	"strings"
	"testing"
)

// The table in docs/reliability.md has a line for each trial and no other.
func TestTable(t *testing.T) {
	page, err := os.ReadFile("../../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Growth\n")
	section, _, _ = strings.Cut(section, "\n## ")
	lines := map[string]bool{}
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, " | "); len(cells) == 6 && strings.Contains(cells[0], ": ") {
			lines[strings.TrimPrefix(cells[0], "| ")] = true
		}
	}
	for _, tr := range trials() {
		if !lines[tr.name] {
			t.Errorf("docs/reliability.md has no line for %q: make growth measures it", tr.name)
		}
		delete(lines, tr.name)
	}
	for name := range lines {
		t.Errorf("docs/reliability.md has a line for %q, and there is no such trial", name)
	}
}
