package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
)

const (
	// markdownShown is how much of findings [Markdown] lists, in bytes, openly and
	// folded. A comment of GitHub takes 65,536 characters.
	markdownShown = 9_000
	// codeShown is how much of a text stands in a code span, in characters.
	codeShown = 200
)

// Markdown prints findings for a summary or a comment: a heading that counts
// them, then findings of the highest severity, and the others folded.
//
// Everything that may quote input stands in code spans, where GitHub makes
// nothing of it: no HTML, link, image, mention or reference.
func Markdown(w io.Writer, title string, found diag.List) error {
	var b strings.Builder
	heading(&b, title, cmp.Or(Count(found), "no findings"))
	listFindings(&b, found)
	_, err := io.WriteString(w, b.String())
	return err
}

// heading begins a report.
func heading(b *strings.Builder, title, verdict string) {
	if title != "" {
		verdict = title + ": " + verdict
	}
	fmt.Fprintf(b, "### %s\n", verdict)
}

// listFindings lists findings, the worst openly and the others folded.
func listFindings(b *strings.Builder, found diag.List) {
	open, folded := found.Split(found.Worst())
	list := findingsList{groups: group(found), hinted: map[[2]string]bool{}}
	if len(open) > 0 {
		b.WriteString("\n" + list.of(open))
	}
	if len(folded) > 0 {
		fold(b, Count(folded), list.of(folded))
	}
}

// fold hides text behind a line that says what it is.
func fold(b *strings.Builder, summary, text string) {
	fmt.Fprintf(b, "\n<details>\n<summary>%s</summary>\n\n%s\n</details>\n", summary, text)
}

// findingsList is a list in Markdown, in which no hint stands twice.
type findingsList struct {
	groups *groups
	hinted map[[2]string]bool
}

func (l *findingsList) of(found diag.List) string {
	var b strings.Builder
	room := markdownShown
	for i, d := range found {
		printed, rest := l.groups.take(d)
		if !printed {
			continue
		}
		item := l.item(d)
		if rest > 0 {
			item += fmt.Sprintf("- and %d more of %s\n", rest, Code(d.Rule.String()))
		}
		if room -= len(item); room < 0 {
			fmt.Fprintf(&b, "- and %d more\n", len(found)-i)
			break
		}
		b.WriteString(item)
	}
	return b.String()
}

func (l *findingsList) item(d diag.Diagnostic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- **%s**", d.Severity)
	if d.Span.File != "" {
		b.WriteString(" " + Code(d.Span.String()))
	}
	fmt.Fprintf(&b, " %s (%s)\n", Code(d.Message), Code(d.Rule.String()))
	if hint := [2]string{d.Rule.String(), d.Hint}; d.Hint != "" && !l.hinted[hint] {
		l.hinted[hint] = true
		fmt.Fprintf(&b, "  - hint: %s\n", Code(d.Hint))
	}
	return b.String()
}

// Code returns a code span of GitHub Flavored Markdown (section 6.3) that shows
// the text, cut where it is long, and nothing for an empty text.
func Code(text string) string { return codeOf(text, codeShown) }

// codeOf is [Code] for texts that are cut elsewhere.
func codeOf(text string, most int) string {
	text = cut(text, most)
	if text == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.Trim(text, " ") != text || strings.Trim(text, "`") != text {
		text = " " + text + " " // one of each is taken away again
	}
	return fence + text + fence
}

// cut makes a text safe to show, and leaves out what is too long.
func cut(text string, most int) string {
	text = inline(text)
	if utf8.RuneCountInString(text) > most {
		return first(text, most) + "…"
	}
	return text
}

// longestRun returns how often c stands in a row at most.
func longestRun(s string, c byte) int {
	most, run := 0, 0
	for i := range len(s) {
		run++
		if s[i] != c {
			run = 0
		}
		most = max(most, run)
	}
	return most
}

// Count says how many findings of each severity there are: "2 errors, 1 info".
func Count(l diag.List) string {
	var parts []string
	for _, e := range []struct {
		severity diag.Severity
		noun     string
	}{{diag.Error, "error"}, {diag.Warning, "warning"}, {diag.Info, "info"}} {
		if n := l.Count(e.severity); n > 0 {
			parts = append(parts, diag.Count(n, e.noun))
		}
	}
	return strings.Join(parts, ", ")
}
