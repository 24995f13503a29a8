package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
)

func TestMarkdown(t *testing.T) {
	tests := []struct {
		name  string
		found diag.List
		want  string
	}{
		{"nothing", nil, "### cardwright lint: no findings\n"},
		{"the worst first", diag.List{
			{Rule: diag.CardNull, Severity: diag.Info, Message: "m", Span: diag.Span{File: "a", Line: 1, Column: 2}},
			{Rule: diag.CardPair, Severity: diag.Error, Message: "n", Hint: "h"},
			{Rule: diag.CardPair, Severity: diag.Error, Message: "o", Hint: "h"},
		}, "### cardwright lint: 2 errors, 1 info\n\n- **error** `n` (`card-pair`)\n  - hint: `h`\n" +
			"- **error** `o` (`card-pair`)\n\n<details>\n<summary>1 info</summary>\n\n- **info** `a:1:2` `m` (`card-null`)\n\n" +
			"</details>\n"},
		{
			"many of one cause", slices.Repeat(diag.List{{
				Rule: diag.CardNull, Severity: diag.Info, Message: "m",
				Span: diag.Span{File: "d/f"},
			}}, 103),
			"### cardwright lint: 103 infos\n\n" + strings.Repeat("- **info** `d/f` `m` (`card-null`)\n", groupShown) +
				"- and 100 more of `card-null`\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if err := Markdown(&out, "cardwright lint", tt.found); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestCode(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "a", "`a`"},
		{"markup", "<b>*@user* [x](y) #1", "`<b>*@user* [x](y) #1`"},
		{"backtick", "a`b", "``a`b``"},
		{"backticks at the ends", "`a``", "``` `a`` ```"},
		{"spaces at the ends", " a ", "`  a  `"},
		{"line ends", "a\n\n# b", "`a\\n\\n# b`"},
		{"hidden", "\u202e", "`\\u202e`"},
		{"long", strings.Repeat("ä", 201), "`" + strings.Repeat("ä", 200) + "…`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Code(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// No text ends its code span: the run of backticks that begins it stands again
// at its end and nowhere else.
func FuzzCode(f *testing.F) {
	f.Add("plain")
	f.Add("`` ` ``` \n`")
	f.Fuzz(func(t *testing.T, text string) {
		got := Code(text)
		if strings.ContainsFunc(got, hidden) {
			t.Errorf("%q hides characters", got)
		}
		fence := got[:len(got)-len(strings.TrimLeft(got, "`"))]
		rest := got[len(fence):]
		for rest != "" {
			before, after, _ := strings.Cut(rest, "`")
			run := 1 + len(after) - len(strings.TrimLeft(after, "`"))
			if len(before) == len(rest) {
				t.Fatalf("%q has no end", got)
			}
			rest = after[run-1:]
			if run == len(fence) && rest != "" {
				t.Fatalf("%q ends before %q", got, rest)
			}
		}
	})
}
