package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// Escape makes a line that may quote input safe to print. Characters that a
// terminal would act on, or that a reader cannot see, show as \u escapes:
// controls, bidirectional and zero-width characters, tags, variation selectors,
// line and paragraph separators. A tab stays. What GitHub Actions would take for
// a workflow command is escaped as well: "::" at the beginning of a line, white
// space aside, and "##[" anywhere.
func Escape(line string) string {
	line = inline(line)
	if rest := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		line = strings.TrimSuffix(line, rest) + `\u003a` + rest[1:]
	}
	return line
}

// inline is [Escape] for text that does not begin a line.
func inline(s string) string {
	if strings.ContainsFunc(s, hidden) || strings.Contains(s, "##[") {
		return strings.Join(cells(s), "")
	}
	return s
}

// cells returns how each character of s is shown.
func cells(s string) []string {
	shown := make([]string, 0, len(s))
	for _, r := range s {
		n := len(shown)
		if r == '[' && n >= 2 && shown[n-1] == "#" && shown[n-2] == "#" {
			shown = append(shown, diag.Escape(r))
			continue
		}
		shown = append(shown, visible(r))
	}
	return shown
}

func visible(r rune) string {
	switch {
	case !hidden(r):
		return string(r)
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	}
	return diag.Escape(r)
}

// hidden reports whether a reader cannot see r as what it is. Bytes that are no
// UTF-8 count as U+FFFD.
func hidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r != '\t' && (r < ' ' || r == 0x7f)
	}
	return r == utf8.RuneError || diag.Invisible(r)
}
