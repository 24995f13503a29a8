package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// partLines are what people and models read of a part of a card that is new: a
// line for each of its members, but for what the message says.
func partLines(c diff.Change) []string {
	if c.New == nil {
		return nil
	}
	return memberLines(nil, c.Message, "", c.Part)
}

func memberLines(lines []string, message, indent string, n *source.Node) []string {
	for _, item := range n.Elements() {
		lines = memberLines(lines, message, indent, item)
	}
	for _, m := range n.Fields() {
		name, values := indent+m.Key+": ", []string{}
		for _, v := range append([]*source.Node{m.Value}, m.Value.Elements()...) {
			if quoted := strconv.Quote(v.ScalarText()); v.Scalar() && !strings.Contains(message, quoted) {
				values = append(values, quoted)
			}
		}
		if len(values) > 0 {
			lines = append(lines, name+strings.Join(values, ", "))
		}
		if inner := memberLines(nil, message, indent+"  ", m.Value); len(inner) > 0 {
			lines = append(append(lines, strings.TrimSuffix(name, " ")), inner...)
		}
	}
	return lines
}

// inFull is a change with what is read of a new part, on one line.
func inFull(c diff.Change) string {
	parts := []string{Change(c)}
	for _, line := range append(partLines(c), fileLines(c)...) {
		parts = append(parts, strings.TrimSpace(line))
	}
	return strings.Join(parts, "; ")
}

// Sentence is a change of an agent as a finding says it, in full.
func Sentence(c diff.Change) string {
	if c.Agent == "" {
		return inFull(c)
	}
	return fmt.Sprintf("agent %q: %s", c.Agent, inFull(c))
}

// mostPoints is how many characters are shown by their code points.
const mostPoints = 8

// codePoints shows where two texts differ that look alike: in letters of different
// scripts, or in how accents are written. It is empty for others.
func codePoints(was, is string) string {
	a, b := []rune(was), []rune(is)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	latin := func(r rune) bool { return unicode.Is(unicode.Latin, r) || !unicode.IsLetter(r) }
	alike := strings.ContainsFunc(string(a)+string(b), func(r rune) bool { return unicode.Is(unicode.Mn, r) })
	for i := 0; i < len(a) && len(a) == len(b); i++ {
		alike = alike || a[i] != b[i] && latin(a[i]) != latin(b[i])
	}
	if !alike {
		return ""
	}
	return " (" + points(a) + " → " + points(b) + ")"
}

func points(runes []rune) string {
	var list []string
	for i, r := range runes {
		if i == mostPoints {
			list = append(list, "…")
			break
		}
		list = append(list, fmt.Sprintf("%U", r))
	}
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, " ")
}
