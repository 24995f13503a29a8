package report

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

// inert demands that text shows all that it holds, and that a log does nothing
// with it.
func inert(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%q is no UTF-8", text)
	}
	for _, line := range runnerLines(text) {
		if c, ok := runnerCommand(line); ok || strings.ContainsFunc(line, hidden) {
			t.Errorf("%q in a log, command %q", line, c.name)
		}
	}
}

// hostile are texts in which each output format has something to escape.
func hostile(f *testing.F) {
	f.Helper()
	f.Add("skills/a/SKILL.md", "a message", "a hint", "name: a\n")
	f.Add("::error::,x=y", "[a](https://x.example)](b)", "##[error]%0A", "::error::x\n##[x]\n\x1b[0m")
	f.Add("../a b?c#d%41\\é\u202e", "\xff\u0085\u2028", "```\n</details>\n# x", "\ufeff\r")
	f.Add("file:///etc/passwd", "javascript:alert(1)", "<img src=x>@all", strings.Repeat("x", 500))
}

// A log of SARIF is JSON that says what was meant, its links to files lead
// nowhere else, and it makes no links of its own (3.11.6).
func FuzzSARIF(f *testing.F) {
	hostile(f)
	f.Fuzz(func(t *testing.T, file, message, hint, text string) {
		at := diag.Span{File: file, Line: 1, Column: 1, EndLine: 1, EndColumn: 3}
		found := diag.List{{
			Rule: diag.CardNull, Severity: diag.Error, Message: message, Hint: hint, Span: at, Pointer: hint,
			Related: []diag.Related{{Span: at, Message: message}},
		}}
		o := Sheet{
			Version: "1",
			Source:  func(string) []byte { return []byte(text) },
		}
		var out strings.Builder
		if err := writeSARIF(&out, found, o); err != nil {
			t.Fatal(err)
		}
		inert(t, out.String())
		var read sarifLog
		if err := json.Unmarshal([]byte(out.String()), &read); err != nil {
			t.Fatal(err)
		}
		result := read.Runs[0].Results[0]
		for _, m := range []string{result.Message.Text, result.RelatedLocations[0].Message.Text} {
			if strings.Contains(m, "](") {
				t.Errorf("%q makes a link", m)
			}
		}
		if !strings.HasPrefix(strings.ReplaceAll(result.Message.Text, "] (", "]("),
			strings.ToValidUTF8(strings.ReplaceAll(message, "] (", "]("), "\ufffd")) {
			t.Errorf("%q says something else than %q", result.Message.Text, message)
		}
		uri := result.Locations[0].PhysicalLocation.ArtifactLocation.URI
		if u, err := url.Parse(uri); err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" {
			t.Errorf("%q becomes the address %q, %v", file, uri, err)
		}
	})
}

// A summary of findings is made of its own lines only, and of code spans, in
// which nothing is markup.
func FuzzMarkdown(f *testing.F) {
	hostile(f)
	f.Fuzz(func(t *testing.T, file, message, hint, agent string) {
		found := diag.List{{
			Rule: diag.CardNull, Severity: diag.Error, Message: message, Hint: hint,
			Span: diag.Span{File: file, Line: 1},
		}}
		changes := []diff.Change{
			{
				Rule: diag.InterfaceRemoved, Class: diff.Breaking, Agent: agent, Message: message, Old: source.NewText(file),
				New: source.NewText(hint),
			},
			{Rule: diag.SkillAdded, Class: diff.Additive, Agent: agent, Message: hint, New: source.NewText(message)},
		}
		difference := Comparison{
			Sheet: &Sheet{Title: "cardwright diff", Found: found}, Files: []string{file},
			Agents: []diff.Comparison{
				{Agent: agent, Old: &schema.Card{Version: message}, New: &schema.Card{Version: hint}, Changes: changes},
				{Agent: file, Changes: changes},
			},
		}
		var findings, differences strings.Builder
		if err := Markdown(&findings, "cardwright lint", found); err != nil {
			t.Fatal(err)
		}
		if err := difference.Markdown(&differences); err != nil {
			t.Fatal(err)
		}
		want := 3 // the count, a blank line, the finding
		if hint != "" {
			want++
		}
		if n := strings.Count(findings.String(), "\n"); n != want {
			t.Errorf("%d lines, want %d:\n%s", n, want, findings.String())
		}
		for _, text := range []string{findings.String(), differences.String()} {
			inert(t, text)
			for line := range strings.SplitSeq(text, "\n") {
				line = strings.TrimPrefix(line, "### ")
				if rest := outsideSpans(t, line); strings.ContainsAny(rest, "[]@#&_`") ||
					strings.Contains(strings.NewReplacer("<details>", "", "</details>", "", "<summary>", "", "</summary>",
						"").Replace(rest), "<") {
					t.Errorf("%q is markup outside of code spans, in %q", rest, line)
				}
			}
		}
	})
}

// outsideSpans returns what of a line stands in no code span (GFM 6.3).
func outsideSpans(t *testing.T, line string) string {
	t.Helper()
	var rest strings.Builder
	for line != "" {
		before, after, found := strings.Cut(line, "`")
		rest.WriteString(before)
		if !found {
			break
		}
		fence := 1 + len(after) - len(strings.TrimLeft(after, "`"))
		line = after[fence-1:]
		for {
			_, after, found := strings.Cut(line, "`")
			if !found {
				t.Fatalf("a code span has no end: %q", line)
			}
			run := 1 + len(after) - len(strings.TrimLeft(after, "`"))
			if line = after[run-1:]; run == fence {
				break
			}
		}
	}
	return rest.String()
}

// A difference is one line, whatever changed, as text and in color.
func FuzzChanges(f *testing.F) {
	hostile(f)
	f.Fuzz(func(t *testing.T, agent, message, before, after string) {
		changes := []diff.Change{{
			Rule: diag.CardNull, Class: diff.Breaking, Agent: agent, Message: message,
			Old: source.NewText(before), New: source.NewText(after), OldPointer: before,
		}}
		var plain, colored bytes.Buffer
		if err := Changes(&plain, changes, false); err != nil {
			t.Fatal(err)
		}
		if err := Changes(&colored, changes, true); err != nil {
			t.Fatal(err)
		}
		inert(t, plain.String())
		if n := strings.Count(plain.String(), "\n"); n != 1 {
			t.Errorf("%d lines: %q", n, plain.String())
		}
		paint := strings.NewReplacer(red, "", dim, "", reset, "")
		if got := paint.Replace(colored.String()); got != plain.String() {
			t.Errorf("in color %q, without %q", got, plain.String())
		}
		var out strings.Builder
		if err := JSON(&out, nil, ChangeMembers(changes, diff.Major)...); err != nil {
			t.Fatal(err)
		}
		inert(t, out.String())
		if !json.Valid([]byte(out.String())) {
			t.Errorf("%q is no JSON", out.String())
		}
	})
}
