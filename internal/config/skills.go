package config

import (
	"cmp"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// read reads what the configuration says about the skills of an agent.
func (s *Skills) read(n *source.Node) {
	for _, m := range n.Get("overlay").Fields() {
		skill := skill(m.Value)
		skill.ID, skill.Origin = m.Key, m.KeySpan
		s.Overlay = append(s.Overlay, skill)
	}
	for _, a := range n.Get("add").Elements() {
		added := skill(a)
		added.Visibility = cmp.Or(added.Visibility, mapping.Public)
		s.Add = append(s.Add, added)
	}
}

// version is what an endpoint speaks that names no version.
func (s Skills) version() string {
	version := schema.Assumed
	for _, src := range s.From {
		version = cmp.Or(mapping.FormatOf(src).Speaks, version)
	}
	return version.String()
}

// skill reads a skill, or the part of one, that the configuration spells out.
func skill(n *source.Node) mapping.Skill {
	s := mapping.Skill{
		Skill:      schema.ConfiguredSkill(n),
		Visibility: mapping.Visibility(n.Get("visibility").ScalarText()),
		Origin:     spanOf(n),
	}
	for _, m := range n.Fields() {
		pointer := source.Pointer("", m.Key)
		s.Places = append(s.Places, mapping.Place{Pointer: pointer, Span: m.Value.Span})
		for i, item := range m.Value.Items {
			s.Places = append(s.Places, mapping.Place{Pointer: source.Pointer(pointer, strconv.Itoa(i)), Span: item.Span})
		}
	}
	return s
}

func texts(n *source.Node) []string {
	var out []string
	for _, item := range n.Elements() {
		out = append(out, item.ScalarText())
	}
	return out
}

func spanOf(n *source.Node) diag.Span {
	if n == nil {
		return diag.Span{}
	}
	return n.Span
}
