package project

import (
	"strings"
	"testing"
	"unicode"

	"cardwright/internal/config"
)

// Whatever a card, a directory or a project is called, the configuration holds it
// as text: in one place, the same text, with nothing in it that nobody sees.
func FuzzStarter(f *testing.F) {
	for _, s := range []string{
		"Review", "a\n  evil: true", `a" # b`, "a: [b, {c}]", "${HOME}", "$${HOME}", "$${{HOME}}", "a\\", "'", "|",
		"&a *a !!str", "---", "<<",
		"a\u202egpj", "a\u200bb", "a\ufeffb", "a\U000e0041b", "a\u00adb", "\u200d", "\x1b[31m", "a\u0085b", "a\u2028b",
		"\U0001f469\u200d\U0001f4bb", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return // a source gives the name
		}
		text = strings.ToValidUTF8(text, "?") // as every reader of ours gives it
		of := func(name string) *Starter {
			s := &Starter{Out: "dist", Agents: []*starterAgent{{
				ID: "agent", Name: name, Description: "Answers questions.",
				Version: "1.0.0", URL: "/a2a", Add: true,
			}}}
			return s
		}
		s, plain := of(text), of("Plain")
		var got, want strings.Builder
		if err := starterTemplate().Execute(&got, s); err != nil {
			t.Fatal(err)
		}
		if err := starterTemplate().Execute(&want, plain); err != nil {
			t.Fatal(err)
		}
		if strings.Replace(want.String(), `"Plain"`, quote(text), 1) != got.String() {
			t.Fatalf("%q changes more than its place:\n%s", text, got.String())
		}
		if i := strings.IndexFunc(quote(text), func(r rune) bool {
			return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
		}); i >= 0 {
			t.Errorf("%q is written as %q", text, quote(text))
		}
		loaded, found := config.Load([]byte(got.String()), config.Options{File: "cardwright.yaml"})
		if len(found) > 0 || loaded == nil {
			return // the text is none that a configuration may hold
		}
		if name := loaded.Agents[0].Card.Name; name != strings.ReplaceAll(text, "\r\n", "\n") {
			t.Errorf("%q is read as %q from\n%s", text, name, quote(text))
		}
	})
}
