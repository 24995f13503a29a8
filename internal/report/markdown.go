package report

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
)

const (
	// markdownShown is how much of findings a comment lists, in bytes, openly and
	// folded. A comment of GitHub takes 65,536 characters.
	markdownShown = 9_000
	// codeShown is how much of a text stands in a code span, in characters.
	codeShown = 200
)

// markdown prints findings for a summary or a comment: a heading that counts
// them, then findings of the highest severity, and the others folded.
//
// Everything that may quote input stands in code spans, where GitHub makes
// nothing of it: no HTML, link, image, mention or reference.
func (r *Report) markdown() string {
	if r.Comment != nil {
		return r.Comment(r)
	}
	return heading(r.Title, cmp.Or(count(r.Found), "no findings")) + listFindings(r.Found)
}

// heading begins a report.
func heading(title, verdict string) string { return fmt.Sprintf("### %s: %s\n", title, verdict) }

// listFindings lists findings, the worst openly and the others folded.
func listFindings(found diag.List) (text string) {
	open, folded := found.Split(found.Worst())
	hinted := map[string]bool{}
	if len(open) > 0 {
		text = "\n" + bulletFindings(open, hinted)
	}
	if len(folded) > 0 {
		text += fold(count(folded), bulletFindings(folded, hinted))
	}
	return text
}

// fold hides text behind a line that says what it is.
func fold(summary, text string) string {
	return fmt.Sprintf("\n<details>\n<summary>%s</summary>\n\n%s\n</details>\n", summary, text)
}

// bulletFindings lists findings, as far as there is space. No hint stands twice.
func bulletFindings(found diag.List, hinted map[string]bool) string {
	var b strings.Builder
	left := len(found)
	for d, rest := range firstOfEach(found, groupShown) {
		item := bullet(d, hinted)
		if rest > 0 {
			item += fmt.Sprintf("- and %d more of %s\n", rest, Code(d.Rule.String()))
		}
		if b.Len()+len(item) > markdownShown {
			fmt.Fprintf(&b, "- and %d more\n", left)
			break
		}
		left -= 1 + rest
		b.WriteString(item)
	}
	return b.String()
}

func bullet(d diag.Diagnostic, hinted map[string]bool) string {
	place := ""
	if d.Span.File != "" {
		place = " " + Code(d.Span.String())
	}
	item := fmt.Sprintf("- **%s**%s %s (%s)\n", d.Severity, place, Code(d.Message), Code(d.Rule.String()))
	if hint := d.Rule.String() + " " + d.Hint; d.Hint != "" && !hinted[hint] {
		hinted[hint] = true
		item += "  - hint: " + Code(d.Hint) + "\n"
	}
	return item
}

// Code returns a code span of GitHub Flavored Markdown (section 6.3) that shows
// the text, cut where it is long, and nothing for an empty text.
func Code(text string) string { return codeOf(text, codeShown) }

// codeOf is [Code] for texts that are cut elsewhere.
func codeOf(text string, most int) string {
	text = inline(text)
	if utf8.RuneCountInString(text) > most {
		text = first(text, most) + "…"
	}
	if text == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.Trim(text, " ") != text || strings.Trim(text, "`") != text {
		text = " " + text + " " // one of each is taken away again
	}
	return fence + text + fence
}
