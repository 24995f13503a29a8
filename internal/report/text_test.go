package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
)

func TestTextShowsTheLine(t *testing.T) {
	wide, xs := strings.Repeat("差", 300), strings.Repeat("x", 300)
	for _, tt := range []struct {
		name, source string
		span         diag.Span
		want         []string // the excerpt
	}{
		{"one character", "ab cd", at("a", 1, 4, 0, 0), []string{"1 | ab cd", "  |    ^"}},
		{"a span", "ab cd", at("a", 1, 4, 1, 6), []string{"1 | ab cd", "  |    ^~"}},
		{"a later line", strings.Repeat("1\n", 9) + "ten\n", at("a", 10, 2, 10, 4), []string{"10 | ten", "   |  ^~"}},
		{"without a column", "ab", at("a", 1, 0, 0, 0), []string{"1 | ab"}},
		{"line beyond the file", "ab", at("a", 9, 1, 0, 0), nil},
		{"blank line", "ab\n \t\n", at("a", 2, 1, 0, 0), nil},
		{"column beyond the line", "ab", at("a", 1, 9, 1, 12), []string{"1 | ab", "  |   ^"}},
		{"a span over lines", "ab cd\nef\n", at("a", 1, 4, 2, 3), []string{"1 | ab cd", "  |    ^~"}},
		{"a span that ends before it begins", "ab cd", at("a", 1, 4, 1, 2), []string{"1 | ab cd", "  |    ^"}},
		{"CRLF", "ab\r\ncd\r\n", at("a", 2, 2, 2, 3), []string{"2 | cd", "  |  ^"}},
		{"BOM", "\ufeffab", at("a", 1, 2, 1, 3), []string{"1 | ab", "  |  ^"}},
		{"wide characters", "差分: 検査 x", at("a", 1, 5, 1, 7), []string{"1 | 差分: 検査 x", "  |       ^~~~"}},
		{"combining marks", "e\u0301a\u0308 x", at("a", 1, 6, 1, 7), []string{"1 | e\u0301a\u0308 x", "  |    ^"}},
		{"emoji with skin tone", "👍🏽 x", at("a", 1, 4, 1, 5), []string{"1 | 👍🏽 x", "  |    ^"}},
		{"tabs", "\tab\tcd", at("a", 1, 5, 1, 7), []string{"1 |     ab    cd", "  |           ^~"}},
		{"a tab at fault", "a\tb", at("a", 1, 2, 1, 3), []string{"1 | a    b", "  |  ^~~~"}},
		{"hidden", "a\u202eb\x1b[0m", at("a", 1, 4, 1, 5), []string{`1 | a\u202eb\u001b[0m`, "  |         ^~~~~~"}},
		{"invalid UTF-8", "a\xff\xfeb", at("a", 1, 4, 1, 5), []string{`1 | a\ufffd\ufffdb`, "  |              ^"}},
		{"a command", "::error::x", at("a", 1, 3, 1, 8), []string{"1 | ::error::x", "  |   ^~~~~"}},
		{"a command across", "##[error]x", at("a", 1, 3, 1, 9), []string{`1 | ##\u005berror]x`, "  |   ^~~~~~~~~~~"}},
		{"the end of a long line", xs + "|yz", at("a", 1, 301, 1, 302), []string{
			"1 | …" + xs[:50] + "|yz", "  | " + strings.Repeat(" ", 51) + "^",
		}},
		{"the middle of wide characters", wide + "|" + wide, at("a", 1, 301, 1, 302), []string{
			"1 | …" + wide[:75] + "|" + wide[:69] + "…", "  | " + strings.Repeat(" ", 51) + "^",
		}},
		{"a long span with more behind it", "ab " + xs + "yz", at("a", 1, 4, 1, 304), []string{
			"1 | ab " + xs[:96] + "…", "  |    ^" + strings.Repeat("~", 96),
		}},
	} {
		r := Report{Source: func(string) []byte { return []byte(tt.source) }}
		out, _ := r.Text(diag.List{{Rule: diag.CardNull, Severity: diag.Error, Message: "m", Span: tt.span}}, Style{})
		want := tt.span.String() + ": error: m [card-null]\n"
		for _, line := range tt.want {
			want += "  " + line + "\n"
		}
		if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

func TestText(t *testing.T) {
	related := func(n int) []diag.Related {
		return slices.Repeat([]diag.Related{{Span: diag.Span{File: "b.md", Line: 2}, Message: "also here"}}, n)
	}
	m := diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Error, Message: "m"}
	with := func(change func(d *diag.Diagnostic)) diag.List {
		d := m
		change(&d)
		return diag.List{d}
	}
	for _, tt := range []struct {
		name   string
		found  diag.List
		o      Style
		want   string
		counts string
	}{
		{"no line", with(func(d *diag.Diagnostic) { d.Span.File = "b" }), Style{}, "b: error: m [card-null]\n", "1 error"},
		{"hint", with(func(d *diag.Diagnostic) { d.Hint = "h" }), Style{}, "error: m [card-null]\n  hint: h\n", "1 error"},
		{
			"nine related places", with(func(d *diag.Diagnostic) { d.Related = related(9) }),
			Style{},
			"error: m [card-null]\n" + strings.Repeat("  b.md:2: also here\n", 9), "1 error",
		},
		{
			"ten related places", with(func(d *diag.Diagnostic) { d.Related = related(10) }),
			Style{},
			"error: m [card-null]\n" + strings.Repeat("  b.md:2: also here\n", 8) + "  and 2 more\n", "1 error",
		},
		{
			"hostile names", with(func(d *diag.Diagnostic) {
				d.Message, d.Hint = "a\n::error::b ##[error]", "\x1b[2J\u202e"
				d.Span = diag.Span{File: "::set-output name=a::b/SKILL.md", Line: 3}
				d.Related = []diag.Related{{Span: diag.Span{File: "::notice::c"}, Message: "d"}}
			}),
			Style{},
			`\u003a:set-output name=a::b/SKILL.md:3: error: a\n::error::b ##\u005berror] [card-null]
  hint: \u001b[2J\u202e
  \u003a:notice::c: d
`, "1 error",
		},
		{
			"a secret", append(with(func(d *diag.Diagnostic) { d.Span, d.Secret = at("a", 1, 1, 0, 0), true }),
				with(func(d *diag.Diagnostic) { d.Span = at("a", 1, 1, 0, 0) })...),
			Style{},
			strings.Repeat("a:1:1: error: m [card-null]\n", 2), "2 errors",
		},
		{
			"color", with(func(d *diag.Diagnostic) { d.Span = at("a", 1, 1, 0, 0) }),
			Style{Color: true},
			"\x1b[1ma:1:1\x1b[0m: \x1b[31merror\x1b[0m: m \x1b[2m[card-null]\x1b[0m\n  1 | x\n    | \x1b[31m^\x1b[0m\n",
			"1 error",
		},
		{
			"quiet", append(with(func(d *diag.Diagnostic) { d.Severity = diag.Info }), m),
			Style{Quiet: true, Threshold: diag.Error},
			"error: m [card-null]\n", "1 error",
		},
		{
			"many", slices.Repeat(diag.List{m}, 5),
			Style{},
			strings.Repeat("error: m [card-null]\n", 3) + "  and 2 more of card-null (--all shows them)\n", "5 errors",
		},
		{
			"all of many", slices.Repeat(diag.List{m.CostsSkill()}, 5),
			Style{All: true},
			strings.Repeat("error: m [card-null]\n", 5), "5 errors, 5 skills left out of the card",
		},
	} {
		r := Report{Source: func(string) []byte { return []byte("x\n\n") }}
		out, counts := r.Text(tt.found, tt.o)
		if diff := cmp.Diff(tt.want+tt.counts, out+counts); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

// Columns are found whatever the order of the findings on a line.
func TestSplit(t *testing.T) {
	var e excerpts
	for _, tt := range []struct {
		column, end int
		want        string
	}{{2, 3, "a|b|cde"}, {4, 6, "abc|de|"}, {4, 5, "abc|d|e"}, {1, 2, "|a|bcde"}, {0, 0, "||abcde"}, {9, 12, "abcde||"}} {
		before, marked, rest := e.split("abcde", at("a", 1, tt.column, 1, tt.end))
		if got := before + "|" + marked + "|" + rest; got != tt.want {
			t.Errorf("%d to %d: got %s, want %s", tt.column, tt.end, got, tt.want)
		}
	}
}
