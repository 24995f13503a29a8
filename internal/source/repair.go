package source

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// repairer makes YAML of a header in the two ways in which most of those fail that are
// none. No repair adds or removes a line.
type repairer struct {
	file   string
	before int // lines of the file before the first one
	lines  []string
	found  findings
}

// repair drops control characters, and puts the value of a key of the top level that
// holds a colon and a space in quotes.
func (m *repairer) repair() string {
	for i := range m.lines {
		m.dropControls(i)
		m.quoteValue(i)
	}
	return strings.Join(m.lines, "\n")
}

// report reports what was repaired at the byte offset off of line i.
func (m *repairer) report(i, off int, message, hint string) {
	m.found.add(diag.New(diag.SourceYAMLRepaired, diag.Span{
		File: m.file, Line: m.before + i + 1, Column: utf8.RuneCountInString(m.lines[i][:off]) + 1,
	}, "%s", message).WithHint(hint))
}

// dropControls drops the control characters of a line. A line separator is left alone:
// whether what follows it is another line depends on the reader.
func (m *repairer) dropControls(i int) {
	line := m.lines[i]
	off := strings.IndexFunc(line, forbidden)
	if off < 0 || strings.ContainsFunc(line, separator) || !utf8.ValidString(line) {
		return
	}
	_, what := unprintable(line[off:])
	m.report(i, off, what+" is dropped", "delete it")
	m.lines[i] = strings.Map(func(r rune) rune {
		if forbidden(r) {
			return -1
		}
		return r
	}, line)
}

// quoteValue puts the value of a line in quotes if YAML would read a part of it as a key.
func (m *repairer) quoteValue(i int) {
	line := m.lines[i]
	key, value, ok := splitKey(line)
	if !ok || value == "" || colon(value) < 0 || strings.IndexByte("\"'[{>|&*!#", value[0]) >= 0 {
		return
	}
	off := strings.LastIndex(line, value)
	message := fmt.Sprintf("the text holds a colon followed by a space, so the value of %q is read as quoted text",
		diag.Clip(key))
	if next := swallowed().FindStringSubmatch(value); next != nil {
		message += fmt.Sprintf("; it ends in %q, which looks like a line of its own", diag.Clip(next[1]))
	}
	m.report(i, off, message, "put the value in quotes")
	m.lines[i] = line[:off] + "'" + strings.ReplaceAll(value, "'", "''") + "'"
}

// swallowed matches the end of a value that looks like the line after it: a key of
// headers that follows the end of a sentence or is glued to a word. "Trigger keywords:
// a, b" is a sentence.
var swallowed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:[.!?。"')\]] *|[^a-z\s_-])((?:allowed-tools|argument-hint|author|category|` +
		`compatibility|description|keywords|license|metadata|model|name|tags|title|user-invocable|version):.*)`)
})
