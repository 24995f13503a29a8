package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

func TestJSON(t *testing.T) {
	var out strings.Builder
	found := diag.List{
		{
			Rule: diag.SkillTagsMissing, Severity: diag.Error, Message: "no <tags>", Hint: "add some", Pointer: "/skills/0",
			Span: diag.Span{File: "a.md", Line: 2, Column: 3, EndLine: 2, EndColumn: 7},
			Related: []diag.Related{{
				Span:    diag.Span{File: "b.md", Line: 1, Column: 1, EndLine: 1, EndColumn: 4},
				Message: "first here",
			}},
		},
		{Rule: diag.CardNull, Severity: diag.Info, Message: "Prüft 差分\u202e##[x] #[y]\U000e0041"},
	}
	if err := JSON(&out, found, source.Member{Key: "cards", Value: &source.Node{Kind: source.Array}}); err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "diagnostics": [
    {
      "rule": "skill-tags-missing",
      "severity": "error",
      "message": "no <tags>",
      "file": "a.md",
      "line": 2,
      "column": 3,
      "endLine": 2,
      "endColumn": 7,
      "pointer": "/skills/0",
      "hint": "add some",
      "related": [
        {
          "file": "b.md",
          "line": 1,
          "column": 1,
          "message": "first here"
        }
      ]
    },
    {
      "rule": "card-null",
      "severity": "info",
      "message": "Prüft 差分\u202e##\u005bx] #[y]\udb40\udc41"
    }
  ],
  "cards": [],
  "summary": {
    "errors": 1,
    "warnings": 0,
    "infos": 1
  }
}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A program reads what was meant, and a log shows all and commands nothing.
func FuzzJSON(f *testing.F) {
	f.Add("plain")
	f.Add("##[error]\n::error::\u2028\u202e\x00\\\"[")
	f.Add("\xff##\xff[\ufffd\U000e0041\ufe0f")
	f.Fuzz(func(t *testing.T, message string) {
		var out strings.Builder
		if err := JSON(&out, diag.List{{Rule: diag.CardNull, Severity: diag.Error, Message: message}}); err != nil {
			t.Fatal(err)
		}
		for _, line := range runnerLines(out.String()) {
			if _, ok := runnerCommand(line); ok || strings.ContainsFunc(line, hidden) {
				t.Errorf("%q in a log", line)
			}
		}
		var read struct {
			Diagnostics []struct{ Message string }
		}
		if err := json.Unmarshal([]byte(out.String()), &read); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(message, "\ufffd"); read.Diagnostics[0].Message != want {
			t.Errorf("got %q, want %q", read.Diagnostics[0].Message, want)
		}
	})
}
