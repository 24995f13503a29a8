package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
)

func TestTextShowsTheLine(t *testing.T) {
	at := func(line, column, endLine, endColumn int) diag.Span {
		return diag.Span{File: "a.json", Line: line, Column: column, EndLine: endLine, EndColumn: endColumn}
	}
	tests := []struct {
		name, source string
		span         diag.Span
		want         string // the excerpt
	}{
		{"one character", "ab cd", at(1, 4, 0, 0), `
  1 | ab cd
    |    ^
`},
		{"a span", "ab cd", at(1, 4, 1, 6), `
  1 | ab cd
    |    ^~
`},
		{"a later line", "1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n", at(10, 2, 10, 4), `
  10 | ten
     |  ^~
`},
		{"without a column", "ab", at(1, 0, 0, 0), `
  1 | ab
`},
		{"line beyond the file", "ab", at(9, 1, 0, 0), "\n"},
		{"blank line", "ab\n \t\n", at(2, 1, 0, 0), "\n"},
		{"column beyond the line", "ab", at(1, 9, 1, 12), `
  1 | ab
    |   ^
`},
		{"a span over lines", "ab cd\nef\n", at(1, 4, 2, 3), `
  1 | ab cd
    |    ^~
`},
		{"a span that ends before it begins", "ab cd", at(1, 4, 1, 2), `
  1 | ab cd
    |    ^
`},
		{"CRLF", "ab\r\ncd\r\n", at(2, 2, 2, 3), `
  2 | cd
    |  ^
`},
		{"BOM", "\ufeffab", at(1, 2, 1, 3), `
  1 | ab
    |  ^
`},
		{"wide characters", "差分: 検査 x", at(1, 5, 1, 7), `
  1 | 差分: 検査 x
    |       ^~~~
`},
		{"combining marks", "e\u0301a\u0308 x", at(1, 6, 1, 7), `
  1 | éä x
    |    ^
`},
		{"emoji with skin tone", "👍🏽 x", at(1, 4, 1, 5), `
  1 | 👍🏽 x
    |    ^
`},
		{"tabs", "\tab\tcd", at(1, 5, 1, 7), `
  1 |     ab    cd
    |           ^~
`},
		{"a tab at fault", "a\tb", at(1, 2, 1, 3), `
  1 | a    b
    |  ^~~~
`},
		{"hidden characters", "a\u202eb\x1b[0m", at(1, 4, 1, 5), `
  1 | a\u202eb\u001b[0m
    |         ^~~~~~
`},
		{"invalid UTF-8", "a\xff\xfeb", at(1, 4, 1, 5), `
  1 | a\ufffd\ufffdb
    |              ^
`},
		{"a command", "::error::x", at(1, 3, 1, 8), `
  1 | ::error::x
    |   ^~~~~
`},
		{"an old command across the span", "##[error]x", at(1, 3, 1, 9), `
  1 | ##\u005berror]x
    |   ^~~~~~~~~~~
`},
		{"the end of a long line", strings.Repeat("x", 300) + "|yz", at(1, 301, 1, 302), `
  1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx|yz
    |                                                    ^
`},
		{
			"the middle of a long line of wide characters",
			strings.Repeat("差", 300) + "|" + strings.Repeat("差", 300),
			at(1, 301, 1, 302),
			`
  1 | …差差差差差差差差差差差差差差差差差差差差差差差差差|差差差差差差差差差差差差差差差差差差差差差差差…
    |                                                    ^
`,
		},
		{"a long span", "ab " + strings.Repeat("x", 300), at(1, 4, 1, 304), `
  1 | ab xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
    |    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
`},
		{"a long span with more behind it", "ab " + strings.Repeat("x", 300) + "yz", at(1, 4, 1, 304), `
  1 | ab xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
    |    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			found := diag.List{{Rule: diag.CardNull, Severity: diag.Error, Message: "m", Span: tt.span}}
			if err := Text(&out, found, TextOptions{Source: func(string) []byte { return []byte(tt.source) }}); err != nil {
				t.Fatal(err)
			}
			_, excerpt, _ := strings.Cut(out.String(), "\n")
			if diff := cmp.Diff(tt.want, "\n"+excerpt); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestText(t *testing.T) {
	related := func(n int) (list []diag.Related) {
		for range n {
			list = append(list, diag.Related{Span: diag.Span{File: "b.md", Line: 2}, Message: "also here"})
		}
		return list
	}
	tests := []struct {
		name  string
		found diag.Diagnostic
		want  string
	}{
		{"no place", diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Info, Message: "m"}, "info: m [card-null]\n"},
		{
			"no line",
			diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Warning, Message: "m", Span: diag.Span{File: "a"}},
			"a: warning: m [card-null]\n",
		},
		{
			"hint",
			diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Error, Message: "m", Hint: "h"},
			"error: m [card-null]\n  hint: h\n",
		},
		{
			"nine related places",
			diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Error, Message: "m", Related: related(9)},
			"error: m [card-null]\n" + strings.Repeat("  b.md:2: also here\n", 9),
		},
		{
			"ten related places",
			diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Error, Message: "m", Related: related(10)},
			"error: m [card-null]\n" + strings.Repeat("  b.md:2: also here\n", 8) + "  and 2 more\n",
		},
		{"related without a place", diag.Diagnostic{
			Rule: diag.CardNull, Severity: diag.Error, Message: "m",
			Related: []diag.Related{{Message: "because"}},
		}, "error: m [card-null]\n  because\n"},
		{
			"hostile names",
			diag.Diagnostic{
				Rule: diag.CardNull, Severity: diag.Error, Message: "a\n::error::b ##[error]", Hint: "\x1b[2J\u202e",
				Span:    diag.Span{File: "::set-output name=a::b/SKILL.md", Line: 3},
				Related: []diag.Related{{Span: diag.Span{File: "::notice::c"}, Message: "d"}},
			},
			`\u003a:set-output name=a::b/SKILL.md:3: error: a\n::error::b ##\u005berror] [card-null]
  hint: \u001b[2J\u202e
  \u003a:notice::c: d
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if err := Text(&out, diag.List{tt.found}, TextOptions{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTextShowsNoSecret(t *testing.T) {
	var out strings.Builder
	found := diag.List{{
		Rule: diag.CardNull, Severity: diag.Error, Message: "m", Span: diag.Span{File: "a", Line: 1, Column: 1},
		Secret: true,
	}}
	if err := Text(&out, found, TextOptions{Source: func(string) []byte { return []byte("x") }}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("a:1:1: error: m [card-null]\n", out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTextColor(t *testing.T) {
	var out strings.Builder
	found := diag.List{
		{Rule: diag.CardNull, Severity: diag.Error, Message: "m", Span: diag.Span{File: "a", Line: 1, Column: 1}},
	}
	if err := Text(&out, found, TextOptions{Color: true, Source: func(string) []byte { return []byte("x") }}); err != nil {
		t.Fatal(err)
	}
	want := "\x1b[1ma:1:1\x1b[0m: \x1b[31merror\x1b[0m: m \x1b[2m[card-null]\x1b[0m\n  1 | x\n    | \x1b[31m^\x1b[0m\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// No line of the text is a workflow command or hides anything.
func FuzzText(f *testing.F) {
	f.Add("a.md", "a message", "a hint", "some\ntext\twith 差分\n", 2, 5, 7)
	f.Add("::error::", "##[error]", "::debug::", "::error::x\n##[x]\n\x1b[0m", 1, 1, 3)
	f.Add("a\nb", "\u202e", "", "e\u0301\xff\ufe0f👍🏽", 1, 3, 4)
	f.Fuzz(func(t *testing.T, file, message, hint, text string, line, column, end int) {
		if line < 0 || column < 0 || end < 0 {
			t.Skip("no place has such a number")
		}
		span := diag.Span{File: file, Line: line, Column: column, EndLine: line, EndColumn: end}
		found := diag.List{{
			Rule: diag.CardNull, Severity: diag.Error, Message: message, Hint: hint, Span: span,
			Related: []diag.Related{{Span: span, Message: message}},
		}}
		var out strings.Builder
		if err := Text(&out, found, TextOptions{Source: func(string) []byte { return []byte(text) }}); err != nil {
			t.Fatal(err)
		}
		for _, l := range runnerLines(out.String()) {
			if _, ok := runnerCommand(l); ok {
				t.Errorf("%q is a command", l)
			}
			if strings.ContainsFunc(l, hidden) {
				t.Errorf("%q hides characters", l)
			}
		}
	})
}

// An excerpt fits on the screen, whatever stands on the line.
func FuzzWindow(f *testing.F) {
	f.Add("before marked rest", 8, 14)
	f.Add(strings.Repeat("差", 99)+"\t"+strings.Repeat("\u202e", 99), 100, 101)
	f.Add("e\u0301\xff👍🏽", 2, 4)
	f.Fuzz(func(t *testing.T, line string, column, end int) {
		if column < 0 || end < 0 {
			t.Skip("no column has such a number")
		}
		before, marked, rest := (&excerpts{}).split(line, diag.Span{Line: 1, Column: column, EndLine: 1, EndColumn: end})
		if before+marked+rest != line {
			t.Errorf("%q is split into %q, %q and %q", line, before, marked, rest)
		}
		before, marked, rest = window(before, marked, rest)
		excerpt := before + marked + rest
		if strings.ContainsFunc(excerpt, hidden) || strings.Contains(excerpt, "\t") || strings.Contains(excerpt, "##[") {
			t.Errorf("%q shows what it should not", excerpt)
		}
		if w := screen().StringWidth(excerpt); w > shownWidth+len("…")+1 {
			t.Errorf("%q is %d columns wide", excerpt, w)
		}
	})
}
