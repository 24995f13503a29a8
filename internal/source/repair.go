package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"cardwright/internal/diag"
)

// text is a value that is taken literally, whatever YAML makes of it.
type text struct {
	value string
	width int // characters on its line, 0 if it goes over several
}

func (t text) node(at diag.Span) *Node {
	if t.width > 0 {
		at.EndLine, at.EndColumn = at.Line, at.Column+t.width
	}
	return &Node{Kind: String, Text: t.value, Span: at}
}

// repairer repairs a header line by line. No repair adds or removes a line.
type repairer struct {
	file   string
	before int // lines of the file before the first one
	lines  []string
	texts  map[int]text // by line of the file, where '' now stands
	found  findings

	explained int
}

// report reports what was repaired at the byte offset off of line i.
func (m *repairer) report(i, off int, message, hint string) {
	line := m.before + i + 1
	m.found.add(diag.New(ruleRepaired, diag.Span{
		File: m.file, Line: line,
		Column: utf8.RuneCountInString(m.lines[i][:off]) + 1,
	}, "%s", message).
		WithHint(hint))
}

// straightenIndents makes spaces of the no-break spaces that indent a key.
func (m *repairer) straightenIndents() {
	for i, line := range m.lines {
		bare := strings.TrimLeftFunc(line, unicode.IsSpace)
		indent := line[:len(line)-len(bare)]
		off := strings.IndexFunc(indent, isOddSpace)
		if off < 0 || !isKeyLine(bare) {
			continue
		}
		m.report(i, off, oddIndent+", it is read as a space", "use spaces instead")
		m.lines[i] = evenSpaces(indent) + bare
	}
}

// dropControls drops the control characters.
func (m *repairer) dropControls() {
	for i, line := range m.lines {
		off := strings.IndexFunc(line, forbidden)
		if off < 0 {
			continue
		}
		_, what := unprintable(line[off:])
		m.report(i, off, what+" is dropped", "delete it")
		m.lines[i] = strings.Map(dropForbidden, line)
	}
}

// isHeaderKey reports whether an indented line is a key as headers have them, and
// not a sentence such as "Next: ask".
func isHeaderKey(line string) bool {
	key, _, ok := splitKey(line)
	return ok && !strings.ContainsAny(key, " \t") && (line[0] < 'A' || line[0] > 'Z')
}

// take makes t the value of the key on line i, where so far stands value.
func (m *repairer) take(i int, key, value string, t text) {
	_, why, hint := explainValue(value, true)
	if why == "" {
		why, hint = "the value is not valid YAML", "put the value in quotes"
	}
	off := strings.LastIndex(m.lines[i], value)
	message := fmt.Sprintf("%s, so the value of %q is read as quoted text", why, diag.Clip(key))
	if next := swallowed(t.value); next != "" {
		message += fmt.Sprintf("; it ends in %q, which looks like a line of its own", diag.Clip(next))
	}
	m.report(i, off, message, hint)
	m.texts[m.before+i+1] = t
	m.lines[i] = m.lines[i][:off] + "''"
}

// continuation reports whether a line that is not blank belongs to the line above.
func continuation(line string) bool {
	return !isKeyLine(line) && line[0] != '#' && !conflictMarker(line)
}

// keyByKey keeps each key of the top level that can be read by itself, takes
// the text of the others literally where they have one, and leaves out the rest.
func (m *repairer) keyByKey() {
	key, blank := -1, false
	for i, line := range m.lines {
		switch {
		case isKeyLine(line):
			m.keepKey(key, i)
			key, blank = i, false
		case strings.TrimSpace(line) == "":
			blank = true
		case line[0] == '#':
			m.lines[i] = "" // no part of a value
		case key < 0 || !continuation(line) || blank && line[0] != ' ' && line[0] != '\t':
			m.report(i, 0, fmt.Sprintf("the line %q is neither a key with a value nor part of one, it is left out",
				diag.Clip(strings.TrimSpace(line))), "delete it, or indent it")
			m.lines[i] = ""
		}
	}
	m.keepKey(key, len(m.lines))
}

// keepKey makes the lines from i up to end, which begin with a key, readable.
func (m *repairer) keepKey(i, end int) {
	if i < 0 {
		return
	}
	chunk := strings.Join(m.lines[i:end], "\n")
	if root, _ := rootOf(chunk); root != nil && root.Kind == yaml.MappingNode {
		return
	}
	key, value, _ := splitKey(m.lines[i])
	more := strings.TrimSpace(strings.Join(m.lines[i+1:end], "")) != ""
	if value == "" || more && (value[0] == '[' || value[0] == '{') {
		m.reportLost(i, key, chunk)
		m.blank(i, end)
		return
	}
	t := text{value: literal(value), width: utf8.RuneCountInString(value)}
	if more {
		rest := strings.Join(m.lines[i+1:m.untilKey(key, i+1, end)], " ")
		t = text{value: literal(strings.Join(strings.Fields(value+" "+rest), " "))}
	}
	m.take(i, key, value, t)
	m.blank(i+1, end)
}

// untilKey returns the first of the lines from i up to end that is a key by
// itself: no value takes in such a line, for it may be one that is not meant
// for the public. It reports that the rest is left out; without such a line it
// returns end.
func (m *repairer) untilKey(of string, i, end int) int {
	for ; i < end; i++ {
		line := strings.TrimLeft(m.lines[i], " \t-")
		if isHeaderKey(line) {
			m.report(i, len(m.lines[i])-len(line),
				fmt.Sprintf("the line %q is a key below the value of %q, it is left out with what follows it", diag.Clip(line),
					diag.Clip(of)),
				"put the whole value of "+of+" in quotes, or move the key to the left")
			break
		}
	}
	return i
}

// mostExplained is how many faults of one header are looked into: that takes
// longer than leaving out what is at fault.
const mostExplained = 3

// reportLost reports that the value of the key on line i, where chunk begins, is
// left out.
func (m *repairer) reportLost(i int, key, chunk string) {
	off, why, hint := 0, "it is not valid YAML", "check its indentation, quotes and brackets"
	if m.explained++; m.explained <= mostExplained {
		off, why, hint = explain(chunk, faultyLine(chunk))
	}
	m.report(i+strings.Count(chunk[:off], "\n"), off-lineStart(chunk, off),
		fmt.Sprintf("%s, so the value of %q is left out", why, diag.Clip(key)), hint)
}

func (m *repairer) blank(from, to int) {
	for i := from; i < to; i++ {
		m.lines[i] = ""
	}
}

// literal returns the text that is meant by a value that cannot be read:
// without the quotes around it, or the > or | before it.
func literal(value string) string {
	if rest := blockText(value); rest != "" {
		return rest
	}
	last := len(value) - 1
	switch {
	case last < 1 || value[0] != '"' && value[0] != '\'':
		return value
	case value[last] == value[0] && !closes(value[1:last], value[0]):
		return value[1:last]
	case value[0] == '"' && strings.IndexByte(value[1:], '"') < 0:
		return value[1:] // never closed
	}
	return value
}

// closes reports whether the first quote in a text ends a quotation, as that in
// "a" and "b" does: then those around the text do not belong together.
func closes(text string, quote byte) bool {
	i := strings.IndexByte(text, quote)
	return i > 0 && i+1 < len(text) && text[i-1] != ' ' && text[i-1] != '\\' && strings.IndexByte(" ,.;:)", text[i+1]) >= 0
}

// swallowed returns the end of a value that looks like the line after it: a key
// of headers that follows the end of a sentence or is glued to a word, with a
// short value of its own. "Trigger keywords: a, b" is a sentence.
func swallowed(value string) string {
	keys := []string{
		"allowed-tools", "argument-hint", "author", "category", "compatibility", "description", "keywords", "license",
		"metadata", "model", "name", "tags", "title", "user-invocable", "version",
	}
	at := len(value)
	for _, key := range keys {
		i := strings.LastIndex(value, key+":")
		if i <= 0 || i >= at {
			continue
		}
		before := strings.TrimRight(value[:i], " ")
		spaced := len(before) < i
		last, _ := utf8.DecodeLastRuneInString(before)
		if strings.ContainsRune(".!?。\")']", last) || !spaced &&
			strings.IndexByte("abcdefghijklmnopqrstuvwxyz-_", value[i-1]) < 0 {
			at = i
		}
	}
	return value[at:]
}

// repair changes a header block that is not YAML until it is, one kind of
// repair after the other, and returns its root with the reader for it; nil if
// nothing helps. Line separators are left alone: whether what stands behind one
// is another line is a matter of who reads it.
func (h *header) repair(block string) (*yamlReader, *yaml.Node) {
	if !utf8.ValidString(block) || strings.ContainsFunc(block, separator) {
		return nil, nil
	}
	m := &repairer{
		file: h.file, before: h.opening.number, lines: strings.Split(block, "\n"), texts: map[int]text{},
	}
	for _, step := range []func(){m.straightenIndents, m.dropControls} {
		step()
		if r, root := h.parseRepaired(m); root != nil {
			return r, root
		}
	}
	if part, ok := beforeBody(block); ok && prose(block[len(part):]) {
		if r, root := h.repair(part); root != nil {
			r.found.add(h.guessed(part))
			return r, root
		}
	}
	m.keyByKey()
	return h.parseRepaired(m)
}

// parseRepaired parses what m has made of the block.
func (h *header) parseRepaired(m *repairer) (*yamlReader, *yaml.Node) {
	r := h.reader(strings.Join(m.lines, "\n"))
	r.texts = m.texts
	r.found.list = slices.Clone(m.found.list)
	root, _ := r.parse()
	if !m.whole(root) {
		return r, nil
	}
	return r, root
}

// whole reports whether every line that is a key of the top level by itself has
// become one. Where quotes or brackets go over several lines, one of them may
// have become a part of a value.
func (m *repairer) whole(root *yaml.Node) bool {
	if root == nil || root.Kind != yaml.MappingNode {
		return true
	}
	next := 0
	for i, line := range m.lines {
		if !isKeyLine(line) {
			continue
		}
		for next < len(root.Content) && root.Content[next].Line < i+1 {
			next += 2
		}
		if next >= len(root.Content) || root.Content[next].Line != i+1 {
			return false
		}
	}
	return true
}

// prose reports whether text holds a line that can only be part of a Markdown body.
func prose(text string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && strings.IndexByte(" \t-", line[0]) < 0 && continuation(line) {
			return true
		}
	}
	return false
}
