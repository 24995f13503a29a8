package diag

import "testing"

// Each rule has a constant. Where this fails, run go generate ./internal/diag.
func TestRuleIDs(t *testing.T) {
	for _, r := range Rules() {
		if id, ok := ParseRuleID(r.ID.String()); !ok || id.String() != r.ID.String() {
			t.Errorf("%s has no constant", r.ID)
		}
	}
	if CardNull.String() != "card-null" || VerifyOwnKeys.String() != "verify-own-keys" {
		t.Errorf("%s, %s: the names are not in the order of the constants", CardNull, VerifyOwnKeys)
	}
}
