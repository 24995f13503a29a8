package sign

import (
	"slices"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// largeCard returns the full card with n skills.
func largeCard(tb testing.TB, n int) *source.Node {
	tb.Helper()
	card := parse(tb, fullCard(tb))
	skills := card.Get("skills")
	skills.Items = slices.Repeat(skills.Items, n)
	return card
}

func BenchmarkSign(b *testing.B) {
	card, key := largeCard(b, 1000), testKey(ES256)
	b.ReportAllocs()
	for b.Loop() {
		if _, list, err := Sign(card, key, Options{}); err != nil || list.Worst() == diag.Error {
			b.Fatal(list, err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	card, key := largeCard(b, 1000), testKey(ES256)
	signed, _ := Attach(card, mustSign(b, card, key, Options{}))
	data := schema.Write(signed)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		results, list := Verify("card.json", data, Trust{Keys: []Key{key}}, source.Limits{})
		if len(list) > 0 || !results[0].Good() {
			b.Fatal(results, list)
		}
	}
}
