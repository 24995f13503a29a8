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
				t.Errorf("tree (-want +got):\n%s\nfound %v", diff, told(found))
			}
		})
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
		"no header": {"\n# Title\n\nText\n", `S:2:1: ` + missing +
			`the file has no header: it begins with "# Title", expected "---"`},
		"one long line": {
			strings.Repeat("x", 100_000),
			`S:1:1: ` + missing + `the file has no header: it begins with "` + strings.Repeat("x", 60) + `…", expected "---"`,
		},
		"TOML": {"+++\nname = 1\n+++\n", `S:1:1: ` + missing +
			`the file has no header: it begins with "+++", expected "---"`},
		"behind a comment": {
			"<!-- generated -->\n\n---\nname: x\n---\n",
			`S:3:1: ` + missing + `the "---" of the header comes after other text, "<!-- generated -->", expected it on line 1`,
		},
		"between tildes": {
			"~~~yaml\n---\nname: x\n---\n~~~\n",
			"S:1:1: " + missing + "the header is in a code block that \"~~~yaml\" opens, expected it on line 1",
		},
		"in a code block": {
			"```markdown\n---\nname: x\n---\n```\n",
			"S:1:1: " + missing + "the header is in a code block that \"```markdown\" opens, expected it on line 1",
		},
		"behind an example": {
			"# Title\n\n```yaml\n---\nname: x\n---\n```\n",
			`S:1:1: ` + missing + `the file has no header: it begins with "# Title", expected "---"`,
		},
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
			`S:2:8: ` + invalid + `the invisible line break U+2028 is not allowed`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tree, found := readHeader(test.in)
			if diff := cmp.Diff([]string{test.want}, told(found)); diff != "" || tree != nil {
				t.Errorf("findings (-want +got):\n%s\ntree %v", diff, flat(tree))
			}
			if len(found) > 0 && found[0].Hint == "" {
				t.Error("no hint how to fix it")
			}
		})
	}
}

func TestReadFrontmatterRepaired(t *testing.T) {
	const repaired, inQuotes = "warning source-yaml-repaired: ", ` is read as quoted text`
	const opening, leftOut = "warning source-frontmatter-opening: ", ", so the key and its value are left out"
	const colon = "the text holds a colon followed by a space, which YAML reads as another key, so the value of "
	tests := map[string]struct {
		in, strict string // strict is what the file is refused for without repairs
		tree, want []string
	}{
		"colon": {
			in: "---\nname: x\ndescription: Use when: it’s \"late\" # or early\nlicense: MIT\n---\n",
			tree: []string{
				"S:2:7 name = x", "S:3:14 description = Use when: it’s \"late\" # or early",
				"S:4:10 license = MIT",
			},
			want: []string{"S:3:14: " + repaired + colon + `"description"` + inQuotes},
			strict: "S:3:22: warning source-yaml-invalid: the text holds a colon followed by a space, " +
				"which YAML reads as another key",
		},
		"colon at the end": {
			in:   "---\nname: x\ndescription: Use when:\nlicense: MIT\n---\n",
			tree: []string{"S:2:7 name = x", "S:3:14 description = Use when:", "S:4:10 license = MIT"},
			want: []string{"S:3:14: " + repaired + colon + `"description"` + inQuotes},
			strict: "S:3:22: warning source-yaml-invalid: the text holds a colon followed by a space, " +
				"which YAML reads as another key",
		},
		"two colons, CRLF": {
			in:   "---\r\nname: a: b\r\ndescription: c: d\r\n---\r\n",
			tree: []string{"S:2:7 name = a: b", "S:3:14 description = c: d"},
			want: []string{
				"S:2:7: " + repaired + colon + `"name"` + inQuotes,
				"S:3:14: " + repaired + colon + `"description"` + inQuotes,
			},
			strict: "S:2:8: warning source-yaml-invalid: the text holds a colon followed by a space, " +
				"which YAML reads as another key",
		},
		"swallowed line": {
			in:   "---\nname: x\ndescription: Does this.license: MIT\n---\n",
			tree: []string{"S:2:7 name = x", "S:3:14 description = Does this.license: MIT"},
			want: []string{"S:3:14: " + repaired + colon + `"description"` + inQuotes +
				`; it ends in "license: MIT", which looks like a line of its own`},
			strict: "S:3:31: warning source-yaml-invalid: the text holds a colon followed by a space, " +
				"which YAML reads as another key",
		},
		"at sign and comma": {
			in:   "---\nname: @x\ndescription: , y\n---\n",
			tree: []string{"S:2:7 name = @x", "S:3:14 description = , y"},
			want: []string{
				"S:2:7: " + repaired + `a value cannot begin with "@", so the value of "name"` + inQuotes,
				"S:3:14: " + repaired + `a value cannot begin with ",", so the value of "description"` + inQuotes,
			},
			strict: `S:2:7: warning source-yaml-invalid: a value cannot begin with "@"`,
		},
		"quotes within quotes": {
			in:     "---\nname: x\ndescription: 'It's late'\n---\n",
			tree:   []string{"S:2:7 name = x", "S:3:14 description = It's late"},
			want:   []string{"S:3:14: " + repaired + `text follows the closing quote, so the value of "description"` + inQuotes},
			strict: `S:3:18: warning source-yaml-invalid: text follows the closing quote`,
		},
		"two quotations": {
			in:     "---\nname: x\ndescription: \"a\" and \"b\"\n---\n",
			tree:   []string{"S:2:7 name = x", `S:3:14 description = "a" and "b"`},
			want:   []string{"S:3:14: " + repaired + `text follows the closing quote, so the value of "description"` + inQuotes},
			strict: `S:3:17: warning source-yaml-invalid: text follows the closing quote`,
		},
		"quoted word within quotes": {
			in:     "---\nname: x\ndescription: \"say \"b\" twice\"\n---\n",
			tree:   []string{"S:2:7 name = x", `S:3:14 description = say "b" twice`},
			want:   []string{"S:3:14: " + repaired + `text follows the closing quote, so the value of "description"` + inQuotes},
			strict: `S:3:20: warning source-yaml-invalid: text follows the closing quote`,
		},
		"quote that is not closed": {
			in:   "---\nname: x\ndescription: \"so it goes\ntags: a\n---\n",
			tree: []string{"S:2:7 name = x", "S:3:14 description = so it goes", "S:4:7 tags = a"},
			want: []string{"S:3:14: " + repaired + `the quote that opens here is never closed, so the value of "description"` +
				inQuotes},
			strict: `S:3:14: warning source-yaml-invalid: the quote that opens here is never closed`,
		},
		"two lists": {
			in:   "---\nname: x\nargument-hint: [a] [b]\n---\n",
			tree: []string{"S:2:7 name = x", "S:3:16 argument-hint = [a] [b]"},
			want: []string{"S:3:16: " + repaired +
				`the list or map that "[" opens is malformed, so the value of "argument-hint"` + inQuotes},
			strict: `S:3:16: warning source-yaml-invalid: the list or map that "[" opens is malformed`,
		},
		"list on the line of its key": {
			in:     "---\nname: x\ntags: - a - b\n---\n",
			tree:   []string{"S:2:7 name = x", "S:3:7 tags = - a - b"},
			want:   []string{"S:3:7: " + repaired + `a list begins on the line of its key, so the value of "tags"` + inQuotes},
			strict: `S:3:7: warning source-yaml-invalid: a list begins on the line of its key`,
		},
		"text behind >": {
			in:   "---\nname: x\ndescription: > Use it\n---\n",
			tree: []string{"S:2:7 name = x", "S:3:14 description = Use it"},
			want: []string{"S:3:14: " + repaired + `the text starts on the same line as ">", so the value of "description"` +
				inQuotes},
			strict: `S:3:14: warning source-yaml-invalid: the text starts on the same line as ">"`,
		},
		"control characters": {
			in:   "---\nn\u0081ame: a\x1b\x00é: \x7fb\ntags: [c]\n---\n",
			tree: []string{"S:2:7 name = aé: b", "S:3:7 tags = array"},
			want: []string{
				"S:2:2: " + repaired + `the control character U+0081 is dropped`,
				"S:2:7: " + repaired + colon + `"name"` + inQuotes,
			},
			strict: `S:2:2: warning source-yaml-invalid: the control character U+0081 is not allowed`,
		},
		"escaped control character": {
			in:   "---\nname: \"a\\eb\\r\\n\"\n---\n",
			tree: []string{"S:2:7 name = ab\n"},
			want: []string{"S:2:7: warning source-escape-dropped: " +
				`the text holds an escape for the control character U+001B, it is dropped`},
			strict: `S:2:7: warning source-yaml-invalid: the text holds an escape for the control character U+001B, ` +
				`which is not allowed`,
		},
		"text over several lines": {
			in:   "---\nname: x\ndescription: Use when:\n  it is: late\nor early\nlicense: MIT\n---\n",
			tree: []string{"S:2:7 name = x", "S:3:14 description = Use when: it is: late or early", "S:6:10 license = MIT"},
			want: []string{"S:3:14: " + repaired + colon + `"description"` + inQuotes},
			strict: `S:3:22: warning source-yaml-invalid: the text holds a colon followed by a space, ` +
				`which YAML reads as another key`,
		},
		"comment below a value": {
			in:   "---\nname: x\ndescription: a: b\n# c: d\nlicense: MIT\n---\n",
			tree: []string{"S:2:7 name = x", "S:3:14 description = a: b", "S:5:10 license = MIT"},
			want: []string{"S:3:14: " + repaired + colon + `"description"` + inQuotes},
			strict: `S:3:15: warning source-yaml-invalid: the text holds a colon followed by a space, ` +
				`which YAML reads as another key`,
		},
		"one key of several": {
			in:   "---\nname: x\nmetadata:\n  a: b: c\nlicense: MIT\n---\n",
			tree: []string{"S:2:7 name = x", "S:5:10 license = MIT"},
			want: []string{"S:4:7: " + repaired + colon[:len(colon)-len("so the value of ")] +
				`so the value of "metadata" is left out`},
			strict: `S:4:7: warning source-yaml-invalid: the text holds a colon followed by a space, ` +
				`which YAML reads as another key`,
		},
		"conflict": {
			in:     "---\nname: x\n<<<<<<< HEAD\ndescription: a\n=======\ndescription: b\n>>>>>>> other\n---\n",
			want:   []string{`S:3:1: error source-conflict: there is a merge conflict marker here`},
			strict: `S:3:1: error source-conflict: there is a merge conflict marker here`,
		},
		"conflict below the header": {
			in:     "---\nname: x\n---\n# X\n\n<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n",
			want:   []string{`S:6:1: error source-conflict: there is a merge conflict marker here`},
			strict: `S:6:1: error source-conflict: there is a merge conflict marker here`,
		},
		"never closed": {
			in:   "---\nname: x\ndescription: a: b\n\n# Title\n\nText\n",
			tree: []string{"S:2:7 name = x", "S:3:14 description = a: b"},
			want: []string{
				"S:3:14: " + repaired + colon + `"description"` + inQuotes,
				`S:1:1: warning source-frontmatter-unclosed: the header is not closed before the text begins, ` +
					`it is read as if "---" stood on line 4`,
			},
			strict: `S:1:1: warning source-frontmatter-unclosed: the header is never closed`,
		},
		"closed by dots": {
			in:   "---\nname: x\n...\nText\n",
			tree: []string{"S:2:7 name = x"},
			want: []string{
				`S:1:1: warning source-frontmatter-unclosed: the header is not closed before the text begins, ` +
					`it is read as if "---" stood on line 3`,
			},
			strict: `S:1:1: warning source-frontmatter-unclosed: the header is never closed`,
		},
		"closed by a rule in the text": {
			in:   "---\nname: x\n\n# Title\n\nText: a: b\n\nMore text\n\n---\n\nText\n",
			tree: []string{"S:2:7 name = x"},
			want: []string{
				`S:1:1: warning source-frontmatter-unclosed: the header is not closed before the text begins, ` +
					`it is read as if "---" stood on line 3`,
			},
			strict: `S:6:8: warning source-yaml-invalid: the text holds a colon followed by a space, ` +
				`which YAML reads as another key`,
		},
		"dashes and a word": {
			in:     "---yaml\nname: x\n---\n",
			tree:   []string{"S:2:7 name = x"},
			want:   []string{`S:1:1: ` + opening + `the header begins with "---yaml", it is read as "---"`},
			strict: `S:1:1: warning source-frontmatter-missing: the header begins with "---yaml", expected "---"`,
		},
		"four dashes": {
			in:     "----\nname: x\n---\n",
			tree:   []string{"S:2:7 name = x"},
			want:   []string{`S:1:1: ` + opening + `the header begins with "----", it is read as "---"`},
			strict: `S:1:1: warning source-frontmatter-missing: the header begins with "----", expected "---"`,
		},
		"list as a key": {
			in:     "---\nname: x\nmetadata: {a: b, [\"bc\"]: d}\n---\n",
			tree:   []string{"S:2:7 name = x", "S:3:11 metadata = object"},
			want:   []string{"S:3:18: " + repaired + "a key is not a text" + leftOut},
			strict: "S:3:18: warning source-yaml-invalid: a key is not a text",
		},
		"merge key": {
			in:     "---\nname: x\n<<: {a: b}\n---\n",
			tree:   []string{"S:2:7 name = x"},
			want:   []string{"S:3:1: " + repaired + "the merge key << is not supported" + leftOut},
			strict: "S:3:1: warning source-yaml-invalid: the merge key << is not supported",
		},
		"binary": {
			in:     "---\nname: x\nicon: !!binary eA==\n---\n",
			tree:   []string{"S:2:7 name = x"},
			want:   []string{"S:3:7: " + repaired + "the tag !!binary is not supported" + leftOut},
			strict: "S:3:7: warning source-yaml-invalid: the tag !!binary is not supported",
		},
		"too deep": {
			in:     "---\nname: x\nx: " + strings.Repeat("[", 16) + strings.Repeat("]", 16) + "\n---\n",
			tree:   []string{"S:2:7 name = x"},
			want:   []string{"S:3:19: " + repaired + "the document is nested more than 16 levels deep" + leftOut},
			strict: "S:3:19: warning source-yaml-invalid: the document is nested more than 16 levels deep",
		},
		"no-break spaces": {
			in:     "---\nname: x\nmetadata:\n\u00a0\u00a0author: \"me\"\n---\n",
			tree:   []string{"S:2:7 name = x", "S:4:3 metadata = object"},
			want:   []string{"S:4:1: " + repaired + "a no-break space indents this line, it is read as a space"},
			strict: "S:4:1: warning source-yaml-invalid: a no-break space indents this line",
		},
		"one space too many": {
			in:   "---\nname: x\nmetadata:\n  author: \"me\"\n   role: \"you\"\n---\n",
			tree: []string{"S:2:7 name = x"},
			want: []string{"S:5:4: " + repaired +
				`this line does not match the indentation of the lines around it, so the value of "metadata" is left out`},
			strict: "S:5:4: warning source-yaml-invalid: this line does not match the indentation of the lines around it",
		},
		"one space too few": {
			in:   "---\nname: x\nmetadata:\n  author: me\n role: you\n---\n",
			tree: []string{"S:2:7 name = x"},
			want: []string{"S:5:2: " + repaired +
				`this line does not match the indentation of the lines around it, so the value of "metadata" is left out`},
			strict: "S:5:2: warning source-yaml-invalid: this line does not match the indentation of the lines around it",
		},
		"sentences that look like keys": {
			in: "---\nname: x\ndescription: Use when: late. Trigger keywords: a, b\n  Next: ask\nlicense: MIT\n---\n",
			tree: []string{
				"S:2:7 name = x", "S:3:14 description = Use when: late. Trigger keywords: a, b Next: ask",
				"S:5:10 license = MIT",
			},
			want: []string{"S:3:14: " + repaired + colon + `"description"` + inQuotes},
			strict: "S:3:22: warning source-yaml-invalid: the text holds a colon followed by a space, " +
				"which YAML reads as another key",
		},
		"blank lines before": {
			in:   "\n\n---\nname: x\n---\n",
			tree: []string{"S:4:7 name = x"},
			want: []string{`S:3:1: ` + opening +
				`the header does not begin in the first column of line 1, it is read as if it did`},
			strict: `S:3:1: warning source-frontmatter-missing: the header does not begin with "---" in the first column ` +
				`of line 1`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tree, found := readHeader(test.in)
			if diff := cmp.Diff(test.tree, flat(tree)); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.want, told(found)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			tree, found = source.ReadFrontmatter(strings.NewReader(test.in), "S", source.FrontmatterOptions{NoRepair: true})
			if diff := cmp.Diff([]string{test.strict}, told(found)); diff != "" || tree != nil {
				t.Errorf("findings without repairs (-want +got):\n%s\ntree %v", diff, flat(tree))
			}
		})
	}
}

// What readers of YAML understand, and this one too.
func TestReadFrontmatterUnderstood(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"anchor and alias": {"name: &n x\ntitle: *n", "S:2:7 name = x|S:3:8 title = x"},
		"alias of a list":  {"tags: &t [a, b]\nkeywords: *t", "S:2:7 tags = array|S:3:11 keywords = array"},
		"plain tags":       {"name: !!str 5\ntags: !!seq [a]", "S:2:7 name = 5|S:3:7 tags = array"},
		"surrogate pair": {
			`name: "\uD83E\uDDEC x"` + "\n" + `m: {"e": "\ud83e\uddec", "f": g}`,
			"S:2:7 name = 🧬 x|S:3:4 m = object",
		},
		"escaped slash":     {`name: "a \/ b \\/ c"`, `S:2:7 name = a / b \/ c`},
		"comment, no value": {"name: # x\ntitle: y", "S:2:6 name = null (cut)|S:3:8 title = y"},
	} {
		t.Run(name, func(t *testing.T) {
			tree, found := readHeader("---\n" + c.in + "\n---\n")
			if got := strings.Join(flat(tree), "|"); got != c.want || found != nil {
				t.Errorf("got %s, want %s, found %v", got, c.want, told(found))
			}
		})
	}
	bomb := "---\na: &a [x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n" +
		"c: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c]\nname: n\n---\n"
	tree, found := readHeader(bomb)
	if tree.Get("name") == nil || tree.Get("d") != nil || len(found) == 0 {
		t.Errorf("tree %v, found %v", flat(tree), told(found))
	}
}

func TestReadFrontmatterDuplicate(t *testing.T) {
	tree, found := readHeader("---\nname: a\nname: b\n---\n")
	want := []string{
		`S:3:1: warning source-yaml-duplicate: key "name" is defined twice, ` +
			`the first one is used (S:2:1: first defined here)`,
	}
	if diff := cmp.Diff(want, told(found)); diff != "" || tree.Get("name").Text != "a" {
		t.Errorf("findings (-want +got):\n%s\ntree %v", diff, flat(tree))
	}
	if _, found := readHeader("---\n" + strings.Repeat("a: 1\n", 10_000) + "---\n"); len(found) > 100 {
		t.Errorf("%d findings", len(found))
	}
}

func TestReadFrontmatterReadsLittle(t *testing.T) {
	read := &countingReader{r: io.MultiReader(strings.NewReader("---\nname: x\n---\n"), endless{})}
	if tree, found := source.ReadFrontmatter(read, "S", source.FrontmatterOptions{}); tree == nil || found != nil ||
		read.n > 4<<10 {
		t.Errorf("%d bytes read, tree %v, found %v", read.n, flat(tree), told(found))
	}
	read = &countingReader{r: io.MultiReader(strings.NewReader("---\n"), endless{})}
	if tree, found := source.ReadFrontmatter(read, "S", source.FrontmatterOptions{}); tree != nil || len(found) != 1 ||
		read.n > 80<<10 {
		t.Errorf("%d bytes read, tree %v, found %v", read.n, flat(tree), told(found))
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
		t.Errorf("tree (-at once +byte by byte):\n%s\nfound %v", diff, told(found))
	}
}

func TestReadFrontmatterUnreadable(t *testing.T) {
	broken := iotest.ErrReader(&fs.PathError{Op: "read", Path: "/home/me/S", Err: errors.New("input/output error")})
	tree, found := source.ReadFrontmatter(io.MultiReader(strings.NewReader("---\nname: x\n"), broken), "S",
		source.FrontmatterOptions{})
	want := []string{"S: warning source-unreadable: the file cannot be read: input/output error"}
	if diff := cmp.Diff(want, told(found)); diff != "" || tree != nil {
		t.Errorf("findings (-want +got):\n%s\ntree %v", diff, flat(tree))
	}
}

func TestReadFrontmatterLimit(t *testing.T) {
	o := source.FrontmatterOptions{Limits: source.Limits{Frontmatter: 8}}
	for file, ok := range map[string]bool{
		"---\nname: x\n---\n": true, "---\nname: xy\n---\n": false,
		"no header at all": false,
	} {
		tree, found := source.ReadFrontmatter(strings.NewReader(file), "S", o)
		if (tree != nil) != ok || ok != (found == nil) {
			t.Errorf("%q: tree %v, found %v", file, flat(tree), told(found))
		}
	}
}

// lineFeeds gives a text the line breaks that lines of a header are counted by.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func FuzzReadFrontmatter(f *testing.F) {
	for _, seed := range []string{
		"---\n" + typical + "---\nText\n", "\uFEFF---\r\nname: 日本\r\n---\r\n", "---\nname: a: b # c\ntags: [a] [b]\n---\n",
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
		tree, found := source.ReadFrontmatter(strings.NewReader(string(data)), "S", source.FrontmatterOptions{
			Limits: source.Limits{Frontmatter: 4 << 10}, NoRepair: strict,
		})
		if tree == nil && len(found) == 0 {
			t.Fatal("neither a tree nor a finding")
		}
		lines := strings.Split(lineFeeds.Replace(strings.TrimPrefix(string(data), "\uFEFF")), "\n")
		for _, d := range found {
			within(t, lines, d.Span)
			if d.Severity != diag.Warning && d.Rule != "source-conflict" ||
				d.Hint == "" && !strings.HasPrefix(d.Message, "more of") {
				t.Fatalf("%+v", d)
			}
		}
		if tree != nil {
			walk(tree, func(n *source.Node) {
				within(t, lines, n.Span)
				if n != tree { // which has the text as it was written
					clean(t, n.Text)
				}
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
			b.Fatal(told(found))
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
