package source_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

func TestParseYAMLTree(t *testing.T) {
	const text = "\uFEFF# c\r\n日本: 😀 x # cut\r\nk: {a: \"é\\n\", 'b''': }\r\nl:\r\n- 1.10\r\n- >-\r\n  two\r\n  lines\r\n"
	const want = `2:1 {2:1-2:3 日本: 2:5-2:8 "😀 x"#, 3:1-3:2 k: 3:4 {3:5-3:6 a: 3:8-3:13 "é\n", ` +
		`3:15-3:20 b': 3:22-3:22 null}, 4:1-4:2 l: 5:1 [5:3-5:7 1.10, 6:3 "two lines"]}`
	got, found := source.ParseYAML("c.yaml", []byte(text), diag.ConfigValue)
	if diff := cmp.Diff(want, dump(got)); diff != "" || found != nil {
		t.Errorf("tree (-want +got):\n%s\nfound %v", diff, shown(found))
	}
}

func TestParseYAMLScalars(t *testing.T) {
	for text, want := range map[string]string{ // YAML to JSON
		"yes": `"yes"`, "No": `"No"`, "True": `true`, "FALSE": `false`, "~": `null`, "": `null`,
		"2024-01-02": `"2024-01-02"`, "2001-1-1": `"2001-1-1"`, "1.10": `1.10`, "-0": `-0`, "1e3": `1e3`, "0x1F": `31`,
		"1_000": `1000`, ".5": `0.5`, "+1": `1`, "0o17": `15`, "0b11": `3`, "0777": `"0777"`, "08": `"08"`, "'1'": `"1"`,
		"12:30": `"12:30"`, "99999999999999999999999": `99999999999999999999999`, "=": `"="`, "a-b": `"a-b"`,
	} {
		tree, found := source.ParseYAML("c", []byte("k: "+text), diag.ConfigValue)
		got, err := json.Marshal(tree.Get("k").Any(number))
		if err != nil || string(got) != want || found != nil {
			t.Errorf("%s is %s, want %s (%v) %v", text, got, want, err, found)
		}
	}
}

func TestParseYAMLFindings(t *testing.T) {
	for _, tt := range []struct {
		in, want string // place and message, a line each
	}{
		{"", ""},
		{"# nothing\n", ""},
		{"%YAML 1.1\n---\na: b\n...\n", ""},
		{"- a\n", ""},
		{`"<<": {}`, ""},
		{"a: " + strings.Repeat("[", 99) + strings.Repeat("]", 99), ""},
		{
			"a: " + strings.Repeat("[", 100) + strings.Repeat("]", 100),
			`1:103 the document is nested more than 100 levels deep`,
		},
		{strings.Repeat("#", 1<<20+1), `the file is larger than 1048576 bytes, the limit for a source`},
		{"a: 1\n'a': 2\n", `2:1 the key "a" is defined twice (c:1:1: first defined here)`},
		{"<<: {a: 1}", `1:1 the merge key << is not supported`},
		{
			"a: &x 1\nb: [*x]\n",
			`1:4 the anchor &x is not supported` + "\n" +
				`2:5 the alias *x is not supported`,
		},
		{"&x a: 1\n", `1:1 the anchor &x is not supported`},
		{
			"a: !!binary AA==\nb: !x y\n",
			`1:4 the tag !!binary is not supported` + "\n" +
				`2:4 the tag !x is not supported`,
		},
		{"{a: 1}: 2\n", `1:1 a key is not a text`},
		{"a: 1\n--- b\n", `2:1 a second YAML document begins here, expected one only`},
		{"a: 1\n---\nb: @\n", `3:4 a value cannot begin with "@"`},
		{"a: -.inf", `1:4 "-.inf" is not a number that JSON can hold`},
		{"a\x00", `the file is binary, not text`},
		{"a: é\x1b[1m", `1:5 the control character U+001B is not allowed`},
		{"a: b\u0085c: d", `1:5 the control character U+0085 is not allowed`},
		{"a: b\rc: d", `1:5 the control character U+000D is not allowed`},
		{"a: b\u2028c: d", `1:5 the invisible character U+2028 is not allowed`},
		{"a: b\uFEFF", `1:5 the invisible character U+FEFF is not allowed`},
		{"\n a: \xff", `2:5 the byte 0xFF, which is not UTF-8, is not allowed`},
		{`a: "\0"`, `1:4 the text holds an escape for the control character U+0000, which is not allowed`},
		{"x: 1\na: when: now\n", `2:8 the text holds a colon followed by a space, which YAML reads as another key`},
		{"a: use\n  when: now\n", `2:3 this line does not match the indentation of the lines around it`},
		{"a: > text\nb: 1\n", `1:4 the text starts on the same line as ">"`},
		{"a:\n\tb: 1\n", `2:1 a tab indents this line`},
		{"x: 1\na: \"b\nc: d\n", `2:4 the quote that opens here is never closed`},
		{"x:\n- 'b\nc: d\n", `2:3 the quote that opens here is never closed`},
		{`a: "b" c`, `1:7 text follows the closing quote`},
		{"a: 1\nb: [1,\nc: 2\n", `2:4 the list or map that "[" opens is malformed`},
		{"a: **/*.ts\n", `1:4 a value cannot begin with "*"`},
		{"a: @b\n", `1:4 a value cannot begin with "@"`},
		{"a: - b\n", `1:4 a list begins on the line of its key`},
		{"a: \"One\n<<<<<<< a\n  two.\n=======\n  Four.\"\n", `2:1 there is a merge conflict marker here`},
		{"{a: One\n<<<<<<< a\n, b: 2\n=======\n, b: 3\n}\n", `2:1 there is a merge conflict marker here`},
		{"a: b\n<<<<<<< HEAD\nc: d\n", `2:1 there is a merge conflict marker here`},
		{"a: b\nfoo\n", `2:1 "foo" is neither a key with a value nor a list entry`},
		{"a:\n    b: 1\n  c: 2\n", `3:3 this line does not match the indentation of the lines around it`},
	} {
		tree, found := source.ParseYAML("c", []byte(tt.in), diag.SourceInvalid)
		got := strings.ReplaceAll(short(found), "error source-invalid: ", "")
		if got != tt.want || (tree != nil) != (tt.want == "") {
			t.Errorf("%q\n got %s\nwant %s\ntree %v", tt.in[:min(len(tt.in), 60)], got, tt.want, tree)
		}
	}
}

// The line at fault is found far from the line that the library names.
func TestParseYAMLFaultyLine(t *testing.T) {
	var b strings.Builder
	for range 2000 {
		b.WriteString("- some: entry\n  of: [a, list]\n")
	}
	b.WriteString("- a: b: c\n")
	b.WriteString(strings.Repeat("- more\n", 2000))
	_, found := source.ParseYAML("c", []byte(b.String()), diag.SourceInvalid)
	if len(found) != 1 || found[0].Span.Line != 4001 {
		t.Errorf("found %v, want line 4001", shown(found))
	}
}

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{
		"a: b\nc: [1, 0x1F, .5]\nd: {e: 'f'}\n", "a: &x b\nc: *x\n", "<<: {a: 1}\n", "- a\n- >-\n  b\n\n  c\n- |\n d\n",
		"\"\\u2028\": \"\\x07\"\n", "? [a]\n: b\n", "a: 1\n---\nb: 2\n", "\uFEFFa: 日本 # c\r\n", "a: !!binary AA==\n",
		"a: .nan\n", "?", "k: 'x''y\n  z'\n", "a: \"b\n",
	} {
		f.Add([]byte(seed))
	}
	for _, file := range fixture.Files(f, "testdata/**/*.yaml") {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, found := source.ParseYAML("c", data, diag.SourceInvalid)
		lines := strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
		for _, d := range found {
			within(t, lines, d.Span)
		}
		if tree == nil {
			if len(found) == 0 {
				t.Fatal("neither a tree nor a finding")
			}
			return
		}
		walk(tree, func(n *source.Node) {
			within(t, lines, n.Span)
			clean(t, n.Text)
			if n.Kind == source.Number && !json.Valid([]byte(n.Text)) {
				t.Fatalf("%q is no JSON number", n.Text)
			}
		})
	})
}

// clean demands that text holds no control character but tab and line break.
func clean(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			t.Fatalf("%q holds a control character", text)
		}
	}
}
