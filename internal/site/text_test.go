package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShown(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "Finds <b> & \"c\".", "Finds <b> & \"c\"."},
		{"bidirectional override", "a\u202eb", "a⟨U+202E⟩b"},
		{"zero width", "a\u200bb", "a⟨U+200B⟩b"},
		{"tag", "a\U000E0041", "a⟨U+E0041⟩"},
		{"control", "\x1b[31m\x00", "⟨U+001B⟩[31m⟨U+0000⟩"},
		{"lines", "a\r\nb\nc\td", "a\nb\nc\td"},
		{"lone carriage return", "a\rb", "a⟨U+000D⟩b"},
		{"no UTF-8", "a\xffb\u00e9", "a\uFFFDb\u00e9"},
		{"joined emoji", "\U0001F469\u200D\U0001F469\u200D\U0001F467", "\U0001F469\u200D\U0001F469\u200D\U0001F467"},
		{
			"flag of Scotland", "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F!",
			"\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F!",
		},
		{"Persian joiner", "\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, shown(tt.text)); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLabel(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"short", " a\n b ", "a b"},
		{"as long as it gets", strings.Repeat("ä", labelLength), strings.Repeat("ä", labelLength)},
		{"words", strings.Repeat("word ", 50), strings.TrimSpace(strings.Repeat("word ", 40)) + " …"},
		{"no words", strings.Repeat("w", 500), strings.Repeat("w", labelLength) + " …"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, label(tt.text)); diff != "" {
				t.Errorf("label (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProse(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"short", " a ", "a"},
		{
			"wrapped in its source", "One sentence\nthat goes on.\nAnother.\n\n- item",
			"One sentence that goes on.\nAnother.\n\n- item",
		},
		{
			"more empty lines than paragraphs need", "one\n\n \n\t\n" + strings.Repeat("\n", 500) + "Two.\n\nThree.",
			"one\n\nTwo.\n\nThree.",
		},
		{"long", strings.Repeat("word ", 400), strings.TrimSpace(strings.Repeat("word ", 400))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := prose(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLink(t *testing.T) {
	tests := []struct {
		address string
		linked  bool
	}{
		{"https://acme.example", true},
		{"http://acme.example/a?b=c#d", true},
		{"HTTPS://acme.example", true},
		{"https://bücher.example/ä", true},
		{"javascript:alert(1)", false},
		{"JavaScript://acme.example/%0aalert(1)", false},
		{"data:text/html,<script>", false},
		{"vbscript:x", false},
		{"file:///etc/passwd", false},
		{"//acme.example/", false},
		{"/relative", false},
		{"acme.example", false},
		{"https:acme.example", false},
		{"https://user@acme.example/", false},
		{"https://acme.example@evil.example/", false},
		{"https://acme.example/\u202e", false},
		{" https://acme.example/", false},
		{"java\nscript:alert(1)", false},
		{"", false},
	}
	for _, tt := range tests {
		t.Run(tt.address, func(t *testing.T) {
			got := newLink(tt.address, tt.address)
			if linked := got.Href != ""; linked != tt.linked {
				t.Errorf("%q: a link is %t, want %t", tt.address, linked, tt.linked)
			}
		})
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 agents", 1: "1 agent", 999: "999 agents", 1000: "1,000 agents",
		1234567: "1,234,567 agents",
	} {
		if got := count(n, "agent"); got != want {
			t.Errorf("count(%d) is %q, want %q", n, got, want)
		}
	}
}
