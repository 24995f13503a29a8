package report

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

var update = flag.Bool("update", false, "rewrite testdata/formats.txtar")

// at is a place in a file.
func at(file string, line, column, endLine, endColumn int) diag.Span {
	return diag.Span{File: file, Line: line, Column: column, EndLine: endLine, EndColumn: endColumn}
}

// One report, in each format.
func TestFormats(t *testing.T) {
	const file = "testdata/formats.txtar"
	r := &Report{
		Title: "cardwright lint", Version: "1.2.3", Home: "https://git.acme.example/cardwright",
		Repository: Repository{Dir: "services", Default: "cardwright.yaml"},
		Source:     func(string) []byte { return []byte("one\ntags: []\n") },
		Members:    []source.Member{{Key: "cards", Value: source.ArrayOf()}},
		Rules: []Rule{
			{diag.CardNull, diag.Warning, "null in a card", "", "docs/rules.md#card-null"},
			{diag.SkillTagsMissing, diag.Error, "no tags", "Clients find skills by **tags**.", "docs/rules.md#tags"},
		},
		Found: diag.List{
			{
				Rule: diag.SkillTagsMissing, Severity: diag.Error, Message: `"pdf" has no <tags>`, Hint: "add some",
				Pointer: "/skills/0/tags", Span: at("skills/a b/SKILL.md", 2, 3, 2, 7),
				Related: []diag.Related{{Span: at("cardwright.yaml", 9, 0, 0, 0), Message: "named here"}, {Message: "because"}},
			},
			{Rule: diag.SkillTagsMissing, Severity: diag.Error, Message: "100%,\n::b", Span: at("a:b,c", 1, 2, 3, 4)},
			{Rule: diag.CardNull, Severity: diag.Info, Message: "Prüft 差分\u202e##[x] #[y](z)\U000e0041"},
			{Rule: diag.CardNull, Severity: diag.Warning, Message: "m", Span: at("d", 2, 3, 2, 3)},
		},
	}
	want, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := &txtar.Archive{Comment: want.Comment}
	for _, f := range formats() {
		text, _ := r.Text(r.Found, Style{})
		if f.write != nil {
			text = f.write(r)
		}
		got.Files = append(got.Files, txtar.File{Name: f.name, Data: []byte(text)})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(txtar.Format(want)), string(txtar.Format(got))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if r.Home = ""; strings.Contains(r.sarif(), `Uri"`) {
		t.Error("without an address of the repository, SARIF has one")
	}
	if r.Write(&strings.Builder{}, "text") == nil {
		t.Error("there is a format for programs that is called text")
	}
}

// Services want files relative to the root of the repository.
func TestRepository(t *testing.T) {
	for _, tt := range []struct {
		file       string
		repo       Repository
		want       string
		uri, based string
	}{
		{"a/b.json", Repository{}, "a/b.json", "a/b.json", "%SRCROOT%"},
		{"../a/b", Repository{Dir: "services/review"}, "services/a/b", "services/a/b", "%SRCROOT%"},
		{"../../a", Repository{Dir: "b"}, "../a", "../a", ""},
		{"--server", Repository{Dir: "b", Default: "c.yaml"}, "b/c.yaml", "b/c.yaml", "%SRCROOT%"},
		{"", Repository{Dir: "b", Default: "c.yaml"}, "b/c.yaml", "b/c.yaml", "%SRCROOT%"},
		{"", Repository{}, "", ".", "%SRCROOT%"},
		{"/a//b", Repository{Dir: "services"}, "/a/b", "/a/b", ""},
		{"/repo/a/b", Repository{Root: "/repo", Dir: "services"}, "a/b", "a/b", "%SRCROOT%"},
		{"D:/repo/a", Repository{Root: "D:/repo", Dir: "b"}, "a", "a", "%SRCROOT%"},
		{"ä/差.json", Repository{}, "ä/差.json", "%C3%A4/%E5%B7%AE.json", "%SRCROOT%"},
		{"a?b#c%d[e]\n", Repository{}, "a?b#c%d[e]\n", "a%3Fb%23c%25d%5Be%5D%0A", "%SRCROOT%"},
		{"a:b", Repository{}, "a:b", "./a:b", "%SRCROOT%"},
	} {
		if got := tt.repo.file(tt.file); got != tt.want {
			t.Errorf("%q in %+v: got %q, want %q", tt.file, tt.repo, got, tt.want)
		}
		place := location(diag.Span{File: tt.file}, tt.repo).Get("physicalLocation")
		artifact := place.Get("artifactLocation")
		if artifact.Get("uri").Word() != tt.uri || artifact.Get("uriBaseId").Word() != tt.based ||
			place.Get("region").Get("startLine").Text != "1" {
			t.Errorf("%q in %+v: got %s", tt.file, tt.repo, printJSON(place))
		}
	}
}

// Fingerprints differ from each other, and stay when lines move.
func TestFingerprints(t *testing.T) {
	prints := func(line int) (all []string) {
		seen := fingerprints{}
		for _, d := range []diag.Diagnostic{
			{Rule: diag.CardNull, Message: "m"},
			{Rule: diag.CardNull, Message: "n"},
			{Rule: diag.CardNull, Message: "m"},
			{Rule: diag.CardPair, Message: "m"},
		} {
			d.Span.Line = line
			all = append(all, seen.of(d, "one"), seen.of(d, "two"))
		}
		return all
	}
	before := prints(1)
	if diff := cmp.Diff(before, prints(2)); diff != "" {
		t.Errorf("lines moved (-before +after)\n%s", diff)
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(before))); len(distinct) != 8 {
		t.Errorf("8 findings have %d fingerprints", len(distinct))
	}
}

func TestMarkdown(t *testing.T) {
	many := func(n int) diag.List {
		d := diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Info, Message: "m", Span: diag.Span{File: "f"}}
		return slices.Repeat(diag.List{d}, n)
	}
	var large diag.List
	for rule := range diag.RuleID(100) {
		d := diag.Diagnostic{Rule: rule + 1, Severity: diag.Error, Message: strings.Repeat("m", 150)}
		large = append(large, slices.Repeat(diag.List{d}, 5)...)
	}
	for _, tt := range []struct {
		name  string
		found diag.List
		want  string // the end
	}{
		{"nothing", nil, "### cardwright lint: no findings\n"},
		{"three of one rule", many(3), "3 infos\n\n" + strings.Repeat("- **info** `f` `m` (`card-null`)\n", 3)},
		{"many of one rule", many(103), "`m` (`card-null`)\n- and 100 more of `card-null`\n"},
		{"more than a comment holds", large, fmt.Sprintf("- and 2 more of `%s`\n- and 425 more\n", diag.RuleID(15))},
	} {
		r := Report{Title: "cardwright lint", Found: tt.found}
		if got := r.markdown(); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s: got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "`a`", "<b>*@user* [x](y) #1": "`<b>*@user* [x](y) #1`", "a`b": "``a`b``",
		"`a``": "``` `a`` ```", " a ": "`  a  `", "a\n\n# b": "`a\\n\\n# b`", "\u202e": "`\\u202e`",
		strings.Repeat("ä", 201): "`" + strings.Repeat("ä", 200) + "…`",
	} {
		if got := Code(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Prüft 差分 👍", "Prüft 差分 👍"},
		{"tab", "a\tb", "a\tb"},
		{"line ends", "a\nb\r\n", `a\nb\r\n`},
		{"escape sequence", "\x1b[31mred\x1b[0m", `\u001b[31mred\u001b[0m`},
		{"C1 and DEL", "a\u009bb\x7f", `a\u009bb\u007f`},
		{"bidirectional", "user\u202e\u2066", `user\u202e\u2066`},
		{"zero width", "a\u200bb\ufeff\u2060", `a\u200bb\ufeff\u2060`},
		{"tags", "a\U000e0041", `a\U000e0041`},
		{"variation selectors", "a\ufe0f\U000e0100", `a\ufe0f\U000e0100`},
		{"blank letters", "a\u3164\u115f\u034f", `a\u3164\u115f\u034f`},
		{"line separators", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"invalid UTF-8", "a\xffb", `a\ufffdb`},
		{"combining marks stay", "e\u0301", "e\u0301"},
		{"command", "::error::x", `\u003a:error::x`},
		{"command behind white space", " \t\u00a0\u2003::debug::b", " \t\u00a0\u2003" + `\u003a:debug::b`},
		{"colons inside", "std::string, fe80::1", "std::string, fe80::1"},
		{"old command", "x ##[add-mask]y", `x ##\u005badd-mask]y`},
		{"old command behind hashes", "###[error]", `###\u005berror]`},
		{"heading", "## [x]", "## [x]"},
	} {
		if got := Escape(tt.in); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
