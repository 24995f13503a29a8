package diag

import (
	"regexp"
	"strings"
	"testing"
)

func TestRulesTable(t *testing.T) {
	row := regexp.MustCompile(`^[a-z0-9-]+ +(error|warning|info|off)( fixed)?( optional)?( usage| fault)?  +\S.*\S\n$`)
	for line := range strings.Lines(table) {
		if !row.MatchString(line) {
			t.Errorf("a row that is not read as it stands: %q", line)
		}
	}
}
