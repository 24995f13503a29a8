package source

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
)

const (
	byteOrderMark = "\uFEFF"
	codeFence     = "```"
)

// sniffed is how much of a file is looked at to tell what it is.
const sniffed = 8 << 10

// notText says what a file is that does not hold UTF-8 text, and what to do
// about it. For a file that may be text the message is empty.
func notText(data string) (message, hint string) {
	switch {
	case strings.HasPrefix(data, "\xff\xfe"), strings.HasPrefix(data, "\xfe\xff"):
		return "the file is UTF-16 text", "save it as UTF-8"
	case strings.IndexByte(data[:min(len(data), sniffed)], 0) >= 0:
		return "the file is binary, not text", "check that the path names the right file"
	}
	if path, ok := linkTarget(data); ok {
		return fmt.Sprintf("the file holds nothing but the path %q: git writes such a file in the place of a symbolic link",
				diag.Clip(path)),
			"check the repository out with core.symlinks=true, or name the file that is meant"
	}
	return "", ""
}

// linkTarget returns the path that a file holds which git has checked out in
// the place of a symbolic link.
func linkTarget(data string) (string, bool) {
	path := strings.TrimSuffix(data, "\n")
	const pathMax = 1024
	ok := len(path) < pathMax && strings.Contains(path, "/") &&
		strings.IndexFunc(path, func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune(` "{}[]<>`, r) }) < 0
	return path, ok && !strings.HasPrefix(path, "//")
}

// conflictMarker reports whether git has written line.
func conflictMarker(line string) bool {
	return marks(line, "<<<<<<<") || marks(line, "=======") || marks(line, ">>>>>>>") || marks(line, "|||||||")
}

// unprintable returns the offset of the first character of s that no text may
// hold, and its name; -1 if there is none. Those are the control characters
// but tab and line break, what YAML takes for a line break and an editor does
// not, byte order marks (yaml.v3 drops letters behind them), noncharacters,
// and bytes that are no UTF-8.
func unprintable(s string) (off int, what string) {
	for i, r := range s {
		switch {
		case ' ' <= r && r < 0x7f: // as most are
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"), r != utf8.RuneError && !forbidden(r):
		case r == utf8.RuneError && strings.HasPrefix(s[i:], string(utf8.RuneError)):
		case r == utf8.RuneError:
			return i, fmt.Sprintf("the byte 0x%02X, which is not UTF-8,", s[i])
		case unicode.IsControl(r):
			return i, fmt.Sprintf("the control character U+%04X", r)
		default:
			return i, fmt.Sprintf("the invisible character U+%04X", r)
		}
	}
	return -1, ""
}

// separator reports whether r is a character other than CR and LF that ends a
// line of YAML 1.1: the next line, the line and the paragraph separator.
func separator(r rune) bool { return r == '\u0085' || r == '\u2028' || r == '\u2029' }

// forbidden reports whether r is a character that no text may hold.
func forbidden(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r >= 0x7f && r < 0xa0, separator(r):
		return true
	}
	return r == '\uFEFF' || r == '\uFFFE' || r == '\uFFFF'
}
