package diff_test

import (
	"reflect"
	"testing"

	"cardwright/internal/convert"
	"cardwright/internal/diff"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Whatever two documents hold: no crash, a rule for every change, the same
// answer twice, and no difference between a card and itself.
func FuzzCards(f *testing.F) {
	seeds := fixture.Files(f, "golden/*/*/.well-known/agent-card.json")
	for i := range seeds {
		f.Add(seeds[i], seeds[(i+1)%len(seeds)])
	}
	rules := map[string]diff.Class{}
	for _, r := range diff.Rules() {
		rules[r.ID.String()] = r.Class
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		older, newer := lenient(a), lenient(b)
		if older == nil || newer == nil {
			t.Skip()
		}
		for _, c := range []*schema.Card{older, newer} {
			if changes := diff.Cards(c, c); len(changes) > 0 {
				t.Errorf("a card differs from itself: %+v", changes)
			}
		}
		changes := diff.Cards(older, newer)
		if again := diff.Cards(older, newer); !reflect.DeepEqual(changes, again) {
			t.Errorf("two runs differ: %+v", again)
		}
		for i, c := range changes {
			if class, known := rules[c.Rule.String()]; !known || c.Class != class || c.Message == "" {
				t.Errorf("no change by the table: %+v", c)
			}
			if c.Old == nil && c.New == nil {
				t.Errorf("neither old nor new: %+v", c)
			}
			if i > 0 && c.Class > changes[i-1].Class {
				t.Errorf("change %d is worse than the one before", i)
			}
		}
	})
}

func lenient(data []byte) *schema.Card {
	root, _ := source.ParseJSON("card", data)
	if root == nil {
		return nil
	}
	return convert.Read(root, convert.ReadOptions{}).Card
}
