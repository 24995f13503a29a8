package source_test

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

func readHeader(file string) (*source.Node, diag.List) {
	return source.ReadFrontmatter(strings.NewReader(file), "S", source.FrontmatterOptions{})
}

// flat renders the members of a header in one line each: key, place, text.
func flat(n *source.Node) []string {
	if n == nil {
		return nil
	}
	var lines []string
	for _, m := range n.Members {
		text := m.Value.Text
		if !m.Value.Scalar() {
			text = m.Value.Kind.String()
		}
		if m.Value.Cut {
			text += " (cut)"
		}
		lines = append(lines, m.Value.Span.String()+" "+m.Key+" = "+text)
	}
	return lines
}

func TestReadFrontmatterTree(t *testing.T) {
	at := func(line, col, endLine, endCol int) diag.Span {
		return diag.Span{File: "S", Line: line, Column: col, EndLine: endLine, EndColumn: endCol}
	}
	text := func(kind source.Kind, text string, span diag.Span) *source.Node {
		return &source.Node{Kind: kind, Text: text, Span: span}
	}
	const file = "---\nname: no\nversion: 1.10 \nfrom: 2024-01-02\ndescription: |\n  é: 日本\n  😀\n\n" +
		"tags: [Yes, 0x1F, ~, \"😀\\t\", TRUE]\nbare:\nlast: 日 # c\n---\nbody: @\n"
	tags := text(source.Array, "", at(9, 7, 0, 0))
	tags.Items = []*source.Node{
		text(source.String, "Yes", at(9, 8, 9, 11)),
		text(source.Number, "0x1F", at(9, 13, 9, 17)),
		text(source.Null, "~", at(9, 19, 9, 20)),
		text(source.String, "😀\t", at(9, 22, 9, 27)),
		text(source.Bool, "TRUE", at(9, 29, 9, 33)),
	}
	last := text(source.String, "日", at(11, 7, 11, 8))
	last.Cut = true
	want := &source.Node{Kind: source.Object, Span: at(2, 1, 0, 0), Members: []source.Member{
		{Key: "name", KeySpan: at(2, 1, 2, 5), Value: text(source.String, "no", at(2, 7, 2, 9))},
		{Key: "version", KeySpan: at(3, 1, 3, 8), Value: text(source.Number, "1.10", at(3, 10, 3, 14))},
		{Key: "from", KeySpan: at(4, 1, 4, 5), Value: text(source.String, "2024-01-02", at(4, 7, 4, 17))},
		{Key: "description", KeySpan: at(5, 1, 5, 12), Value: text(source.String, "é: 日本\n😀\n", at(5, 14, 0, 0))},
		{Key: "tags", KeySpan: at(9, 1, 9, 5), Value: tags},
		{Key: "bare", KeySpan: at(10, 1, 10, 5), Value: text(source.Null, "", at(10, 6, 10, 6))},
		{Key: "last", KeySpan: at(11, 1, 11, 5), Value: last},
	}}
	for name, file := range map[string]string{
		"LF":         file,
		"CRLF":       strings.ReplaceAll(file, "\n", "\r\n"),
		"CR":         strings.ReplaceAll(file, "\n", "\r"),
		"BOM":        "\uFEFF" + file,
		"BOM, CRLF":  "\uFEFF" + strings.ReplaceAll(file, "\n", "\r\n"),
		"no body":    strings.TrimSuffix(file, "\nbody: @\n"),
		"long fence": strings.ReplaceAll(file, "---\n", "--- \t\n"),
	} {
		t.Run(name, func(t *testing.T) {
			got, found := readHeader(file)
			if diff := cmp.Diff(want, got); diff != "" || found != nil {
				t.Errorf("tree (-want +got):\n%s\nfound %v", diff, shown(found))
			}
		})
	}
}

// A header may have exactly so many bytes, however the file goes on.
func TestReadFrontmatterLongest(t *testing.T) {
	block := "name: x\ndescription: " + strings.Repeat("y", source.MaxHeader-len("name: x\ndescription: \n")) + "\n"
	text := "---\n" + block + "---\n" + strings.Repeat("Body.\n", 4<<10)
	r := iotest.OneByteReader(strings.NewReader(text))
	if n, found := source.ReadFrontmatter(r, "S", source.FrontmatterOptions{}); n == nil {
		t.Errorf("a header of %d bytes: %v", len(block), shown(found))
	}
}

func TestReadFrontmatterRefused(t *testing.T) {
	const missing, unclosed, invalid = "warning source-frontmatter-missing: ", "warning source-frontmatter-unclosed: ",
		"warning source-yaml-invalid: "
	tests := map[string]struct{ in, want string }{
		"empty file": {"", "S:1:1: " + missing +
			"the file is empty or begins with nothing but white space, expected a header"},
		"only a BOM": {"\uFEFF", "S:1:1: " + missing +
			"the file is empty or begins with nothing but white space, expected a header"},
		"white space": {
			strings.Repeat(" \n", 100_000),
			"S:1:1: " + missing + "the file is empty or begins with nothing but white space, expected a header",
		},
		"no header": {"\n# Title\n\nText\n", `S:1:1: ` + missing +
			`the file has no header: it begins with "# Title", expected "---"`},
		"one long line": {
			strings.Repeat("x", 100_000),
			`S:1:1: ` + missing + `the file has no header: it begins with "` + strings.Repeat("x", 60) + `…", expected "---"`,
		},
		"TOML": {"+++\nname = 1\n+++\n", `S:1:1: ` + missing +
			`the file has no header: it begins with "+++", expected "---"`},
		"a rule in the text": {"Text\n\n---\n\nText\n", `S:1:1: ` + missing +
			`the file has no header: it begins with "Text", expected "---"`},
		"link": {"../shared/SKILL.md", `S:1:1: ` +
			missing +
			`the file holds nothing but the path "../shared/SKILL.md": git writes such a file in the place of a symbolic link`},
		"binary":        {"\x89PNG\x00", `S:1:1: ` + missing + `the file is binary, not text`},
		"UTF-16":        {"\xff\xfe-\x00-\x00", `S:1:1: ` + missing + `the file is UTF-16 text`},
		"empty header":  {"---\n---\n", `S:1:1: ` + missing + `the header is empty`},
		"only comments": {"---\n# name: x\n---\n", `S:1:1: ` + missing + `the header is empty`},
		"rules for a header": {
			"---\nSome text.\n---\n",
			`S:2:1: ` + invalid + `the header is not a list of keys with values`,
		},
		"a list":          {"---\n- a\n---\n", `S:2:1: ` + invalid + `the header is not a list of keys with values`},
		"never closed":    {"---\nname: x\n", `S:1:1: ` + unclosed + `the header is never closed`},
		"only an opening": {"---", `S:1:1: ` + unclosed + `the header is never closed`},
		"indented closing": {
			"---\nname: x\ndescription: |\n  a\n  ---\n  b\n---\n",
			`S:5:1: ` + unclosed + `the "---" that closes the header is indented, so it may be part of the text above`,
		},
		"too large": {
			"---\nx: " + strings.Repeat("y", 64<<10) + "\n---\n",
			`S:1:1: warning source-too-large: the header is longer than 65536 bytes, or the "---" that closes it is missing`,
		},
		"invalid UTF-8": {
			"---\nname: x\ndescription: caf\xe9\n---\n",
			`S:3:17: ` + invalid + `the byte 0xE9, which is not UTF-8, is not allowed`,
		},
		"line separator": {
			"---\nname: x\u2028description: y\n---\n",
			`S:2:8: ` + invalid + `the invisible character U+2028 is not allowed`,
		},
		"twice":    {"---\nname: a\nname: b\n---\n", `S:3:1: ` + invalid + `the key "name" is defined twice (S:2:1: first defined here)`},
		"alias":    {"---\na: &b c\nd: *b\n---\n", `S:2:4: ` + invalid + `the anchor &b is not supported`},
		"tag":      {"---\na: !!str 5\n---\n", `S:2:4: ` + invalid + `the tag !!str is not supported`},
		"list key": {"---\n? [a]\n: b\n---\n", `S:2:3: ` + invalid + `a key is not a text`},
		"escape": {
			"---\nname: \"a\\eb\"\n---\n",
			`S:2:7: ` + invalid + `the text holds an escape for the control character U+001B, which is not allowed`,
		},
		"a colon in a text over several lines": {
			"---\nname: x\ndescription: Use when: asked\n  and more\n---\n",
			`S:3:22: ` + invalid + `the text holds a colon followed by a space, which YAML reads as another key`,
		},
		"escape of JSON": {
			"---\nname: x\ndescription: \"a \\/ b\"\n---\n",
			`S:3:14: ` + invalid + "the text in quotes has an escape that YAML lacks",
		},
		"no closing quote": {"---\nname: \"x\nb: c\n---\n", `S:2:7: ` + invalid +
			`the quote that opens here is never closed`},
		"conflict": {"---\nname: x\n<<<<<<< a\nb: c\n=======\nb: d\n>>>>>>> e\n---\n", `S:3:1: ` + invalid +
			`there is a merge conflict marker here`},
		"two lines with a colon": {"---\nd: Use it: now\n  and then\n---\n", `S:2:10: ` + invalid +
			`the text holds a colon followed by a space, which YAML reads as another key`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tree, found := readHeader(test.in)
			if diff := cmp.Diff([]string{test.want}, shown(found)); diff != "" || tree != nil {
				t.Errorf("findings (-want +got):\n%s\ntree %v", diff, flat(tree))
			}
			if len(found) > 0 && found[0].Hint == "" {
				t.Error("no hint how to fix it")
			}
		})
	}
}

// A colon in a value and control characters are repaired, and nothing else.
func TestReadFrontmatterRepaired(t *testing.T) {
	const repaired = "warning source-yaml-repaired: "
	for name, test := range map[string]struct {
		in, want string // want are the members
		found    []string
	}{
		"colon": {
			"name: x\ndescription: Use when: it's \"now\"",
			`S:2:7 name = x|S:3:14 description = Use when: it's "now"`,
			[]string{
				`S:3:14: ` + repaired + `the text holds a colon followed by a space, ` +
					`so the value of "description" is read as quoted text`,
			},
		},
		"colon at the end": {"d: Use when:\nlicense: MIT", "S:2:4 d = Use when:|S:3:10 license = MIT", []string{
			`S:2:4: ` + repaired + `the text holds a colon followed by a space, so the value of "d" is read as quoted text`,
		}},
		"next key": {"d: Reads files.license: MIT", "S:2:4 d = Reads files.license: MIT", []string{
			`S:2:4: ` + repaired + `the text holds a colon followed by a space, so the value of "d" is read as quoted text; ` +
				`it ends in "license: MIT", which looks like a line of its own`,
		}},
		"control character": {"d: a\x01b", "S:2:4 d = ab", []string{
			`S:2:5: ` + repaired + `the control character U+0001 is dropped`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			file := "---\n" + test.in + "\n---\n"
			tree, found := readHeader(file)
			if diff := cmp.Diff(test.found, shown(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if got := strings.Join(flat(tree), "|"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if tree, _ := source.ReadFrontmatter(strings.NewReader(file), "S",
				source.FrontmatterOptions{NoRepair: true}); tree != nil {
				t.Errorf("repaired all the same: %s", flat(tree))
			}
		})
	}
}

func TestReadFrontmatterReadsLittle(t *testing.T) {
	read := &countingReader{r: io.MultiReader(strings.NewReader("---\nname: x\n---\n"), endless{})}
	if tree, found := source.ReadFrontmatter(read, "S", source.FrontmatterOptions{}); tree == nil || found != nil ||
		read.n > 4<<10 {
		t.Errorf("%d bytes read, tree %v, found %v", read.n, flat(tree), shown(found))
	}
	read = &countingReader{r: io.MultiReader(strings.NewReader("---\n"), endless{})}
	if tree, found := source.ReadFrontmatter(read, "S", source.FrontmatterOptions{}); tree != nil || len(found) != 1 ||
		read.n > 80<<10 {
		t.Errorf("%d bytes read, tree %v, found %v", read.n, flat(tree), shown(found))
	}
}

// countingReader counts what is read through it.
type countingReader struct {
	r io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// endless is a text without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	return copy(p, strings.Repeat("text\n", len(p)/5+1)), nil
}

func TestReadFrontmatterByteByByte(t *testing.T) {
	const file = "\uFEFF---\r\nname: 日本\r\n---\r\nText\r\n"
	whole, _ := readHeader(file)
	tree, found := source.ReadFrontmatter(iotest.OneByteReader(strings.NewReader(file)), "S", source.FrontmatterOptions{})
	if diff := cmp.Diff(whole, tree); diff != "" || found != nil {
		t.Errorf("tree (-at once +byte by byte):\n%s\nfound %v", diff, shown(found))
	}
}

func TestReadFrontmatterUnreadable(t *testing.T) {
	broken := iotest.ErrReader(&fs.PathError{Op: "read", Path: "/home/me/S", Err: errors.New("input/output error")})
	tree, found := source.ReadFrontmatter(io.MultiReader(strings.NewReader("---\nname: x\n"), broken), "S",
		source.FrontmatterOptions{})
	want := []string{"S: warning source-unreadable: the file cannot be read: input/output error"}
	if diff := cmp.Diff(want, shown(found)); diff != "" || tree != nil {
		t.Errorf("findings (-want +got):\n%s\ntree %v", diff, flat(tree))
	}
}

// lineFeeds gives a text the line breaks that lines of a header are counted by.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func FuzzReadFrontmatter(f *testing.F) {
	for _, seed := range []string{
		"---\n" + typical + "---\nText\n", "\uFEFF---\r\nname: 日本\r\n---\r\n",
		"---\nname: a: b # c\ntags: [a] [b]\n---\n",
		"---\nname: \"a\\eb\"\nx: @y\n---\n", "---\nn\u0085ame: a\x1b: \x7fb\n---\n", "---\nname: x\n\n# T\n\nText\n",
		"---\na: 'b\n  c: d\ne\n---\n", "\n ---\na: |\n b\n  ---\n", "---\n<<<<<<< a\nb: - c\n=======\n>>>>>>> d\n---\n",
		"---\n? a\n---\n",
		"---\n--- a\n...\n---\n", "---\na: &b c\nd: *b\n---\n",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	for _, file := range fixture.Files(f, "testdata/**/SKILL.md") {
		f.Add(file, false)
	}
	f.Fuzz(func(t *testing.T, data []byte, strict bool) {
		tree, found := source.ReadFrontmatter(strings.NewReader(string(data)), "S",
			source.FrontmatterOptions{NoRepair: strict})
		if tree == nil && len(found) == 0 {
			t.Fatal("neither a tree nor a finding")
		}
		lines := strings.Split(lineFeeds.Replace(strings.TrimPrefix(string(data), "\uFEFF")), "\n")
		for _, d := range found {
			within(t, lines, d.Span)
			if d.Severity != diag.Warning || d.Hint == "" && !strings.HasPrefix(d.Message, "more of") {
				t.Fatalf("%+v", d)
			}
		}
		if tree != nil {
			walk(tree, func(n *source.Node) {
				within(t, lines, n.Span)
				clean(t, n.Text)
			})
		}
	})
}

// typical is a header of the size and shape that most skills have.
const typical = `name: invoice-matching
description: >-
  Matches supplier invoices against purchase orders and delivery notes, line by line,
  and lists every deviation in price, quantity and tax with the clause of the contract
  that governs it. Use it when an invoice arrives, before a payment run, or when a
  supplier asks why an invoice has been held back.
license: Apache-2.0
compatibility: Needs read access to the ledger
metadata:
  author: finance-platform
  version: "1.4"
  category: finance
  tags: [invoices, purchase-orders, "three-way match"]
  a2a-examples: |
    Match invoice 4711 against its purchase order
    Which invoices of this week deviate by more than 2 %?
allowed-tools: Read Grep Bash(ledger:*)
`

func BenchmarkReadFrontmatter(b *testing.B) {
	file := "---\n" + typical + "---\n\n# Invoice matching\n\n" + strings.Repeat("Some text of the body.\n", 400)
	b.ReportAllocs()
	for b.Loop() {
		if tree, found := source.ReadFrontmatter(strings.NewReader(file), "SKILL.md",
			source.FrontmatterOptions{}); tree == nil || found != nil {
			b.Fatal(shown(found))
		}
	}
}

// BenchmarkYAMLNode is what reading a header costs at the very least.
func BenchmarkYAMLNode(b *testing.B) {
	block := []byte(typical)
	b.ReportAllocs()
	for b.Loop() {
		var n yaml.Node
		if err := yaml.Unmarshal(block, &n); err != nil {
			b.Fatal(err)
		}
	}
}
