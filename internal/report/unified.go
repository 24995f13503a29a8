package report

import (
	"io"
	"strings"

	"cardwright/internal/secret"
)

// Unified prints the lines of unified diffs for people, without credentials, and in
// color where that is wanted.
func Unified(w io.Writer, lines []string, color bool) error {
	p := printer{color: color}
	for _, line := range lines {
		p.paint(lineColor(line), Escape(secret.MaskText(line)))
		p.out.WriteByte('\n')
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// lineColor is the color of a line of a unified diff, "" for none.
func lineColor(line string) string {
	for _, c := range []struct{ prefix, color string }{
		{"--- ", bold}, {"+++ ", bold}, {"@@ ", cyan}, {"-", red}, {"+", green},
	} {
		if strings.HasPrefix(line, c.prefix) {
			return c.color
		}
	}
	return ""
}
