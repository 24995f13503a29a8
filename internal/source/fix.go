package source

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// FixFrontmatter writes into a file what [ReadFrontmatter] repairs while it reads
// the header, and reports whether it could. A repair is written only where the
// header then says the same without any: never what needs a guess.
func FixFrontmatter(file string, data []byte, limits Limits) ([]byte, bool) {
	before, found := ReadFrontmatter(bytes.NewReader(data), file, FrontmatterOptions{Limits: limits})
	if before == nil || len(found) == 0 {
		return nil, false
	}
	lines := strings.Split(string(data), "\n")
	edits := map[int]diag.Edit{} // by line
	opening := false
	for _, d := range found {
		i := d.Span.Line - 1
		switch {
		case i < 0 || i >= len(lines):
		case d.Rule == ruleRepaired:
			if fixed := fixLine(lines[i], d.Span.Line, before); fixed != lines[i] {
				edits[i] = diag.Edit{Span: diag.Span{
					Line: i + 1, Column: 1, EndLine: i + 1, EndColumn: utf8.RuneCountInString(lines[i]) + 1,
				}, Text: fixed}
			}
		case d.Rule == ruleOpening:
			opening = true
		}
	}
	if len(edits) == 0 && !opening {
		return nil, false
	}
	text, ok := Apply(string(data), slices.Collect(maps.Values(edits)))
	if !ok {
		return nil, false
	}
	fixed := []byte(straightenOpening(text))
	after, left := ReadFrontmatter(bytes.NewReader(fixed), file, FrontmatterOptions{Limits: limits, NoRepair: true})
	if after == nil || len(left) >= len(found) {
		return nil, false
	}
	before.Text, after.Text = "", "" // a repair is not a difference
	return fixed, before.Equal(after)
}

// fixLine puts the value on a line in quotes that was taken as a text, makes
// spaces of those that are none, and drops control characters.
func fixLine(line string, number int, header *Node) string {
	indent := len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
	line = evenSpaces(line[:indent]) + line[indent:]
	ending := carriage(line)
	line = strings.Map(dropForbidden, strings.TrimSuffix(line, ending))
	for _, m := range header.Members {
		s := m.Value.Span
		if !m.Value.Is(String) || s.Line != number || s.EndLine > number || s.EndColumn <= s.Column {
			continue
		}
		from, to := byteOffset(line, s.Column), byteOffset(line, s.EndColumn)
		if from < 0 || to < from || strings.TrimSpace(line[to:]) != "" ||
			strings.ContainsRune("[]{}\"'>|&*!%@`,#", rune(line[from])) || swallowed(m.Value.Text) != "" {
			break // what was meant is a guess
		}
		return line[:from] + "'" + strings.ReplaceAll(m.Value.Text, "'", "''") + "'" + ending
	}
	return line + ending
}

// byteOffset is where a column of a line begins, -1 where it has none.
func byteOffset(line string, column int) int {
	c := newCursor("", line)
	if !c.seekPlace(1, column) {
		return -1
	}
	return c.off
}

// carriage returns the CR that a line ends in, "" where it has none.
func carriage(line string) string { return line[len(strings.TrimSuffix(line, "\r")):] }

// straightenOpening begins a file with the three dashes of its header.
func straightenOpening(text string) string {
	marked, hasMark := strings.CutPrefix(text, byteOrderMark)
	bare := strings.TrimLeftFunc(marked, unicode.IsSpace)
	first, rest, _ := strings.Cut(bare, "\n")
	if word := strings.TrimSpace(first); word == "" || strings.Trim(word, "-–—") != "" {
		return text
	}
	ending := carriage(first)
	if first == "---"+ending && bare == marked {
		return text
	}
	if hasMark {
		return byteOrderMark + "---" + ending + "\n" + rest
	}
	return "---" + ending + "\n" + rest
}
