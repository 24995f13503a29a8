package project

import (
	"testing"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// Entries that are written are read as they are, and are accepted until their day.
func TestAcceptEntries(t *testing.T) {
	day := time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)
	changes := []diff.Change{
		{
			Rule: "skill-removed", Class: diff.Breaking, Agent: "a", OldPointer: "/skills/1", Key: "/skills/x: y",
			Old: source.NewText("x: y"), Part: source.NewObject(0),
			Message: "the skill \"x: y\" # is gone",
		},
		{Rule: "agent-removed", Class: diff.Breaking, Agent: "b", Message: "the agent is gone"},
	}
	text := acceptEntries(AcceptChanges(changes), day)
	entries, found := parseAcceptedList("accepted.yaml", text, source.Limits{}.WithDefaults())
	if len(found) > 0 || len(entries) != 2 {
		t.Fatalf("%s is read as %v with %v", text, entries, found)
	}
	list := []diff.Comparison{{Agent: "a", Changes: changes[:1]}, {Agent: "b", Changes: changes[1:]}}
	for _, test := range []struct {
		now           time.Time
		left, matched int
	}{
		{day.Add(23 * time.Hour), 0, 2},
		{day.Add(24 * time.Hour), 2, 0},
		{day.AddDate(-1, 0, 0), 0, 2},
	} {
		kept, found := accept(list, entries, test.now)
		if left := len(diff.All(kept)); left != test.left || found.Count(diag.Info) != test.matched {
			t.Errorf("on %s %d changes are left: %v", test.now, left, found)
		}
	}
	if kept, found := accept(nil, entries, day); len(kept) != 0 || found.Count(diag.Warning) != 2 {
		t.Errorf("entries that match nothing are %v", found)
	}
}

func FuzzAccepted(f *testing.F) {
	for _, s := range []string{
		"", "[]",
		"- {rule: skill-removed, agent: a, pointer: /skills/1, until: 2027-01-31, reason: x}", "- rule: x", "a: b", "- [",
		"- {until: 2027-02-30, rule: agent-removed}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries, found := parseAcceptedList("a.yaml", []byte(text), source.Limits{}.WithDefaults())
		if len(entries) > 0 && found.Worst() == diag.Error {
			t.Errorf("%d entries beside %v", len(entries), found)
		}
		for _, e := range entries {
			if e.Rule == "" || e.Until.IsZero() || e.Span.Line == 0 {
				t.Errorf("%+v", e)
			}
		}
	})
}
