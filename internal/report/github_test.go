package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
)

func TestGitHub(t *testing.T) {
	tests := []struct {
		name  string
		found diag.Diagnostic
		repo  Repository
		want  string
	}{
		{
			"a span",
			diag.Diagnostic{
				Rule: diag.SkillTagsMissing, Severity: diag.Error,
				Message: "no tags", Hint: "add some", Span: diag.Span{
					File: "skills/a/SKILL.md", Line: 2, Column: 3, EndLine: 2,
					EndColumn: 7,
				},
			},
			Repository{},
			"::error file=skills/a/SKILL.md,line=2,col=3,endColumn=6,title=skill-tags-missing::no tags%0Ahint: add some\n",
		},
		{
			"a span over lines",
			diag.Diagnostic{
				Rule: diag.CardNull, Severity: diag.Warning, Message: "m",
				Span: diag.Span{File: "a", Line: 2, Column: 3, EndLine: 4, EndColumn: 1},
			},
			Repository{},
			"::warning file=a,line=2,endLine=4,title=card-null::m\n",
		},
		{
			"an empty span",
			diag.Diagnostic{
				Rule: diag.CardNull, Severity: diag.Warning, Message: "m",
				Span: diag.Span{File: "a", Line: 2, Column: 3, EndLine: 2, EndColumn: 3},
			},
			Repository{},
			"::warning file=a,line=2,col=3,endColumn=3,title=card-null::m\n",
		},
		{
			"below the root of the repository",
			diag.Diagnostic{
				Rule: diag.CardNull, Severity: diag.Info, Message: "m",
				Span: diag.Span{File: "../a/b", Line: 1},
			},
			Repository{Dir: "services/review"},
			"::notice file=services/a/b,line=1,title=card-null::m\n",
		},
		{
			"a flag",
			diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Info, Message: "m", Span: diag.Span{File: "--server"}},
			Repository{Default: "cardwright.yaml"},
			"::notice file=cardwright.yaml,title=card-null::m\n",
		},
		{
			"an absolute path",
			diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Info, Message: "m", Span: diag.Span{File: "/a//b"}},
			Repository{Dir: "services"},
			"::notice file=/a/b,title=card-null::m\n",
		},
		{
			"an absolute path in the repository",
			diag.Diagnostic{
				Rule: diag.CardNull, Severity: diag.Info,
				Message: "m", Span: diag.Span{File: "/repo/a/b"},
			},
			Repository{Root: "/repo", Dir: "services"},
			"::notice file=a/b,title=card-null::m\n",
		},
		{
			"without a file",
			diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Info, Message: "m"},
			Repository{Dir: "services", Default: "cardwright.yaml"},
			"::notice file=services/cardwright.yaml,title=card-null::m\n",
		},
		{
			"without any file",
			diag.Diagnostic{Rule: diag.CardNull, Severity: diag.Info, Message: "m"},
			Repository{},
			"::notice title=card-null::m\n",
		},
		{
			"related places",
			diag.Diagnostic{
				Rule: diag.CardNull, Severity: diag.Info, Message: "m",
				Related: []diag.Related{{Span: diag.Span{File: "b", Line: 3, Column: 1}, Message: "first here"}},
			},
			Repository{},
			"::notice title=card-null::m%0Ab:3:1: first here\n",
		},
		{
			"hostile text",
			diag.Diagnostic{
				Rule: diag.CardNull, Severity: diag.Info, Message: "100%\n::error::b,c\r%0A",
				Span: diag.Span{File: "a:b,c%\n=/x", Line: 1},
			},
			Repository{},
			"::notice file=a%3Ab%2Cc%25\\n=/x,line=1,title=card-null::100%25\\n::error::b,c\\r%250A\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if err := GitHub(&out, diag.List{tt.found}, tt.repo); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The runner reads one command for each finding, and from it what was meant.
func FuzzGitHub(f *testing.F) {
	f.Add("a.md", "a message", "a hint")
	f.Add("::error::,x=y", "%0A::set-output name=a::b", "##[error]x")
	f.Add("a%2Cb\n", "\u202e\r\n::stop-commands::x", "\x00")
	f.Fuzz(func(t *testing.T, file, message, hint string) {
		d := diag.Diagnostic{
			Rule: diag.CardNull, Severity: diag.Warning, Message: message, Hint: hint,
			Span: diag.Span{File: file, Line: 1},
		}
		var out strings.Builder
		if err := GitHub(&out, diag.List{d, d}, Repository{Default: "default"}); err != nil {
			t.Fatal(err)
		}
		lines := runnerLines(out.String())
		if len(lines) != 2 {
			t.Fatalf("two findings are %d lines: %q", len(lines), lines)
		}
		for _, line := range lines {
			c, ok := runnerCommand(line)
			want := workflowCommand{
				name: "warning",
				properties: map[string]string{
					"file": inline(Repository{Default: "default"}.file(file)), "line": "1",
					"title": "card-null",
				},
				data: inline(message),
			}
			if hint != "" {
				want.data += "\n" + inline("hint: "+hint)
			}
			if diff := cmp.Diff(want, c, cmp.AllowUnexported(workflowCommand{})); !ok || diff != "" {
				t.Errorf("%q is read as another command (-want +got)\n%s", line, diff)
			}
			if strings.ContainsFunc(line, hidden) {
				t.Errorf("%q hides characters", line)
			}
		}
	})
}
