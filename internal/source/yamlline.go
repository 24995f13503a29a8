package source

import "strings"

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

// splitKey splits a line that begins with a key into that key, without its
// quotes, and the value, which is empty if the line holds none.
func splitKey(line string) (key, value string, ok bool) {
	end := quotedLen(line)
	if end > 0 {
		key = line[1 : end-1]
	} else {
		if end = colon(line); end < 0 || strings.IndexByte("\"'-?#[]{},&*!|>%@` \t", line[0]) >= 0 {
			return "", "", false
		}
		key = strings.TrimRight(line[:end], " \t")
	}
	if colon(line[end:]) != 0 || key == "" || strings.Contains(key, " #") {
		return "", "", false
	}
	return key, strings.Trim(line[end+1:], " \t\r"), true
}

// blockText returns the text that stands on the line of the > or | that
// announces it, where only a comment may stand.
func blockText(value string) string {
	if value == "" || value[0] != '>' && value[0] != '|' {
		return ""
	}
	rest := strings.TrimLeft(value[1:], "-+0123456789")
	text := strings.TrimLeft(rest, " \t")
	if len(text) == len(rest) || strings.HasPrefix(text, "#") {
		return ""
	}
	return text
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
