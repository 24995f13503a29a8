package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"cardwright/internal/diag"
)

// repairs is what a reader has to know of a text that was changed so that it
// can be read: the tree must show what the author wrote, where they wrote it.
type repairs struct {
	texts   map[int]text  // by line of the file, where '' now stands
	dropped map[int][]int // by line of the file, the columns of characters that were dropped
}

// text is a value that is taken literally, whatever YAML makes of it.
type text struct {
	value string
	width int  // characters on its line, 0 if it goes over several
	cut   bool // a comment stands behind it
}

func (t text) node(at diag.Span) *Node {
	if t.width > 0 {
		at.EndLine, at.EndColumn = at.Line, at.Column+t.width
	}
	return &Node{Kind: String, Text: t.value, Span: at, Cut: t.cut}
}

// column returns the column in the file of one in the repaired text.
func (r *repairs) column(line, column int) int {
	for _, dropped := range r.dropped[line] {
		if dropped <= column {
			column++
		}
	}
	return column
}

// mender repairs a header line by line. No repair adds or removes a line.
type mender struct {
	repairs
	file   string
	before int // lines of the file before the first one
	lines  []string
	told   findings
}

func newMender(file, block string, before int) *mender {
	return &mender{
		file: file, before: before, lines: strings.Split(block, "\n"),
		repairs: repairs{texts: map[int]text{}, dropped: map[int][]int{}},
	}
}

// tell reports what was repaired at the byte offset off of line i.
func (m *mender) tell(i, off int, message, hint string) {
	line := m.before + i + 1
	m.told.add(diag.Diagnostic{
		Rule: ruleRepaired, Severity: diag.Warning, Message: message, Hint: hint,
		Span: diag.Span{File: m.file, Line: line, Column: m.column(line, utf8.RuneCountInString(m.lines[i][:off])+1)},
	})
}

// dropControls drops the control characters.
func (m *mender) dropControls() {
	for i, line := range m.lines {
		line := strings.TrimSuffix(line, "\r")
		off := strings.IndexFunc(line, forbidden)
		if off < 0 {
			continue
		}
		_, what := unprintable(line[off:])
		m.tell(i, off, what+" is dropped", "delete it")
		m.lines[i] = strings.Map(m.dropControl(i), line)
	}
}

// dropControl returns a mapping that drops the control characters of line i
// and notes where they were.
func (m *mender) dropControl(i int) func(rune) rune {
	line, column := m.before+i+1, 0
	return func(r rune) rune {
		column++
		if forbidden(r) {
			m.dropped[line] = append(m.dropped[line], column)
			return -1
		}
		return r
	}
}

// quoteColons takes values literally that stand on one line and hold what YAML
// reads as another key.
func (m *mender) quoteColons() {
	m.quote(func(value string) bool {
		return strings.IndexByte(`"'[{>|`, value[0]) < 0 && colon(value) >= 0
	})
}

// quoteMalformed takes values literally that stand on one line and cannot be
// read by themselves.
func (m *mender) quoteMalformed() {
	m.quote(func(value string) bool {
		doc, second, err := decodeYAML(strings.NewReader(value))
		return err != nil || second != nil || doc != nil && doc.Content[0].Kind != yaml.ScalarNode && doc.Content[0].Style&yaml.FlowStyle == 0
	})
}

// quote takes literally what at the top level stands on one line and is broken.
func (m *mender) quote(broken func(value string) bool) {
	for i, line := range m.lines {
		key, value, ok := splitKey(line)
		if !ok || value == "" || m.continues(i) {
			continue
		}
		bare, cut := cutComment(value)
		if bare == "" || !broken(bare) {
			continue
		}
		m.take(i, key, value, text{value: literal(bare), width: utf8.RuneCountInString(bare), cut: cut})
	}
}

// take makes t the value of the key on line i, where so far stands value.
func (m *mender) take(i int, key, value string, t text) {
	_, why, hint := explainValue(value, true)
	if why == "" {
		why, hint = "the value is not valid YAML", "put the value in quotes"
	}
	off := strings.LastIndex(m.lines[i], value)
	message := fmt.Sprintf("%s, so the value of %q is read as if it stood in quotes", why, clip(key))
	if next := swallowed(t.value); next != "" {
		message += fmt.Sprintf("; it ends in %q, which looks like a line of its own", clip(next))
	}
	m.tell(i, off, message, hint)
	m.texts[m.before+i+1] = t
	m.lines[i] = m.lines[i][:off] + "''"
}

// continues tells whether the value on line i goes on below it.
func (m *mender) continues(i int) bool {
	for next := i + 1; next < len(m.lines); next++ {
		if line := m.lines[next]; strings.TrimSpace(line) != "" {
			return line[0] == ' ' || line[0] == '\t' || next == i+1 && continuation(line)
		}
	}
	return false
}

// continuation tells whether a line that is not blank belongs to the line above.
func continuation(line string) bool {
	_, _, key := splitKey(line)
	return !key && line[0] != '#' && !conflictMarker(line)
}

// keyByKey keeps each key of the top level that can be read by itself, takes
// the text of the others literally where they have one, and leaves out the rest.
func (m *mender) keyByKey() {
	key, blank := -1, false
	for i, line := range m.lines {
		_, _, ok := splitKey(line)
		switch {
		case ok:
			m.keepKey(key, i)
			key, blank = i, false
		case strings.TrimSpace(line) == "":
			blank = true
		case line[0] == '#':
		case key < 0 || !continuation(line) || blank && line[0] != ' ' && line[0] != '\t':
			m.tell(i, 0, fmt.Sprintf("the line %q is neither a key with its value nor part of one, it is left out", clip(strings.TrimSpace(line))), "delete it, or indent it")
			m.lines[i] = ""
		}
	}
	m.keepKey(key, len(m.lines))
}

// keepKey makes the lines from i up to end, which begin with a key, readable.
func (m *mender) keepKey(i, end int) {
	if i < 0 {
		return
	}
	doc, second, err := decodeYAML(strings.NewReader(strings.Join(m.lines[i:end], "\n")))
	if err == nil && second == nil && doc != nil && doc.Content[0].Kind == yaml.MappingNode {
		return
	}
	key, value, _ := splitKey(m.lines[i])
	if value == "" || value[0] == '[' || value[0] == '{' {
		m.tell(i, 0, fmt.Sprintf("the value of %q cannot be read, it is left out", clip(key)), "write it as valid YAML")
		m.blank(i, end)
		return
	}
	folded := strings.Join(strings.Fields(value+" "+strings.Join(m.lines[i+1:end], " ")), " ")
	m.take(i, key, value, text{value: literal(folded)})
	m.blank(i+1, end)
}

func (m *mender) blank(from, to int) {
	for i := from; i < to; i++ {
		m.lines[i] = ""
	}
}

// cutComment returns a one-line value without the comment behind it.
func cutComment(value string) (bare string, cut bool) {
	if value[0] == '"' || value[0] == '\'' {
		return value, false
	}
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && (value[i-1] == ' ' || value[i-1] == '\t') {
			return strings.TrimRight(value[:i], " \t"), true
		}
	}
	return value, false
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

// closes tells whether the first quote in a text ends a quotation, as that in
// "a" and "b" does: then those around the text do not belong together.
func closes(text string, quote byte) bool {
	i := strings.IndexByte(text, quote)
	return i > 0 && i+1 < len(text) && text[i-1] != ' ' && text[i-1] != '\\' && strings.IndexByte(" ,.;:)", text[i+1]) >= 0
}

// swallowed returns the end of a value that looks like the line after it.
func swallowed(value string) string {
	keys := []string{
		"allowed-tools", "argument-hint", "author", "category", "compatibility", "description", "keywords", "license",
		"metadata", "model", "name", "tags", "title", "user-invocable", "version",
	}
	at := len(value)
	for _, key := range keys {
		i := strings.LastIndex(value, key+":")
		if i > 0 && i < at && strings.IndexByte("abcdefghijklmnopqrstuvwxyz-_", value[i-1]) < 0 {
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
	m := newMender(h.file, block, h.fence.opening.number)
	for _, step := range []func(){m.dropControls, m.quoteColons, m.quoteMalformed} {
		step()
		if r, root := h.mended(m); root != nil {
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
	return h.mended(m)
}

// mended parses what m has made of the block.
func (h *header) mended(m *mender) (*yamlReader, *yaml.Node) {
	r := h.reader(strings.Join(m.lines, "\n"))
	r.repairs = m.repairs
	r.found.list = slices.Clone(m.told.list)
	root, _ := r.parse()
	return r, root
}

// prose tells whether text holds a line that can only be part of a Markdown body.
func prose(text string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && strings.IndexByte(" \t-", line[0]) < 0 && continuation(line) {
			return true
		}
	}
	return false
}
