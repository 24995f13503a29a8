package source_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
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

func TestParseJSONTree(t *testing.T) {
	const text = "{\n  \"näme\": \"a\\u00e9\\ud83d\\ude00\",\r\n  \"😀\": [1.10, -0, true, null, {}]\n}\n"
	got, found := source.ParseJSON("c.json", []byte(text))
	at := func(line, col, endLine, endCol int) diag.Span {
		return diag.Span{File: "c.json", Line: line, Column: col, EndLine: endLine, EndColumn: endCol}
	}
	want := &source.Node{Kind: source.Object, Span: at(1, 1, 4, 2), Members: []source.Member{
		{Key: "näme", KeySpan: at(2, 3, 2, 9), Value: &source.Node{Kind: source.String, Text: "aé😀", Span: at(2, 11, 2, 32)}},
		{Key: "😀", KeySpan: at(3, 3, 3, 6), Value: &source.Node{
			Kind: source.Array, Span: at(3, 8, 3, 34),
			Items: []*source.Node{
				{Kind: source.Number, Text: "1.10", Span: at(3, 9, 3, 13)},
				{Kind: source.Number, Text: "-0", Span: at(3, 15, 3, 17)},
				{Kind: source.Bool, Text: "true", Span: at(3, 19, 3, 23)},
				{Kind: source.Null, Text: "null", Span: at(3, 25, 3, 29)},
				{Kind: source.Object, Span: at(3, 31, 3, 33)},
			},
		}},
	}}
	if diff := cmp.Diff(want, got); diff != "" || found != nil {
		t.Errorf("tree (-want +got):\n%s\nfound %v", diff, shown(found))
	}
}

func TestParseJSONFindings(t *testing.T) {
	for _, tt := range []struct {
		in, want string // place and message, a line each; card-json where no rule is named
		tree     bool
	}{
		{` "x" `, "", true},
		{`[{}]`, "", true},
		{`null`, "", true},
		{"", `the file is empty, expected a JSON document`, false},
		{" \r\n", `the file is empty, expected a JSON document`, false},
		{
			"../cards/agent-card.json\n",
			`the file holds nothing but the path "../cards/agent-card.json": ` +
				`git writes such a file in the place of a symbolic link`, false,
		},
		{"\x7fELF\x00\x01", `the file is binary, not text`, false},
		{"\xff\xfe{\x00}\x00", `the file is UTF-16 text`, false},
		{"<!DOCTYPE html>", `1:1 found "<", expected a value`, false},
		{"\uFEFF{}", `1:1 there is a byte order mark before the document`, false},
		{"```json\n{}\n```\n", "1:1 found a Markdown code fence, expected a value", false},
		{"{}\n```\n", "2:1 there is a Markdown code fence after the document", false},
		{
			"{\n<<<<<<< HEAD\n\"a\": 1}",
			`2:1 found a merge conflict marker, expected a member name in double quotes or "}"`, false,
		},
		{"{} {}", `1:4 found "{", expected the end of the file`, false},
		{"{\"a\": 1,\n}", `1:8 there is a comma before "}"`, false},
		{"[1, ]", `1:3 there is a comma before "]"`, false},
		{"[,]", `1:2 found ",", expected a value`, false},
		{`{"a":1,,"b":2}`, `1:8 found ",", expected a member name in double quotes or "}"`, false},
		{"{\n  // x\n}", `2:3 found a comment, expected a member name in double quotes or "}"`, false},
		{`[1 /* x */]`, `1:4 found a comment, expected a comma or "]"`, false},
		{"{\"a\": 1\n \"b\": 2}", `2:2 found a string, expected a comma or "}"`, false},
		{`{"a" 1}`, `1:6 found "1", expected a colon after the member name "a"`, false},
		{`{"a": }`, `1:7 found "}", expected a value`, false},
		{`[1}`, `1:3 found "}", expected a comma or "]"`, false},
		{`{naïve: 1}`, `1:2 found "naïve", expected a member name in double quotes or "}"`, false},
		{`{'a': 1}`, `1:2 found a single quote, expected a member name in double quotes or "}"`, false},
		{`[True]`, `1:2 found "True", expected a value`, false},
		{"{\n \"a\": [1", `2:9 the file ends too early, expected a comma or "]" (c:2:7: the array begins here)`, false},
		{`["a`, `1:2 the string that begins here is not closed on its line`, false},
		{"[\"a\nb\"]", `1:2 the string that begins here is not closed on its line`, false},
		{"[\"a\tb\"]", `1:4 found the control character U+0009 in a string`, false},
		{`["a\é"]`, "1:4 `\\é` is not the start of a JSON escape", false},
		{`["\u12"]`, "1:3 `\\u` is not the start of a JSON escape", false},
		{"[\"\\\n\"]", `1:3 "\\\n" is not the start of a JSON escape`, false},
		{`[01]`, `1:2 "01" is not a JSON number`, false},
		{`[.5]`, `1:2 ".5" is not a JSON number`, false},
		{`[-]`, `1:2 "-" is not a JSON number`, false},
		{`[0x1F]`, `1:2 "0x1F" is not a JSON number`, false},
		{"[\xe9]", `1:2 found the byte 0xE9, which is not UTF-8, expected a value`, false},
		{
			strings.Repeat("[", 101) + strings.Repeat("]", 101),
			`1:101 the document is nested more than 100 levels deep`, false,
		},
		{strings.Repeat("[", 100) + strings.Repeat("]", 100), "", true},
		{"[" + strings.Repeat(" ", 1000) + "]", `the file is larger than 1000 bytes, the limit for a card`, false},
		{
			"[" + strings.Repeat("0,", 125) + "0]",
			`1:250 the document holds more than 125 values, the limit for a card`, false,
		},
		{
			"{\"a\": 1,\n\"b\": {\"a\": 2},\n\"\\u0061\": 3}",
			`3:1 error card-duplicate-member: member "a" is defined twice, ` +
				`the first one is used (c:1:2: first defined here)`, true,
		},
		{
			"[\"é\xe9\xe8 \\n \xff\", \"\\ud800\"]",
			`1:4 error card-invalid-utf8: the byte 0xE9 is not UTF-8` + "\n" +
				`1:15 error card-invalid-utf8: the escape \ud800 is half a surrogate pair and not a character`, true,
		},
	} {
		tree, found := source.ParseJSONUpTo("c", []byte(tt.in), 1000)
		if got := short(found); got != tt.want || (tree != nil) != tt.tree {
			t.Errorf("%q\n got %s\nwant %s\ntree %v", tt.in[:min(len(tt.in), 60)], got, tt.want, tree)
		}
	}
}

// short writes errors of card-json as place and message, and all others whole.
func short(found diag.List) string {
	text := strings.ReplaceAll(strings.Join(shown(found), "\n"), "error card-json: ", "")
	text = regexp.MustCompile(`(?m)^c: `).ReplaceAllString(text, "")
	return regexp.MustCompile(`(?m)^c:(\d+:\d+): `).ReplaceAllString(text, "$1 ")
}

func TestParseJSONManyDuplicates(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `"a%d": 1,`, i/2)
	}
	tree, found := source.ParseJSON("c", []byte("{"+b.String()+`"b":2}`))
	if len(tree.Members) != 501 || len(found) > 100 {
		t.Errorf("%d members, %d findings", len(tree.Members), len(found))
	}
	if last := found[len(found)-1].Message; !strings.Contains(last, "not shown") {
		t.Errorf("the last finding does not tell that there are more: %s", last)
	}
}

func TestParseJSONManyMembers(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `"m%d": %d,`, i, i)
	}
	tree, found := source.ParseJSON("c", []byte("{"+b.String()+`"m7": 0, "m998": 0}`))
	if len(tree.Members) != 1000 || len(found) != 2 || tree.Get("m998").Text != "998" {
		t.Errorf("%d members, %d findings", len(tree.Members), len(found))
	}
}

func TestParseJSONLenient(t *testing.T) {
	const text = "\uFEFF{\"a\": [1, 2,\n ],\n}\n```\n"
	tree, found := source.ParseJSONLenient("c", []byte(text))
	want := []string{
		`c:1:1: warning card-json: there is a byte order mark before the document, it is ignored`,
		`c:1:12: warning card-json: there is a comma before "]", it is ignored`,
		`c:2:3: warning card-json: there is a comma before "}", it is ignored`,
		"c:4:1: warning card-json: there is a Markdown code fence after the document, it is ignored",
	}
	if diff := cmp.Diff(want, shown(found)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if got, _ := json.Marshal(tree.Any(func(text string) any { return json.Number(text) })); string(got) != `{"a":[1,2]}` {
		t.Errorf("tree is %s", got)
	}
	if at := tree.Span; at.Line != 1 || at.Column != 1 {
		t.Errorf("the document begins at %v, a byte order mark takes up no column", at)
	}
	tree, found = source.ParseJSONLenient("c", []byte("```json\n{}\n```\n"))
	want = []string{
		"c:1:1: warning card-json: there is a Markdown code fence before the document, it is ignored",
		"c:3:1: warning card-json: there is a Markdown code fence after the document, it is ignored",
	}
	if diff := cmp.Diff(want, shown(found)); diff != "" || tree == nil {
		t.Errorf("fences: tree %v, findings (-want +got):\n%s", tree, diff)
	}
	if tree, found := source.ParseJSONLenient("c", []byte("{} x")); tree != nil || len(found) != 1 {
		t.Errorf("trailing data: tree %v, found %v", tree, shown(found))
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
		if !json.Valid(data) {
			t.Fatalf("invalid JSON is accepted: %q", data)
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
		if len(found) == 0 {
			var want any
			d := json.NewDecoder(bytes.NewReader(data))
			d.UseNumber()
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, tree.Any(func(text string) any { return json.Number(text) })); diff != "" {
				t.Fatalf("value (-encoding/json +tree):\n%s", diff)
			}
		}
	})
}

// walk calls visit for n and everything below it.
func walk(n *source.Node, visit func(*source.Node)) {
	visit(n)
	for _, m := range n.Members {
		visit(&source.Node{Kind: source.String, Text: m.Key, Span: m.KeySpan})
		walk(m.Value, visit)
	}
	for _, item := range n.Items {
		walk(item, visit)
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
	skill := `{"id": "review", "name": "Review", "description": "Reviews pull requests for défects.", "tags": ["code", ` +
		`"review"], "n": 12},` + "\n"
	card := []byte(`{"name": "x", "skills": [` + strings.TrimSuffix(strings.Repeat(skill, (4<<20)/len(skill)),
		",\n") + `]}`)
	b.SetBytes(int64(len(card)))
	b.ReportAllocs()
	for b.Loop() {
		if tree, found := source.ParseJSONUpTo("card.json", card, 5<<20); tree == nil {
			b.Fatal(shown(found))
		}
	}
}

// A card in YAML is a usual mistake, which its first word does not tell.
func TestParseJSONTellsYAML(t *testing.T) {
	for text, want := range map[string]bool{
		"name: Desk\n": true, "skills:\n  - id: a\n": true, "name\n": false,
		"{name: 1}": true, "{name:1}": false,
	} {
		_, found := source.ParseJSON("c", []byte(text))
		if len(found) != 1 || strings.Contains(found[0].Hint, "YAML") != want {
			t.Errorf("%q: found %v", text, found)
		}
	}
}
