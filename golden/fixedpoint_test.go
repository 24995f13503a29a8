package golden_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Every card of the golden trees that can be signed is the same bytes for every verifier.
// There is one exception: a requirement without scopes is empty, whatever one does.
func TestCardsAreFixedPoints(t *testing.T) {
	seen := map[string]int{}
	for _, name := range cardNames(t) {
		card := schema.Unlisted(readCard(t, name))
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
			t.Errorf("%s, a card of %s: %v", name, kind, found)
		}
	}
	for _, kind := range []string{"dual", "0.3", "1.0"} {
		if seen[kind] == 0 {
			t.Errorf("no golden card is %s", kind)
		}
	}
}

// cardNames are the cards in the golden trees; the copies for older clients are
// left out.
func cardNames(t *testing.T) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if base := path.Base(name); base == "agent-card.json" || base == "extended-agent-card.json" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func readCard(t *testing.T, name string) *source.Node {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	card, found := source.ParseJSON(name, data)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return card
}
