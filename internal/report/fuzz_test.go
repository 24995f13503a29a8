package report

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

// inert demands that text shows all that it holds, and that a log does nothing with it
// but the commands that it may have.
func inert(t *testing.T, text string, commands int) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%q is no UTF-8", text)
	}
	for _, line := range runnerLines(text) {
		c, ok := runnerCommand(line)
		if ok {
			commands--
		}
		if strings.ContainsFunc(line, hidden) || commands < 0 {
			t.Errorf("%q in a log, command %q", line, c.name)
		}
	}
}

// Whatever stands in findings and changes, each format says what was meant, shows all of
// it, and does nothing else.
func FuzzFormats(f *testing.F) {
	f.Add("skills/a/SKILL.md", "a message", "a hint", "some\ntext\twith 差分\n", 5, 7)
	f.Add("::error::,x=y", "[a](https://x.example)](b)", "##[error]%0A", "::error::x\n##[x]\n\x1b[0m", 1, 3)
	f.Add("../a b?c#d%41\\é\u202e", "\xff\u0085\u2028", "```\n</details>\n# x", "\ufeff\r", 0, 0)
	f.Add("file:///etc/passwd", "javascript:alert(1)", "<img src=x>@all", strings.Repeat("x", 500), 3, 4)
	f.Add("0", "0", "0", "0", 0, 0)
	f.Add("a%2Cb\n", "\u202e\r\n::stop-commands::x", "\x00", "e\u0301\xff\ufe0f👍🏽", 2, 5)
	f.Fuzz(func(t *testing.T, file, message, hint, text string, column, end int) {
		if column < 0 || end < 0 {
			t.Skip("no place has such a number")
		}
		at := diag.Span{File: file, Line: 1, Column: column, EndLine: 1, EndColumn: end}
		r := &Report{
			Title: "cardwright lint", Source: func(string) []byte { return []byte(text) }, Rules: []Rule{{ID: diag.CardNull}},
			Found: diag.List{{
				Rule: diag.CardNull, Severity: diag.Warning, Message: message, Hint: hint, Span: at, Pointer: hint,
				Related: []diag.Related{{Span: at, Message: message}},
			}},
		}
		c := comparisonOf(file, message, hint, text)
		people, _ := r.Text(r.Found, Style{})
		changes, _ := c.Text(Style{})
		for _, text := range []string{r.json(), r.sarif(), r.gitlab(), people, changes} {
			inert(t, text, 0)
		}
		checkJSON(t, r)
		checkSARIF(t, r)
		checkGitHub(t, r)
		checkMarkdown(t, r.markdown())
		checkMarkdown(t, c.comment("cardwright diff"))
		if n := strings.Count(printChanges(c.Agents[0].Changes, false), "\n"); n != 2 && file == "" {
			t.Errorf("two changes are %d lines", n)
		}
		paint := strings.NewReplacer(red, "", yellow, "", dim, "", reset, "")
		if colored, _ := c.Text(Style{Color: true}); paint.Replace(colored) != changes {
			t.Errorf("in color %q, without %q", colored, changes)
		}
	})
}

// comparisonOf is a comparison with some texts.
func comparisonOf(file, message, hint, agent string) *Comparison {
	changes := []diff.Change{
		{
			Rule: diag.InterfaceRemoved, Class: diff.Breaking, Agent: agent, Message: message, Old: source.NewText(file),
			New: source.NewText(hint),
		},
		{Rule: diag.SkillAdded, Class: diff.Additive, Agent: agent, Message: hint, New: source.NewText(message)},
	}
	return &Comparison{files: []string{file}, Agents: []diff.Comparison{
		{Agent: agent, Old: &schema.Card{Version: message}, New: &schema.Card{Version: hint}, Changes: changes},
		{Agent: file, Changes: changes},
	}}
}

// A program reads the message.
func checkJSON(t *testing.T, r *Report) {
	t.Helper()
	var read struct{ Diagnostics []struct{ Message string } }
	if err := json.Unmarshal([]byte(r.json()), &read); err != nil {
		t.Fatal(err)
	}
	want := strings.ToValidUTF8(MaskedNode(source.NewText(r.Found[0].Message)).Text, "\ufffd")
	if read.Diagnostics[0].Message != want {
		t.Errorf("got %q, want %q", read.Diagnostics[0].Message, want)
	}
}

// The links of a log to files lead nowhere else, and it makes no links of its own (3.11.6).
func checkSARIF(t *testing.T, r *Report) {
	t.Helper()
	root, found := source.ParseJSON("", []byte(r.sarif()))
	if found.Worst() == diag.Error {
		t.Fatal(found)
	}
	for n := range root.All() {
		if uri := n.Get("uri").Word(); uri != "" {
			u, err := url.Parse(uri)
			if err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || u.Fragment != "" {
				t.Errorf("%q becomes the address %q, %v", r.Found[0].Span.File, uri, err)
			}
		}
		if strings.Contains(n.Get("text").Word(), "](") {
			t.Errorf("%q makes a link", n.Get("text").Word())
		}
	}
}

// The runner reads one command for each finding, and from it what was meant.
func checkGitHub(t *testing.T, r *Report) {
	t.Helper()
	text, d := r.github(), r.Found[0]
	inert(t, text, 1)
	c, ok := runnerCommand(text)
	want := inline(d.Message)
	if d.Hint != "" {
		want += "\n" + inline("hint: "+d.Hint)
	}
	want += "\n" + inline(located(d.Related[0])) + "\n"
	file := inline(r.Repository.file(d.Span.File))
	if diff := cmp.Diff(want, c.data); !ok || diff != "" || c.properties["file"] != file {
		t.Errorf("%q is read as another command (-want +got)\n%s", text, diff)
	}
}

// A comment is made of its own lines only, and of code spans, in which nothing is markup.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	inert(t, text, 0)
	tags := strings.NewReplacer("<details>", "", "</details>", "", "<summary>", "", "</summary>", "")
	for line := range strings.SplitSeq(text, "\n") {
		if rest := tags.Replace(outsideSpans(t, strings.TrimPrefix(line, "### "))); strings.ContainsAny(rest, "[]@#&_`<") {
			t.Errorf("%q is markup outside of code spans, in %q", rest, line)
		}
	}
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

// What is printed shows all and commands nothing, and is left alone when printed again.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a", "\u200b::error::", "##\u200b[error]", "#\x1b##[", "\xff::a::", "\r::debug::"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s)
		if inert(t, got, 0); Escape(got) != got {
			t.Errorf("%q becomes %q becomes %q", s, got, Escape(got))
		}
	})
}
