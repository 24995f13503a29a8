package config

import (
	"cmp"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

func skills(n *source.Node) Skills {
	s := Skills{
		Include:        placed(n.Get("include")),
		Exclude:        placed(n.Get("exclude")),
		Extended:       placed(n.Get("extended")),
		DefaultTags:    texts(n.Get("defaultTags")),
		PublishSchemas: isTrue(n.Get("publishSchemas")),
		SkipErrors:     n.Get("onError").ScalarText() == "skip",
		Readable:       texts(n.Get("readable")),
		TagsFromPath:   isTrue(n.Get("tagsFromPath")),
	}
	for _, f := range n.Get("from").Elements() {
		s.From = append(s.From, mapping.Source{
			Type:              mapping.SourceType(f.Get("type").ScalarText()),
			Path:              f.Get("path").ScalarText(),
			Nested:            isTrue(f.Get("nested")),
			Flat:              isTrue(f.Get("flat")),
			FollowSymlinks:    isTrue(f.Get("followSymlinks")),
			RespectInvocation: isTrue(f.Get("respectInvocation")),
			Bearer:            isTrue(f.Get("bearer")),
			Built:             isTrue(f.Get("built")),
			Whole:             isTrue(f.Get("whole")),
			Exclude:           texts(f.Get("exclude")),
			Span:              spanOf(f.Get("path")),
		})
	}
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
	return s
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
		Skill:      schema.Skill{Security: requirements(n.Get("security"))},
		Visibility: mapping.Visibility(n.Get("visibility").ScalarText()),
		Origin:     spanOf(n),
	}
	schema.Fill(schema.SkillMessage, &s.Skill, n)
	for _, m := range n.Fields() {
		pointer := source.Pointer("", m.Key)
		s.Places = append(s.Places, mapping.Place{Pointer: pointer, Span: m.Value.Span})
		for i, item := range m.Value.Items {
			s.Places = append(s.Places, mapping.Place{Pointer: source.Pointer(pointer, strconv.Itoa(i)), Span: item.Span})
		}
	}
	return s
}

func placed(n *source.Node) []Text {
	var out []Text
	for _, item := range n.Elements() {
		out = append(out, Text{Value: item.ScalarText(), Span: item.Span})
	}
	return out
}

func texts(n *source.Node) []string {
	var out []string
	for _, item := range n.Elements() {
		out = append(out, item.ScalarText())
	}
	return out
}

func isTrue(n *source.Node) bool { return n.Is(source.Bool) && n.Text == "true" }

func spanOf(n *source.Node) diag.Span {
	if n == nil {
		return diag.Span{}
	}
	return n.Span
}
