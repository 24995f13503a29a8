package source_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

// shown renders findings as a person would read them, without their hints.
func shown(list diag.List) []string {
	var lines []string
	for _, d := range list {
		line := fmt.Sprintf("%s: %s %s: %s", d.Span, d.Severity, d.Rule, d.Message)
		for _, r := range d.Related {
			line += fmt.Sprintf(" (%s: %s)", r.Span, r.Message)
		}
		lines = append(lines, line)
	}
	return lines
}

// short writes errors of card-json as place and message, and all others whole.
func short(found diag.List) string {
	text := strings.ReplaceAll(strings.Join(shown(found), "\n"), "error card-json: ", "")
	text = regexp.MustCompile(`(?m)^c: `).ReplaceAllString(text, "")
	return regexp.MustCompile(`(?m)^c:(\d+:\d+): `).ReplaceAllString(text, "$1 ")
}

// dump writes a value with its places in one line; a # is behind a text that a comment cuts.
func dump(n *source.Node) string {
	at := func(s diag.Span) string {
		return strings.TrimSuffix(fmt.Sprintf("%d:%d-%d:%d", s.Line, s.Column, s.EndLine, s.EndColumn), "-0:0")
	}
	var parts []string
	for _, m := range n.Fields() {
		parts = append(parts, at(m.KeySpan)+" "+m.Key+": "+dump(m.Value))
	}
	for _, item := range n.Elements() {
		parts = append(parts, dump(item))
	}
	text := map[source.Kind]string{
		source.Object: "{" + strings.Join(parts, ", ") + "}", source.Array: "[" + strings.Join(parts, ", ") + "]",
		source.String: strconv.Quote(n.Text), source.Null: "null", source.Bool: n.Text, source.Number: n.Text,
	}[n.Kind]
	if n.Cut {
		text += "#"
	}
	return at(n.Span) + " " + text
}

// number is what a value is compared by: its numbers as they are spelled.
func number(text string) any { return json.Number(text) }

func TestParseJSONTree(t *testing.T) {
	const text = "{\n  \"näme\": \"a\\u00e9\\ud83d\\ude00\",\r\n  \"😀\": [1.10, -0, true, null, {}]\n}\n"
	got, found := source.ParseJSON("c.json", []byte(text))
	want := `1:1-4:2 {2:3-2:9 näme: 2:11-2:32 "aé😀", 3:3-3:6 😀: 3:8-3:34 [3:9-3:13 1.10, 3:15-3:17 -0, ` +
		`3:19-3:23 true, 3:25-3:29 null, 3:31-3:33 {}]}`
	if diff := cmp.Diff(want, dump(got)); diff != "" || found != nil {
		t.Errorf("tree (-want +got):\n%s\nfound %v", diff, shown(found))
	}
}

func TestParseJSONFindings(t *testing.T) {
	const git = ": git writes such a file in the place of a symbolic link"
	for _, tt := range []struct {
		in, want string // place and message, a line each; card-json where no rule is named
	}{
		{` "x" `, ""},
		{`[{}]`, ""},
		{`null`, ""},
		{" \r\n", `the file is empty, expected a JSON document`},
		{"../cards/agent-card.json\n", `the file holds nothing but the path "../cards/agent-card.json"` + git},
		{"\x7fELF\x00\x01", `the file is binary, not text`},
		{"\xff\xfe{\x00}\x00", `the file is UTF-16 text`},
		{"\uFEFF{}", `1:1 there is a byte order mark before the document`},
		{"```json\n{}\n```\n", "1:1 found a Markdown code fence, expected a value"},
		{"{}\n```\n", "2:1 there is a Markdown code fence after the document"},
		{"{\n<<<<<<< a\n}", `2:1 found a merge conflict marker, expected a member name in double quotes or "}"`},
		{"{} {}", `1:4 found "{", expected the end of the file`},
		{"{\"a\": 1,\n}", `1:8 there is a comma before "}"`},
		{"[1, ]", `1:3 there is a comma before "]"`},
		{"[,]", `1:2 found ",", expected a value`},
		{`{"a":1,,"b":2}`, `1:8 found ",", expected a member name in double quotes or "}"`},
		{"{\n  // x\n}", `2:3 found a comment, expected a member name in double quotes or "}"`},
		{"{\"a\": 1\n \"b\": 2}", `2:2 found a string, expected a comma or "}"`},
		{`{"a" 1}`, `1:6 found "1", expected a colon after the member name "a"`},
		{`{"a": }`, `1:7 found "}", expected a value`},
		{`[1}`, `1:3 found "}", expected a comma or "]"`},
		{`{naïve: 1}`, `1:2 found "naïve", expected a member name in double quotes or "}"`},
		{`{'a': 1}`, `1:2 found a single quote, expected a member name in double quotes or "}"`},
		{`[True]`, `1:2 found "True", expected a value`},
		{"{\n \"a\": [1", `2:9 the file ends too early, expected a comma or "]" (c:2:7: the array begins here)`},
		{`["a`, `1:2 the string that begins here is not closed on its line`},
		{"[\"a\nb\"]", `1:2 the string that begins here is not closed on its line`},
		{"[\"a\tb\"]", `1:4 found the control character U+0009 in a string`},
		{`["a\é"]`, "1:4 `\\é` is not the start of a JSON escape"},
		{`["\u12"]`, "1:3 `\\u` is not the start of a JSON escape"},
		{`[01]`, `1:2 "01" is not a JSON number`},
		{`[.5]`, `1:2 ".5" is not a JSON number`},
		{`[-]`, `1:2 "-" is not a JSON number`},
		{"[\xe9]", `1:2 found the byte 0xE9, which is not UTF-8, expected a value`},
		{strings.Repeat("[", 101) + strings.Repeat("]", 101), `1:101 the document is nested more than 100 levels deep`},
		{strings.Repeat("[", 100) + strings.Repeat("]", 100), ""},
		{"[" + strings.Repeat(" ", 1000) + "]", `the file is larger than 1000 bytes, the limit for a card`},
		{"[" + strings.Repeat("0,", 125) + "0]", `1:250 the document holds more than 125 values, the limit for a card`},
		{
			"{\"a\": 1,\n\"b\": {\"a\": 2},\n\"\\u0061\": 3}",
			`3:1 error card-duplicate-member: member "a" is defined twice, the first one is used (c:1:2: first defined here)`,
		},
		{
			"[\"é\xe9\xe8 \\n \xff\", \"\\ud800\"]",
			`1:4 error card-invalid-utf8: the byte 0xE9 is not UTF-8` + "\n" +
				`1:15 error card-invalid-utf8: the escape \ud800 is half a surrogate pair and not a character`,
		},
	} {
		tree, found := source.ParseJSONUpTo("c", []byte(tt.in), 1000)
		whole := found == nil || found[0].Rule != diag.CardJSON
		if got := short(found); got != tt.want || (tree != nil) != whole {
			t.Errorf("%q\n got %s\nwant %s\ntree %v", tt.in[:min(len(tt.in), 60)], got, tt.want, tree)
		}
	}
	// A card in YAML is a usual mistake, which its first word does not tell.
	for text, want := range map[string]bool{"name: Desk\n": true, "name\n": false, "{name: 1}": true, "{name:1}": false} {
		_, found := source.ParseJSON("c", []byte(text))
		if len(found) != 1 || strings.Contains(found[0].Hint, "YAML") != want {
			t.Errorf("%q: found %v", text, found)
		}
	}
}

// Of many members, each is found, and those that are defined twice are not all reported.
func TestParseJSONManyMembers(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `"m%d": %d,`, i%900, i)
	}
	tree, found := source.ParseJSON("c", []byte("{"+b.String()+`"m898": 0}`))
	if len(tree.Members) != 900 || tree.Get("m898").Text != "898" || len(found) != 51 ||
		!strings.Contains(found[50].Message, "not shown") {
		t.Errorf("%d members, %d findings", len(tree.Members), len(found))
	}
}

func TestParseJSONLenient(t *testing.T) {
	const ignored = "warning card-json: there is a "
	for in, want := range map[string]string{
		"\uFEFF{\"a\": [1, 2,\n ],\n}\n```\n": "1:1 " + ignored + "byte order mark before the document, it is ignored\n" +
			"1:12 " + ignored + "comma before \"]\", it is ignored\n2:3 " + ignored + "comma before \"}\", it is ignored\n" +
			"4:1 " + ignored + "Markdown code fence after the document, it is ignored",
		"```json\n{\"a\": [1, 2]}\n```\n": "1:1 " + ignored + "Markdown code fence before the document, it is ignored\n" +
			"3:1 " + ignored + "Markdown code fence after the document, it is ignored",
	} {
		tree, found := source.ParseJSONLenient("c", []byte(in))
		if got, _ := json.Marshal(tree.Any(number)); string(got) != `{"a":[1,2]}` || short(found) != want {
			t.Errorf("%q: got %s, found\n%s", in, got, short(found))
		}
		if tree.Span.Column != 1 {
			t.Errorf("the document begins at %v, a byte order mark takes up no column", tree.Span)
		}
	}
	for _, in := range []string{"{} x", "[" + strings.Repeat("[1,],", 60) + "x"} { // behind many repairs too
		if tree, found := source.ParseJSONLenient("c", []byte(in)); tree != nil || found.Worst() != diag.Error {
			t.Errorf("%s: tree %v, found %v", in, tree, shown(found))
		}
	}
}

func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`{"a": [1, "x", true, null]}`, `{"a":[1,"x",true,null]}`, true},
		{`{"a": 1, "b": {"c": 2, "d": 3}}`, `{"b": {"d": 3, "c": 2}, "a": 1}`, true},
		{`[1, 2]`, `[2, 1]`, false},
		{`[1, 2]`, `[1]`, false},
		{`{"a": 1}`, `{"a": 1, "b": 2}`, false},
		{`{"a": 1}`, `{"b": 1}`, false},
		{`"1"`, `1`, false},
		{`null`, `{}`, false},
	} {
		a, _ := source.ParseJSON("a", []byte(tt.a))
		b, _ := source.ParseJSON("b", []byte(tt.b))
		if a.Equal(b) != tt.want || b.Equal(a) != tt.want || a.Equal(nil) {
			t.Errorf("%s equals %s: %t", tt.a, tt.b, a.Equal(b))
		}
	}
}

func TestPlaces(t *testing.T) {
	const text = `{"b": {"c": ""}, "a": [1, "é!"]}`
	root, _ := source.ParseJSON("c", []byte(text))
	at := source.At(root, "")
	for got, want := range map[string]string{
		at.At("a").Where().String():                 "c:1:23",
		at.At("b").At("d").Where().String():         "c:1:7",
		at.At("b").At("d").Pointer():                "/b/d",
		at.Named(root.Member("a")).Where().String(): "c:1:18",
		root.Below("/a/1/x", diag.Span{}).String():  "c:1:27",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	mark := func(part string) (at, length int) { return strings.IndexByte(part, '!'), 1 }
	if s, _ := source.Narrow(text, root.Get("a").Span, mark); s.Column != 29 {
		t.Errorf("the mark stands at %v", s)
	}
	if s, ok := source.Narrow(text, diag.Span{File: "c"}, mark); ok || s.Line != 0 {
		t.Errorf("the mark stands at %v", s)
	}
	if kept, empties := root.Pruned(); dump(kept) != `1:1-1:33 {1:18-1:21 a: 1:23-1:32 [1:24-1:25 1, 1:27-1:31 "é!"]}` ||
		empties != 2 {
		t.Errorf("%d pruned, %s left", empties, dump(kept))
	}
	if kept, _ := source.ObjectOf("b", 1, "a", 2).Pruned(); kept.Members[0].Key != "a" {
		t.Errorf("not sorted: %s", dump(kept))
	}
}

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{"name": "Invoice Agent", "skills": [{"id": "a", "tags": ["x"]}], "n": -1.5e+3}`,
		"[1,\r\n 2 , {\"ä\": \"\\ud83d\\ude00\\n\"}, null, true, false]",
		"\uFEFF{}", `{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", "[01]", "[1,]", "{}\n```", "[\"\\u0000\"]", `[[[[`,
		`-0.0E-1`, "",
	} {
		f.Add([]byte(seed))
	}
	for _, file := range fixture.Files(f, "testdata/lint/card-*/*.json") {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, found := source.ParseJSON("c", data)
		lines := strings.Split(string(data), "\n")
		for _, d := range found {
			within(t, lines, d.Span)
		}
		if tree == nil {
			if len(found) == 0 {
				t.Fatal("neither a tree nor a finding")
			}
			bounded := found[len(found)-1].Hint == "split it into smaller ones" || found[len(found)-1].Hint == "write it flatter"
			if json.Valid(data) && utf8.Valid(data) && !bounded {
				t.Fatalf("valid JSON is refused: %v", shown(found))
			}
			return
		}
		walk(tree, func(n *source.Node) {
			raw := within(t, lines, n.Span)
			if n.Kind == source.String && len(found) == 0 {
				var want string
				if err := json.Unmarshal([]byte(raw), &want); err != nil || want != n.Text {
					t.Fatalf("%v holds %q, the tree has %q", n.Span, raw, n.Text)
				}
			}
		})
		var want any
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Fatalf("invalid JSON is accepted: %q", data)
		}
		if diff := cmp.Diff(want, tree.Any(number)); diff != "" && len(found) == 0 {
			t.Fatalf("value (-encoding/json +tree):\n%s", diff)
		}
	})
}

// walk calls visit for n and everything below it.
func walk(n *source.Node, visit func(*source.Node)) {
	for n := range n.All() {
		visit(n)
		for _, m := range n.Members {
			visit(&source.Node{Kind: source.String, Text: m.Key, Span: m.KeySpan})
		}
	}
}

// within demands that span lies inside the text and returns what it covers.
func within(t *testing.T, lines []string, span diag.Span) string {
	t.Helper()
	if span.Line == 0 {
		return ""
	}
	if span.EndLine == 0 {
		span.EndLine, span.EndColumn = span.Line, span.Column
	}
	if span.Line > span.EndLine || span.EndLine > len(lines) || span.Line == span.EndLine && span.Column > span.EndColumn {
		t.Fatalf("%+v does not lie within %d lines", span, len(lines))
	}
	covered := lines[span.Line-1 : span.EndLine]
	first, last := offset(t, covered[0], span.Column), offset(t, covered[len(covered)-1], span.EndColumn)
	text := strings.Join(covered, "\n")
	return text[first : len(text)-len(covered[len(covered)-1])+last]
}

// offset returns the byte offset of a column.
func offset(t *testing.T, line string, column int) int {
	t.Helper()
	off := 0
	for range column - 1 {
		if off == len(line) {
			t.Fatalf("column %d lies outside %q", column, line)
		}
		_, size := utf8.DecodeRuneInString(line[off:])
		off += size
	}
	return off
}

func BenchmarkParseJSON(b *testing.B) {
	skill := `{"id": "review", "name": "Review", "description": "Reviews pull requests for défects.", "n": 12},` + "\n"
	card := []byte(`{"skills": [` + strings.TrimSuffix(strings.Repeat(skill, (3<<20)/len(skill)), ",\n") + `]}`)
	b.SetBytes(int64(len(card)))
	b.ReportAllocs()
	for b.Loop() {
		if tree, found := source.ParseJSON("card.json", card); tree == nil {
			b.Fatal(shown(found))
		}
	}
}
