package secret_test

import (
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/secret"
)

func TestKinds(t *testing.T) {
	count := map[string]int{}
	for _, e := range fixture.Secrets() {
		found, ok := secret.Find(e.Text)
		if ok != e.Real || ok && !strings.HasPrefix(found.What, e.What) {
			t.Errorf("%s: %q: found %v %q", e.What, e.Text, ok, found.What)
		}
		count[e.What]++
		if !ok {
			continue
		}
		masked, length := secret.MaskText(e.Text), found.End-found.Start
		if len(masked) != len(e.Text) || strings.Count(masked[found.Start:found.End], "*") < min(length/3, 12) {
			t.Errorf("%s: %q is masked as %q", e.What, e.Text, masked)
		}
	}
	for _, what := range secret.Kinds() {
		if count[what] == 0 {
			t.Errorf("%s has no examples in internal/fixture/secrets.txt", what)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	const prose = "Explains each field of form 4711, where its value comes from and who may change it; see " +
		"https://docs.acme.example/forms/4711?lang=en for a list. Reads PDF, CSV (RFC 4180) and JSON."
	texts := map[string]string{"prose": prose, "base64": fixture.Filled("{b4000}")}
	for _, e := range fixture.Secrets() {
		texts["kinds"] += e.Text + " "
	}
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				secret.All(text)
			}
		})
	}
}
