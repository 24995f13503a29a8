package source_test

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

func readHeader(file string) (*source.Node, diag.List) {
	return source.ReadFrontmatter(strings.NewReader(file), "S", source.FrontmatterOptions{})
}

func TestReadFrontmatterTree(t *testing.T) {
	const file = "---\nname: no\nversion: 1.10 \nfrom: 2024-01-02\ndescription: |\n  é: 日本\n  😀\n\n" +
		"tags: [Yes, 0x1F, ~, \"😀\\t\", TRUE]\nbare:\nlast: 日 # c\n---\nbody: @\n"
	const want = `2:1 {2:1-2:5 name: 2:7-2:9 "no", 3:1-3:8 version: 3:10-3:14 1.10, ` +
		`4:1-4:5 from: 4:7-4:17 "2024-01-02", 5:1-5:12 description: 5:14 "é: 日本\n😀\n", ` +
		`9:1-9:5 tags: 9:7 [9:8-9:11 "Yes", 9:13-9:17 0x1F, 9:19-9:20 null, 9:22-9:27 "😀\t", 9:29-9:33 TRUE], ` +
		`10:1-10:5 bare: 10:6-10:6 null, 11:1-11:5 last: 11:7-11:8 "日"#}`
	for name, file := range map[string]string{
		"LF":         file,
		"CRLF":       strings.ReplaceAll(file, "\n", "\r\n"),
		"CR":         strings.ReplaceAll(file, "\n", "\r"),
		"BOM, CRLF":  "\uFEFF" + strings.ReplaceAll(file, "\n", "\r\n"),
		"no body":    strings.TrimSuffix(file, "\nbody: @\n"),
		"long fence": strings.ReplaceAll(file, "---\n", "--- \t\n"),
	} {
		for _, r := range []io.Reader{strings.NewReader(file), iotest.OneByteReader(strings.NewReader(file))} {
			got, found := source.ReadFrontmatter(r, "S", source.FrontmatterOptions{})
			if got == nil || found != nil {
				t.Errorf("%s: found %v", name, shown(found))
			} else if diff := cmp.Diff(want, dump(got)); diff != "" {
				t.Errorf("%s: tree (-want +got):\n%s", name, diff)
			}
		}
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
	const missing, unclosed, invalid = "source-frontmatter-missing", "source-frontmatter-unclosed", "source-yaml-invalid"
	for _, tt := range []struct{ in, place, rule string }{
		{"", "1:1", missing},
		{"\uFEFF", "1:1", missing},
		{strings.Repeat(" \n", 100_000), "1:1", missing},
		{"\n# Title\n\nText\n", "1:1", missing},
		{strings.Repeat("x", 100_000), "1:1", missing},
		{"+++\nname = 1\n+++\n", "1:1", missing},
		{"Text\n\n---\n\nText\n", "1:1", missing},
		{"../shared/SKILL.md", "1:1", missing}, // a link of git
		{"\x89PNG\x00", "1:1", missing},
		{"\xff\xfe-\x00-\x00", "1:1", missing},
		{"---\n---\n", "1:1", missing},
		{"---\n# name: x\n---\n", "1:1", missing},
		{"---\nSome text.\n---\n", "2:1", invalid},
		{"---\n- a\n---\n", "2:1", invalid},
		{"---\nname: x\n", "1:1", unclosed},
		{"---", "1:1", unclosed},
		{"---\nname: x\ndescription: |\n  a\n  ---\n  b\n---\n", "5:1", unclosed}, // indented
		{"---\nx: " + strings.Repeat("y", 64<<10) + "\n---\n", "1:1", "source-too-large"},
		{"---\nname: x\ndescription: caf\xe9\n---\n", "3:17", invalid},
		{"---\nname: x\u2028description: y\n---\n", "2:8", invalid},
		{"---\nname: a\nname: b\n---\n", "3:1", invalid},
		{"---\na: &b c\nd: *b\n---\n", "2:4", invalid},
		{"---\na: !!str 5\n---\n", "2:4", invalid},
		{"---\n? [a]\n: b\n---\n", "2:3", invalid},
		{"---\nname: \"a\\eb\"\n---\n", "2:7", invalid},
		{"---\nname: x\ndescription: Use when: asked\n  and more\n---\n", "3:22", invalid},
		{"---\nname: x\ndescription: \"a \\/ b\"\n---\n", "3:14", invalid},
		{"---\nname: \"x\nb: c\n---\n", "2:7", invalid},
		{"---\nname: \"x\": y\n---\n", "2:10", invalid}, // not repaired
		{"---\nname: x\n<<<<<<< a\nb: c\n=======\nb: d\n>>>>>>> e\n---\n", "3:1", invalid},
	} {
		tree, found := readHeader(tt.in)
		if tree != nil || len(found) != 1 || found[0].Span.String() != "S:"+tt.place || found[0].Rule.String() != tt.rule ||
			found[0].Hint == "" || found[0].Severity != diag.Warning {
			t.Errorf("%q: got %v, want %s %s", tt.in[:min(len(tt.in), 60)], shown(found), tt.place, tt.rule)
		}
	}
}

// A colon in a value and control characters are repaired, and nothing else.
func TestReadFrontmatterRepaired(t *testing.T) {
	const repaired = "warning source-yaml-repaired: "
	const colon = "the text holds a colon followed by a space, so the value of "
	for _, tt := range []struct{ in, key, want, found string }{
		{
			"name: x\ndescription: Use when: it's \"now\"", "description", `Use when: it's "now"`,
			`S:3:14: ` + repaired + colon + `"description" is read as quoted text`,
		},
		{"d: Use when:\nlicense: MIT", "d", "Use when:", `S:2:4: ` + repaired + colon + `"d" is read as quoted text`},
		{
			"d: Reads files.license: MIT", "d", "Reads files.license: MIT", `S:2:4: ` + repaired + colon +
				`"d" is read as quoted text; it ends in "license: MIT", which looks like a line of its own`,
		},
		{"d: a\x01b", "d", "ab", `S:2:5: ` + repaired + `the control character U+0001 is dropped`},
	} {
		file := "---\n" + tt.in + "\n---\n"
		tree, found := readHeader(file)
		if got := tree.Get(tt.key).Word(); got != tt.want || strings.Join(shown(found), "\n") != tt.found {
			t.Errorf("%q: got %q, found %s", tt.in, got, shown(found))
		}
		strict := source.FrontmatterOptions{NoRepair: true}
		if tree, _ := source.ReadFrontmatter(strings.NewReader(file), "S", strict); tree != nil {
			t.Errorf("repaired all the same: %s", dump(tree))
		}
	}
}

func TestReadFrontmatterReadsLittle(t *testing.T) {
	for begin, most := range map[string]int{"---\nname: x\n---\n": 4 << 10, "---\n": 80 << 10} {
		read := &countingReader{r: io.MultiReader(strings.NewReader(begin), endless{})}
		tree, found := source.ReadFrontmatter(read, "S", source.FrontmatterOptions{})
		if (tree == nil) != (len(found) == 1) || read.n > most {
			t.Errorf("%q: %d bytes read, tree %v, found %v", begin, read.n, tree, shown(found))
		}
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

func TestReadFrontmatterUnreadable(t *testing.T) {
	broken := iotest.ErrReader(&fs.PathError{Op: "read", Path: "/home/me/S", Err: errors.New("input/output error")})
	tree, found := source.ReadFrontmatter(io.MultiReader(strings.NewReader("---\nname: x\n"), broken), "S",
		source.FrontmatterOptions{})
	want := []string{"S: warning source-unreadable: the file cannot be read: input/output error"}
	if diff := cmp.Diff(want, shown(found)); diff != "" || tree != nil {
		t.Errorf("findings (-want +got):\n%s\ntree %v", diff, tree)
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
