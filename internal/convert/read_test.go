package convert_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

var update = flag.Bool("update", false, "rewrite the expected cards")

// TestReadDialects reads the documents in testdata/read, one for each way in
// which cards are written, and compares what is found and the 1.0 card that
// comes out.
func TestReadDialects(t *testing.T) {
	files, err := filepath.Glob("testdata/read/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := txtar.Format(archive)
			archive.Files = append(archive.Files[:1], archived(t, archive.Files[0].Data)...)
			got := txtar.Format(archive)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// archived reads a document and returns what is found in it, and the card unless
// something is missing.
func archived(t *testing.T, data []byte) []txtar.File {
	t.Helper()
	root, found := source.ParseJSON("card.json", data)
	if found != nil {
		t.Fatal(found)
	}
	r := convert.Read(root, convert.ReadOptions{})
	node, lost := convert.Convert(r, schema.V10)
	var list strings.Builder
	for _, d := range slices.Concat(r.Found, r.Missing, lost) {
		fmt.Fprintf(&list, "%d:%d %s %s: %s\n", d.Span.Line, d.Span.Column, d.Severity, d.Rule, d.Message)
	}
	files := []txtar.File{{Name: "found", Data: []byte(list.String())}}
	if r.Card == nil || len(r.Missing) > 0 {
		return files
	}
	return append(files, txtar.File{Name: "1.0.json", Data: schema.Write(node)})
}

// desk is a document that a card can be made of.
const desk = `{
  "name": "Room Desk",
  "description": "Books meeting rooms.",
  "url": "https://desk.acme.example/a2a",
  "skills": [{"id": "book", "name": "Book", "description": "Books a room.", "tags": ["rooms"]}],
  "x-team": "facilities"
}`

func read(t *testing.T, text string, o convert.ReadOptions) *convert.Reading {
	t.Helper()
	root, found := source.ParseJSON("card.json", []byte(text))
	if found != nil {
		t.Fatal(found)
	}
	return convert.Read(root, o)
}

// A URL that is set takes the place of the preferred one, wherever it stands.
func TestReadSetURL(t *testing.T) {
	r := read(t, `{"skills": [], "capabilities": {}, "supportedInterfaces": [
		{"url": "${BASE}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
		{"url": "https://rest.acme.example", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
		{"url": "${BASE}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}]}`,
		convert.ReadOptions{Set: map[string]string{"url": "https://desk.acme.example/a2a"}})
	want := []schema.Interface{
		{URL: "https://desk.acme.example/a2a", Binding: "JSONRPC", Version: "1.0"},
		{URL: "https://rest.acme.example", Binding: "HTTP+JSON", Version: "1.0"},
		{URL: "https://desk.acme.example/a2a", Binding: "JSONRPC", Version: "0.3"},
	}
	if diff := cmp.Diff(want, r.Card.Interfaces); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Reading what could not be parsed finds nothing: whoever parsed it has said why.
func TestReadNothing(t *testing.T) {
	r := convert.Read(nil, convert.ReadOptions{})
	node, found := convert.Convert(r, schema.V10)
	if r.Card != nil || r.Found != nil || node != nil || found != nil {
		t.Errorf("got %+v", r)
	}
}

func TestReadDropUnknown(t *testing.T) {
	r := read(t, desk, convert.ReadOptions{DropUnknown: true})
	if r.Card.Extra != nil {
		t.Errorf("kept: %s", schema.Write(r.Card.Extra))
	}
	if r.Count(diag.CardMemberUnknown) != 1 {
		t.Error("nothing is told")
	}
}

func TestReadingPlace(t *testing.T) {
	r := read(t, `{
  "name": "Room Desk",
  "supportedInterfaces": [
    {"url": "https://desk.acme.example/a2a"}
  ],
  "securitySchemes": {
    "key": {"type": "apiKey"}
  },
  "skills": [
    {"id": "z",
     "examples": ["one",
       "two"]},
    {"id": "a"}
  ]
}`, convert.ReadOptions{})
	for pointer, line := range map[string]int{
		"":                           1,
		"/name":                      2,
		"/description":               1,
		"/supportedInterfaces/0/url": 4,
		"/supportedInterfaces/7":     1,
		"/securitySchemes/key/apiKeySecurityScheme/name": 7,
		"/skills/0/id":          13,
		"/skills/1/examples/1":  12,
		"/skills/1/examples/7":  11,
		"/skills/1/description": 10,
		"/skills/1":             10,
		"/skills":               9,
	} {
		if got := r.Place(pointer).Line; got != line {
			t.Errorf("%q is on line %d, got %d", pointer, line, got)
		}
	}
}

// What is reported about a document is bounded, however often a fault is there.
func TestReadIsBounded(t *testing.T) {
	r := read(t, `{"url": "x", "capabilities": {}, "skills": [`+strings.Repeat(`{"name": "a", "q": null}, `, 1500)+`{}]}`,
		convert.ReadOptions{})
	if n := len(r.Found); n > 2000 {
		t.Errorf("%d findings", n)
	}
	if n := len(r.Card.Skills); n != 1500 {
		t.Errorf("%d skills", n)
	}
	const more = " more findings of this kind are not shown"
	if !slices.ContainsFunc(r.Found, func(d diag.Diagnostic) bool { return strings.HasSuffix(d.Message, more) }) {
		t.Error("nothing tells how many more there are")
	}
}

// checkReading holds for every document: reading does not fail, what comes out
// can be read again and stays what it is, and every finding has a place.
func checkReading(t *testing.T, root *source.Node) {
	t.Helper()
	r := convert.Read(root, convert.ReadOptions{})
	for _, d := range slices.Concat(r.Found, r.Missing) {
		if d.Span.File != "card.json" || d.Message == "" {
			t.Errorf("a finding without a place or text: %+v", d)
		}
	}
	convert.Summary(r, 1)
	if r.Card == nil {
		if r.Found.Worst() != diag.Error {
			t.Error("no card, and nothing says why")
		}
		return
	}
	for _, p := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
		node, lost := convert.Convert(r, p)
		if lost.Worst() == diag.Error || len(r.Missing) > 0 {
			continue
		}
		out := schema.Write(node)
		if !utf8.Valid(out) || bytes.ContainsFunc(out, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
			t.Errorf("%s holds a control character", out)
		}
		again := written(t, node)
		if len(again.Missing) > 0 {
			t.Errorf("%s: %s is missing from what was written", p, again.Missing[0].Pointer)
		}
		if got, want := text(t, again, p), string(out); got != want {
			t.Errorf("%s, converted twice (-once +twice):\n%s", p, cmp.Diff(want, got))
		}
	}
}

// dialects are the texts to start from.
func dialects(tb testing.TB) [][]byte {
	tb.Helper()
	files, err := filepath.Glob("testdata/read/*.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	var list [][]byte
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, archive.Files[0].Data)
	}
	for _, p := range []schema.Protocol{schema.V10, schema.V03, schema.Dual} {
		node, _ := schema.Wire(schematest.FullCard(), p, schema.WireOptions{})
		list = append(list, schema.Write(node))
	}
	return list
}

// written reads a card back from the text that it is written as.
func written(t *testing.T, node *source.Node) *convert.Reading {
	t.Helper()
	return read(t, string(schema.Write(node)), convert.ReadOptions{})
}

// text is a reading as the text of a card.
func text(t *testing.T, r *convert.Reading, p schema.Protocol) string {
	t.Helper()
	node, _ := convert.Convert(r, p)
	return string(schema.Write(node))
}

func FuzzRead(f *testing.F) {
	for _, data := range slices.Concat(dialects(f), fixture.Files(f, "golden/*/**/agent-card.json"),
		fixture.Files(f, "testdata/convert/*.json")) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, found := source.ParseJSONLenient("card.json", data)
		if root != nil && found.Worst() < diag.Error {
			checkReading(t, root)
		}
	})
}
