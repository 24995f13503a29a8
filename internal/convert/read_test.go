package convert_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

// The same agent in 0.3 and in 1.0 is the same card, but for the versions of
// its interfaces.
func TestReadIsNeutral(t *testing.T) {
	for seed := range uint64(fixture.Rounds(40, 100)) {
		c := wholeCard(seed)
		c.Capabilities.StateTransitionHistory = nil
		c.Capabilities.Streaming = new(true)
		for name, s := range c.SecuritySchemes {
			if s.Type == schema.OAuth2 {
				s.Flows = []schema.Flow{{Type: schema.ClientCredentials, TokenURL: "t", Scopes: map[string]string{"s0": "S"}}}
				c.SecuritySchemes[name] = s
			}
		}
		var cards []*schema.Card
		for _, p := range []schema.Protocol{schema.V03, schema.V10} {
			for i := range c.Interfaces {
				c.Interfaces[i].Version, c.Interfaces[i].Tenant = p.String(), ""
			}
			c.Interfaces = firstOfEach(c.Interfaces)
			node, _ := schema.Wire(c, p, schema.WireOptions{})
			card := written(t, node).Card
			for i := range card.Interfaces {
				card.Interfaces[i].Version = ""
			}
			cards = append(cards, card)
		}
		if diff := cmp.Diff(cards[0], cards[1], cmp.Comparer((*source.Node).Equal), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("card %d (-0.3 +1.0)\n%s", seed, diff)
		}
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

// mutator breaks documents in the ways in which people do.
type mutator struct {
	schematest.Maker
	pool []*source.Node // values of other documents
}

var upper = regexp.MustCompile(`[A-Z]`)

func (m mutator) mutate(n *source.Node) *source.Node {
	if m.Chance(4) {
		return m.instead(n)
	}
	out := *n
	out.Items, out.Members = nil, nil
	for _, item := range n.Items {
		if !m.Chance(2) {
			out.Items = append(out.Items, m.mutate(item))
		}
	}
	for _, e := range n.Members {
		switch {
		case m.Chance(2):
			continue
		case m.Chance(3):
			e.Key = upper.ReplaceAllStringFunc(e.Key, func(s string) string { return "_" + strings.ToLower(s) })
		}
		if out.Get(e.Key) == nil {
			e.Value = m.mutate(e.Value)
			out.Members = append(out.Members, e)
		}
	}
	return &out
}

// instead returns what stands where n should.
func (m mutator) instead(n *source.Node) *source.Node {
	at := source.Node{Span: n.Span}
	switch m.IntN(7) {
	case 0:
		at.Kind, at.Items = source.Array, []*source.Node{n}
	case 1:
		at.Kind, at.Members = source.Object, []source.Member{{Key: "list", KeySpan: n.Span, Value: n}}
	case 2:
		at.Kind, at.Text = source.String, []string{"", "none", "bearer", "a b", "http", "1.0", "MCP"}[m.IntN(7)]
	case 3:
		at.Kind, at.Text = source.Bool, "true"
	case 4:
		at.Kind, at.Text = source.Number, "1.0"
	default:
		return m.pool[m.IntN(len(m.pool))]
	}
	return &at
}

// nodes returns all values of a document.
func nodes(n *source.Node) []*source.Node {
	list := []*source.Node{n}
	for _, item := range n.Items {
		list = append(list, nodes(item)...)
	}
	for _, e := range n.Members {
		list = append(list, nodes(e.Value)...)
	}
	return list
}

func TestReadOfBrokenDocuments(t *testing.T) {
	var roots, pool []*source.Node
	for _, data := range dialects(t) {
		root, _ := source.ParseJSON("card.json", data)
		roots, pool = append(roots, root), append(pool, nodes(root)...)
	}
	for seed := range uint64(fixture.Rounds(2, 20)) {
		for i, root := range roots {
			m := mutator{schematest.Maker{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}, pool}
			checkReading(t, m.mutate(root))
			if t.Failed() {
				t.Fatalf("document %d, seed %d", i, seed)
			}
		}
	}
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
