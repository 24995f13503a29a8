package schema_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/source"
	"cardwright/schema"
)

func TestWrite(t *testing.T) {
	array := func(items ...*source.Node) *source.Node {
		return &source.Node{Kind: source.Array, Items: items}
	}
	object := func(members ...source.Member) *source.Node {
		return &source.Node{Kind: source.Object, Members: members}
	}
	member := func(key string, value *source.Node) source.Member {
		return source.Member{Key: key, Value: value}
	}
	number := func(s string) *source.Node { return &source.Node{Kind: source.Number, Text: s} }
	tests := []struct {
		name string
		node *source.Node
		want string
	}{
		{"nothing", nil, "null\n"},
		{"null", &source.Node{Kind: source.Null}, "null\n"},
		{"empty object", object(), "{}\n"},
		{"empty array", array(), "[]\n"},
		{"booleans", array(source.NewBool(true), source.NewBool(false)), "[\n  true,\n  false\n]\n"},
		{
			"numbers as spelled", array(number("1.10"), number("-0"), number("1E+2"), source.NewInt(-7)),
			"[\n  1.10,\n  -0,\n  1E+2,\n  -7\n]\n",
		},
		{
			"numbers of YAML", array(number("0x1F"), number(".inf"), number("01"), number("1."), number("1e"), number("+1")),
			"[\n  \"0x1F\",\n  \".inf\",\n  \"01\",\n  \"1.\",\n  \"1e\",\n  \"+1\"\n]\n",
		},
		{
			"order of the node", object(member("b", source.NewInt(1)), member("a", object(member("c", source.NewText("d"))))),
			"{\n  \"b\": 1,\n  \"a\": {\n    \"c\": \"d\"\n  }\n}\n",
		},
		{"as it is", source.NewText("<a href='x'>&é漢😀/"), "\"<a href='x'>&é漢😀/\"\n"},
		{"escapes", source.NewText("\"\\\n\t\r\b\x00\x1f\x7f"), `"\"\\\n\t\u000d\u0008\u0000\u001f\u007f"` + "\n"},
		{"line separators", source.NewText("a\u2028b\u2029"), `"a\u2028b\u2029"` + "\n"},
		{"invalid UTF-8", source.NewText("a\xffb\xed\xa0\x80"), "\"a\uFFFDb\uFFFD\"\n"},
		{"escaped key", object(member("a\nb", source.NewInt(1))), "{\n  \"a\\nb\": 1\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(schema.Write(tt.node)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzWrite(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a\u2028b\u2029\x7f\x00", `"\`, "<>&", "漢字😀", "\u0085\u009b31m", "\r\n\t",
		"\xff",
	} {
		f.Add(s, "1.5e3")
	}
	f.Add("-0", "-0")
	f.Fuzz(func(t *testing.T, text, number string) {
		out := schema.Write(&source.Node{
			Kind:  source.Array,
			Items: []*source.Node{source.NewText(text), {Kind: source.Number, Text: number}},
		})
		if !utf8.Valid(out) || bytes.ContainsFunc(out, func(r rune) bool {
			return r != '\n' &&
				unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)
		}) {
			t.Fatalf("output %q holds what should be escaped", out)
		}
		var got []any
		dec := json.NewDecoder(bytes.NewReader(out))
		dec.UseNumber()
		if err := dec.Decode(&got); err != nil {
			t.Fatalf("output %q is not JSON: %v", out, err)
		}
		if utf8.ValidString(text) && got[0] != text {
			t.Errorf("%q came back as %q", text, got[0])
		}
		if n, ok := got[1].(json.Number); ok && n.String() != number {
			t.Errorf("number %q came back as %q", number, n)
		}
	})
}
