package mapping

import (
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// readTOML reads the texts of a TOML document that stand on one line: a manifest has
// nothing else that belongs on a card.
func readTOML(file string, data []byte) *source.Node {
	root := &source.Node{Kind: source.Object, Span: diag.Top(file)}
	table, number, open := root, 0, ""
	for line := range strings.Lines(string(data)) {
		number++
		if open != "" || strings.HasPrefix(strings.TrimSpace(line), "#") {
			if strings.Contains(line, open) {
				open = ""
			}
			continue
		}
		at := diag.Span{File: file, Line: number, Column: 1}
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "["); ok {
			table = root
			for part := range strings.SplitSeq(strings.Trim(strings.Split(name, "#")[0], "[] \t\r\n"), ".") {
				part = unquote(part)
				if table.Get(part) == nil {
					table.Set(part, &source.Node{Kind: source.Object, Span: at})
				}
				table = table.Get(part)
			}
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = unquote(strings.TrimSpace(key)), strings.TrimSpace(value)
		for _, fence := range []string{`"""`, "'''"} {
			if rest, ok := strings.CutPrefix(value, fence); ok && !strings.Contains(rest, fence) {
				open = fence
			}
		}
		if s, ok := quoted(value); ok && table.Get(key) == nil {
			at.Column = strings.Index(line, value) + 1
			table.Set(key, &source.Node{Kind: source.String, Text: s, Span: at})
		}
	}
	return root
}

// quoted returns the string that a value begins with.
func quoted(value string) (string, bool) {
	if rest, ok := strings.CutPrefix(value, "'"); ok && !strings.HasPrefix(rest, "''") {
		s, _, closed := strings.Cut(rest, "'")
		return s, closed
	}
	s, err := strconv.QuotedPrefix(value)
	if err != nil || !strings.HasPrefix(s, `"`) || s == `""` {
		return "", false
	}
	s, err = strconv.Unquote(s)
	return s, err == nil
}
