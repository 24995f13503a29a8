package schema_test

import (
	"testing"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// What is written is read as the same value, whatever the texts in it.
func TestWriteYAML(t *testing.T) {
	for _, text := range []string{
		"{}", "[]", "[[], {}, [1, [2]]]", "a: 1\n", "a: {b: [c, {d: e, f: {}}], 'g: h': '# i'}\n",
		`[yes, "yes", "1", 1.10, "null", null, true, "a: b", "a #b", "- a", "", " a", "a ", "a\nb", "é", "'", "\"", "*a", ` +
			`"&a", "!a", "%a", "@a", "~", "=", "a:", "0x1", "1e3", ".5", "2026-01-01", "12:30", "http://x.example/a?b=c#d"]`,
	} {
		want, found := source.ParseYAML("a.yaml", []byte(text), diag.SourceInvalid, source.Limits{}.WithDefaults())
		if len(found) > 0 {
			t.Fatal(found)
		}
		for name, remark := range map[string]func(*source.Node) string{
			"bare":    nil,
			"remarks": func(n *source.Node) string { return n.Span.String() },
		} {
			written := schema.WriteYAML(want, remark)
			got, found := source.ParseYAML("b.yaml", written, diag.SourceInvalid, source.Limits{}.WithDefaults())
			if len(found) > 0 || !want.Equal(got) {
				t.Errorf("%s: %s is written as\n%s%v", name, text, written, found)
			}
		}
	}
}

func FuzzWriteYAML(f *testing.F) {
	for _, s := range []string{"a", "yes", "a: b", "\u0085", "- x", "1", "0o7", "<<", "="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // which no text of ours is
		}
		want := &source.Node{Kind: source.Array, Items: []*source.Node{source.NewText(s)}}
		written := schema.WriteYAML(want, nil)
		got, found := source.ParseYAML("b.yaml", written, diag.SourceInvalid, source.Limits{}.WithDefaults())
		if len(found) == 0 && !want.Equal(got) {
			t.Errorf("%q is written as %s", s, written)
		}
	})
}
