package growth

import (
	"os"
	"strings"
	"testing"
)

// The table in growth.txt has a line for each trial and no other.
func TestTable(t *testing.T) {
	page, err := os.ReadFile("growth.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) == 6 && strings.Contains(cells[0], ": ") {
			lines[strings.TrimPrefix(cells[0], "| ")] = true
		}
	}
	for _, tr := range trials() {
		if !lines[tr.name] {
			t.Errorf("growth.txt has no line for %q: make growth measures it", tr.name)
		}
		delete(lines, tr.name)
	}
	for name := range lines {
		t.Errorf("growth.txt has a line for %q, and there is no such trial", name)
	}
}
