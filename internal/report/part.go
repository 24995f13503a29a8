package report

import (
	"fmt"
	"slices"
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
	if part == nil && (!c.New.Scalar() || c.Rule == "card-unreadable") && c.Rule != "requirement-loosened" {
		part = beyond(c.New, c.Old)
	}
	if c.Part != nil && part.Empty() {
		return nil
	}
	return memberLines(nil, c.Message, "", "", part)
}

// beyond returns the items of a list that another one has not, or any other value as it
// is.
func beyond(list, other *source.Node) *source.Node {
	if !list.Is(source.Array) || !other.Is(source.Array) {
		return list
	}
	known := map[string]bool{}
	for _, item := range other.Items {
		known[schema.WriteCompact(item)] = true
	}
	has := func(n *source.Node) bool { return known[schema.WriteCompact(n)] }
	items := slices.DeleteFunc(slices.Clone(list.Items), has)
	if len(items) == 0 {
		return nil
	}
	return &source.Node{Kind: source.Array, Items: items}
}

// memberLines adds lines for a value with a name: one for its scalars and those of its
// list, and one for each of the others. What a message says of it is left out: items of a
// list, and of an object the member that identifies it.
func memberLines(lines []string, message, indent, name string, n *source.Node) []string {
	var values []string
	for _, v := range append([]*source.Node{n}, n.Elements()...) {
		switch {
		case v.Is(source.Null) && name == "": // nothing is there
		case v != nil && !v.Scalar() && v.Empty(): // such as the requirement {}, which lets everybody in
			values = append(values, schema.WriteCompact(v))
		case v.Scalar() && !said(message, v):
			values = append(values, shown(v))
		}
	}
	if name != "" {
		name += ": "
	}
	if len(values) > 0 {
		lines = append(lines, indent+name+strings.Join(values, ", "))
	}
	within := indent
	if name != "" {
		within += "  "
	}
	var inner []string
	for _, item := range n.Elements() {
		if !item.Scalar() {
			inner = memberLines(inner, message, within, "", item)
		}
	}
	identified := false
	for _, m := range n.Fields() {
		if !identified && said(message, m.Value) {
			identified = true
			continue
		}
		inner = memberLines(inner, "", within, m.Key, m.Value)
	}
	if name != "" && len(inner) > 0 {
		lines = append(lines, indent+strings.TrimSuffix(name, " "))
	}
	return append(lines, inner...)
}

// said reports whether a message has a scalar in it as it quotes one.
func said(message string, v *source.Node) bool {
	if v.Is(source.String) {
		return strings.Contains(message, strconv.Quote(v.Text))
	}
	return v.Scalar() && strings.Contains(message, "("+v.Text+")")
}

// shown is a scalar as people read it.
func shown(v *source.Node) string {
	if v.Is(source.String) {
		return strconv.Quote(v.Text)
	}
	return v.ScalarText()
}

// inFull is a change with what is read of a new part, on one line.
func inFull(c diff.Change) string {
	var full strings.Builder
	full.WriteString(Change(c))
	introduces := strings.HasSuffix(full.String(), ":")
	for _, line := range append(partLines(c), fileLines(c)...) {
		if !introduces {
			full.WriteByte(';')
		}
		line = " " + strings.TrimSpace(line)
		full.WriteString(line)
		introduces = strings.HasSuffix(line, ":")
	}
	return full.String()
}

// Sentence is a change of an agent as a finding says it, in full.
func Sentence(c diff.Change) string {
	if c.Agent == "" {
		return inFull(c)
	}
	return fmt.Sprintf("agent %q: %s", c.Agent, inFull(c))
}
