package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

const (
	// markdownShown is how many findings [Markdown] lists. A job summary of
	// GitHub takes one megabyte, a comment 65,536 characters.
	markdownShown = 100
	// codeShown is how much of a text stands in a code span, in characters.
	codeShown = 200
)

// Markdown prints findings for a summary or a comment: a line that counts them,
// then the worst first.
//
// Everything that may quote input stands in code spans, where GitHub makes
// nothing of it: no HTML, link, image, mention or reference.
func Markdown(w io.Writer, found diag.List) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n", cmp.Or(Count(found), "no findings"))
	listed := slices.Clone(found)
	slices.SortStableFunc(listed, func(a, b diag.Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
	for i, d := range listed {
		if i == 0 {
			b.WriteByte('\n')
		}
		if i == markdownShown {
			fmt.Fprintf(&b, "- and %d more\n", len(listed)-i)
			break
		}
		fmt.Fprintf(&b, "- **%s**", d.Severity)
		if d.Span.File != "" {
			b.WriteString(" " + Code(d.Span.String()))
		}
		fmt.Fprintf(&b, " %s (%s)\n", Code(d.Message), Code(d.Rule))
		if d.Hint != "" {
			fmt.Fprintf(&b, "  - hint: %s\n", Code(d.Hint))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Code returns a code span of GitHub Flavored Markdown (section 6.3) that shows
// the text, cut where it is long, and nothing for an empty text.
func Code(text string) string {
	text = inline(text)
	if cut := first(text, codeShown); cut != text {
		text = cut + "…"
	}
	if text == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.Trim(text, " ") != text || strings.Trim(text, "`") != text {
		text = " " + text + " " // one of each is taken away again
	}
	return fence + text + fence
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

// Count says how many findings of each severity there are: "2 errors, 1 note".
func Count(l diag.List) string {
	var parts []string
	for _, e := range []struct {
		severity diag.Severity
		noun     string
	}{{diag.Error, "error"}, {diag.Warning, "warning"}, {diag.Info, "note"}} {
		switch n := l.Count(e.severity); n {
		case 0:
		case 1:
			parts = append(parts, "1 "+e.noun)
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, e.noun))
		}
	}
	return strings.Join(parts, ", ")
}
