package source_test

import (
	"testing"

	"cardwright/internal/source"
)

func TestFixFrontmatter(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to fix", "---\nname: a\ndescription: Does a.\n---\n", ""},
		{
			"a colon", "---\nname: a\ndescription: Use it: it's good\n---\nText: x\n",
			"---\nname: a\ndescription: 'Use it: it''s good'\n---\nText: x\n",
		},
		{
			"a colon, CRLF", "---\r\nname: a\r\ndescription: Use it: well\r\n---\r\n",
			"---\r\nname: a\r\ndescription: 'Use it: well'\r\n---\r\n",
		},
		{"not ASCII", "---\nname: ä\ndescription: Für: ünser\n---\n", "---\nname: ä\ndescription: 'Für: ünser'\n---\n"},
		{"blank lines above", "\n\n---\nname: a\ndescription: d\n---\n", "---\nname: a\ndescription: d\n---\n"},
		{"never closed", "---\nname: a\ndescription: d\n\n# A\n", ""},
		{"a value over several lines", "---\nname: a\ndescription: Use it: well\n  and more: of it\n---\n", ""},
		{"a key that is lost", "---\nname: a\ndescription: d\ntags: [a, b\n---\n", ""},
		{"a line that may be another key", "---\nname: a\ndescription: Use it: well. license: MIT\n---\n", ""},
		{"a quote that is never closed", "---\nname: a\ndescription: \"Use it: well\n---\n", ""},
		{"no header", "# A\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fixed, ok := source.FixFrontmatter("SKILL.md", []byte(tt.in), source.Limits{})
			if ok != (tt.want != "") || ok && string(fixed) != tt.want {
				t.Errorf("got %v, %q, want %q", ok, fixed, tt.want)
			}
		})
	}
}

// What is fixed says the same, and needs no fixing.
func FuzzFixFrontmatter(f *testing.F) {
	f.Add("---\nname: a\ndescription: Use it: well\n---\n")
	f.Add("\ufeff\n----\nname: a\n\u00a0description: Use it: well # no\n---\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		fixed, ok := source.FixFrontmatter("SKILL.md", []byte(text), source.Limits{})
		if !ok {
			return
		}
		if again, more := source.FixFrontmatter("SKILL.md", fixed, source.Limits{}); more {
			t.Errorf("%q becomes %q, and then %q", text, fixed, again)
		}
	})
}
