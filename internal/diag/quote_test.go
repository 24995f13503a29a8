package diag

import (
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/secret"
)

func TestQuote(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"short", "pdf", `"pdf"`},
		{"escaped", "a\n\"b\u202e", `"a\n\"b\u202e"`},
		{"longest", strings.Repeat("ä", 60), `"` + strings.Repeat("ä", 60) + `"`},
		{"longer", strings.Repeat("ä", 61), `"` + strings.Repeat("ä", 60) + `…"`},
		{"invalid UTF-8", "a\xff", `"a\xff"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Quote(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// No message shows a part of a credential, even where it is cut within it.
func TestQuoteShowsNoSecret(t *testing.T) {
	for _, s := range fixture.Secrets() {
		if !s.Real {
			continue
		}
		for _, before := range []string{"", strings.Repeat("Explains it. ", 4)} {
			text := before + s.Text
			m, ok := secret.Find(text)
			if !ok {
				t.Fatal(text)
			}
			clue := strings.TrimSuffix(m.Clue(text), "…")
			if shown := Quote(text); strings.Contains(shown, text[m.Start:m.Start+len(clue)+4]) {
				t.Errorf("%s: a message shows %s", s.What, shown)
			}
		}
	}
}
