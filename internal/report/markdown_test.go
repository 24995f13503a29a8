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
		{"nothing", nil, "**no findings**\n"},
		{"the worst first", diag.List{
			{Rule: "a-rule", Severity: diag.Info, Message: "m", Span: diag.Span{File: "a", Line: 1, Column: 2}},
			{Rule: "b-rule", Severity: diag.Error, Message: "n", Hint: "h"},
		}, "**1 error, 1 note**\n\n- **error** `n` (`b-rule`)\n  - hint: `h`\n- **info** `a:1:2` `m` (`a-rule`)\n"},
		{
			"more than fit", slices.Repeat(diag.List{{Rule: "r", Severity: diag.Info, Message: "m"}}, markdownShown+3),
			"**103 notes**\n\n" + strings.Repeat("- **info** `m` (`r`)\n", markdownShown) + "- and 3 more\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if err := Markdown(&out, tt.found); err != nil {
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
