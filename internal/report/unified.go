package report

import (
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/secret"
)

// Unified prints the lines of unified diffs for people, without credentials, and in
// color where that is wanted.
func Unified(w io.Writer, lines []string, color bool) error {
	p := printer{color: color}
	for _, line := range maskedHunks(lines) {
		p.paint(lineColor(line), Escape(line))
		p.out.WriteByte('\n')
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// maskedHunks masks the credentials in the lines of unified diffs, also those that
// go over several lines of one side.
func maskedHunks(lines []string) []string {
	out := slices.Clone(lines)
	for start := 0; start < len(out); {
		end := start + 1
		for end < len(out) && !strings.HasPrefix(out[end], "@@ ") {
			end++
		}
		maskSide(lines[start:end], out[start:end], "+ ")
		maskSide(lines[start:end], out[start:end], "- ")
		start = end
	}
	return out
}

// maskSide masks the credentials in the lines of a hunk that begin with one of the
// marks, also where they stand in HTML: between tags, and with "&#43;". Where a hunk
// begins inside of a key, its lines say nothing but base64.
func maskSide(hunk, out []string, marks string) {
	var side []int
	var text []string
	for i, line := range hunk {
		switch {
		case line == "" || strings.IndexByte("+- ", line[0]) < 0:
			out[i] = secret.MaskText(line)
		case strings.IndexByte(marks, line[0]) >= 0:
			side, text = append(side, i), append(text, line[1:])
		}
	}
	masked := maskLines(text)
	plain := strings.Split(html.UnescapeString(apart.Replace(strings.Join(text, "\n"))), "\n")
	for n, line := range maskLines(plain) {
		if len(plain) == len(text) && line != plain[n] {
			masked[n] = line
		}
	}
	for n, i := range side {
		if out[i] = hunk[i][:1] + masked[n]; lineOfKey().MatchString(masked[n]) {
			out[i] = hunk[i][:1] + strings.Repeat("*", len(masked[n]))
		}
	}
}

// apart sets tags apart from the text between them.
var apart = strings.NewReplacer("</", " </", ">", "> ")

func maskLines(lines []string) []string {
	return strings.Split(secret.MaskText(strings.Join(lines, "\n")), "\n")
}

var lineOfKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[0-9A-Za-z+/]{60,}={0,2}\s*$`)
})

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
