package source

import (
	"regexp"
	"strings"
	"sync"
)

// colon returns the offset of the first colon that YAML takes for the end of a
// key in plain text, -1 if there is none.
func colon(s string) int {
	for i := range len(s) {
		if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\t') {
			return i
		}
	}
	return -1
}

// keyValue matches a line that begins with a key.
var keyValue = sync.OnceValue(func() *regexp.Regexp {
	const double, single, plain = `"(?:[^"\\]|\\.)*"`, `'(?:[^']|'')*'`, "[^-\"'?#[\\]{},&*!|>%@`\\s].*?"
	return regexp.MustCompile("^(" + double + "|" + single + "|" + plain + `)[ \t]*:(?:[ \t]+(.*?))?[ \t\r]*$`)
})

// splitKey splits a line that begins with a key into that key, without its
// quotes, and the value, which is empty if the line holds none.
func splitKey(line string) (key, value string, ok bool) {
	m := keyValue().FindStringSubmatch(line)
	if m == nil || strings.Contains(m[1], " #") {
		return "", "", false
	}
	return strings.Trim(m[1], `"'`), m[2], true
}

// quotedLen returns the length of the quoted scalar that s begins with, -1 if
// it begins with none.
func quotedLen(s string) int {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return -1
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] != s[0]:
		case s[0] == '\'' && strings.HasPrefix(s[i:], "''"):
			i++
		default:
			return i + 1
		}
	}
	return -1
}
