package diag

import (
	"encoding/json"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"cardwright/internal/fixture"
	"cardwright/internal/secret"
)

func TestQuote(t *testing.T) {
	long := strings.Repeat("ä", 60)
	for in, want := range map[string]string{
		"pdf":          `"pdf"`,
		"a\n\"b\u202e": `"a\n\"b\u202e"`,
		long:           `"` + long + `"`,
		long + "ä":     `"` + long + `…"`,
		"a\xff":        `"a\xff"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
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

// What is escaped is read back as the character that it was.
func TestEscape(t *testing.T) {
	for _, r := range []rune{0, '\n', '"', 0x7f, 0xad, 0x202e, 0xfeff, 0xffff, 0x10000, 0x1f600, 0xe0041, 0x10ffff} {
		var fromJSON, fromYAML string
		if err := json.Unmarshal([]byte(`"`+EscapeJSON(r)+`"`), &fromJSON); err != nil || fromJSON != string(r) {
			t.Errorf("%U: JSON reads %q as %q, %v", r, EscapeJSON(r), fromJSON, err)
		}
		if err := yaml.Unmarshal([]byte(`"`+Escape(r)+`"`), &fromYAML); err != nil || fromYAML != string(r) {
			t.Errorf("%U: YAML reads %q as %q, %v", r, Escape(r), fromYAML, err)
		}
	}
}
