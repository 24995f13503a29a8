package golden_test

import (
	"slices"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Every card of the golden trees that can be signed is the same bytes for every verifier.
// There is one exception: a requirement without scopes is empty, whatever one does.
func TestCardsAreFixedPoints(t *testing.T) {
	seen := map[string]int{}
	for _, data := range fixture.Files(t, "golden/**/*agent-card.json") {
		card, _ := source.ParseJSON("card.json", data)
		card = schema.Unlisted(card)
		found := slices.DeleteFunc(sign.Hazards(card), func(d diag.Diagnostic) bool {
			return d.Severity == diag.Info || schema.ScopesOf(d.Pointer)
		})
		kind := "1.0"
		if card.Get("url") != nil {
			if kind = "0.3"; card.Get("supportedInterfaces") != nil {
				kind = "dual"
			}
		}
		seen[kind]++
		if refused := len(found) > 0; refused != (kind == "dual") {
			t.Errorf("%s, a card of %s: %v", card.Get("name").Word(), kind, found)
		}
	}
	for _, kind := range []string{"dual", "0.3", "1.0"} {
		if seen[kind] == 0 {
			t.Errorf("no golden card is %s", kind)
		}
	}
}
