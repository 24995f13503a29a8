package site

import (
	"strings"
	"testing"
	"unicode/utf8"

	"cardwright/schema"
)

func TestNameID(t *testing.T) {
	for name, want := range map[string]string{
		"Code Review":            "code-review",
		"Kundendienst – Support": "kundendienst-support",
		"Übersetzung":            "übersetzung",
		"🤖":                      "agent",
		"":                       "agent",
		"a:b/../c":               "a-b-c",
		strings.Repeat("a ", 60): strings.Repeat("a-", 49) + "a",
	} {
		if got := NameID(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
	if id := NameID("a" + strings.Repeat("ü", 60)); len(id) > longestID || !utf8.ValidString(id) {
		t.Errorf("a long name becomes %q", id)
	}
}

func TestPublisherOf(t *testing.T) {
	const told = "the URL of its "
	for name, c := range map[string]struct {
		provider, address, endpoint string
		want, from                  string
	}{
		"provider": {
			"https://www.Acme.example/about", "https://cards.example/a.json", "https://a.example",
			"acme.example", told + "provider",
		},
		"card": {
			"", "https://cards.example/a.json", "https://a.example", "cards.example",
			"the URL of the card",
		},
		"interface":         {"", "", "https://a.example:8443/a2a", "a.example", told + "preferred interface"},
		"gRPC":              {"", "", "grpc.a.example:443", "grpc.a.example", told + "preferred interface"},
		"domain before all": {"http://localhost/", "", "https://a.example", "a.example", told + "preferred interface"},
		"machine":           {"", "", "http://localhost:8000", "localhost", told + "preferred interface"},
		"address":           {"", "", "http://127.0.0.1:8000", "127.0.0.1", told + "preferred interface"},
		"IPv6":              {"", "", "http://[::1]:8000", "", ""},
		"other script":      {"https://münchen.example", "", "", "", ""},
		"no URL":            {"Acme", "", "unix:/run/a.sock", "acme", told + "provider"},
		"nothing":           {"", "", "", "", ""},
	} {
		card := &schema.Card{Interfaces: []schema.Interface{{URL: c.endpoint}}}
		if c.provider != "" {
			card.Provider = &schema.Provider{URL: c.provider}
		}
		if got, from := PublisherOf(card, c.address); got != c.want || from != c.from {
			t.Errorf("%s: %q from %q, want %q from %q", name, got, from, c.want, c.from)
		}
	}
}
