package report

import (
	"fmt"
	"strconv"
	"strings"

	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

// partLines are what people and models read of a part of a card that is new, or that
// clients refuse: a line for each of its members, but for what the message says.
func partLines(c diff.Change) []string {
	if c.New == nil {
		return nil
	}
	part := c.Part
	if part == nil && (c.Old == nil && c.New.Is(source.Object) || c.Rule == "card-unreadable") {
		part = c.New
	}
	return memberLines(nil, c.Message, "", part)
}

func memberLines(lines []string, message, indent string, n *source.Node) []string {
	for _, item := range n.Elements() {
		lines = memberLines(lines, message, indent, item)
	}
	for _, m := range n.Fields() {
		name, values := indent+m.Key+": ", []string{}
		for _, v := range append([]*source.Node{m.Value}, m.Value.Elements()...) {
			quoted := strconv.Quote(v.ScalarText())
			switch {
			case !v.Scalar() && v.Empty(): // such as the requirement {}, which lets everybody in
				values = append(values, schema.WriteCompact(v))
			case v.Scalar() && !strings.Contains(message, quoted):
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
