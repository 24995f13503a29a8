package diag

import (
	"regexp"
	"strings"
	"testing"
)

// Each row of the table is read as it stands, and has a constant. Where this fails, run
// go generate ./internal/diag.
func TestRules(t *testing.T) {
	row := regexp.MustCompile(
		`^([a-z0-9-]+) +(?:error|warning|info)(?: fixed)?(?: optional)?(?: usage| fault)?  +\S.*\S\n$`)
	n := 0
	for line := range strings.Lines(table) {
		m := row.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("a row that is not read as it stands: %q", line)
		}
		if id, ok := ParseRuleID(m[1]); !ok || id != Rules()[n].ID || id.String() != m[1] {
			t.Errorf("%s has no constant", m[1])
		}
		n++
	}
	if d := New(CardNameLong, Span{}, "m"); d.Severity != Info {
		t.Errorf("a finding of a rule of severity info is an %s", d.Severity)
	}
	if CardNull.String() != "card-null" || VerifyOwnKeys.String() != "verify-own-keys" {
		t.Errorf("%s, %s: the names are not in the order of the constants", CardNull, VerifyOwnKeys)
	}
}
