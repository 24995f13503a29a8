package project

import (
	"context"
	"path"
	"slices"
	"strings"

	"cardwright/internal/walk"
	"cardwright/mapping"
)

// bundle is what one plugin holds, or several that hold the same skills.
type bundle struct {
	parts []*starterSource // in the order in which copies win
	fresh map[*starterSource][]string
}

// plugins are the agents that plugins make, given in the order in which copies of skills
// win: directories that hold the same skills are one agent.
func (s *Starter) plugins(ctx context.Context, dirs []string) ([]*starterAgent, error) {
	owner := map[skillKind]*bundle{}
	var bundles []*bundle
	for _, dir := range dirs {
		from := &starterSource{Type: mapping.TypePlugin, Path: dir}
		g, err := s.read(ctx, from)
		if err != nil {
			return nil, err
		}
		into := &bundle{fresh: map[*starterSource][]string{}}
		if same := s.same(g, owner); same != nil {
			into = same
		}
		s.sift(from, g, into, owner)
		if len(into.parts) == 0 && len(from.files) > 0 {
			bundles = append(bundles, into)
		}
		into.parts = append(into.parts, from)
	}
	var agents []*starterAgent
	for _, b := range bundles {
		if a := b.agent(); a != nil {
			agents = append(agents, a)
		}
	}
	return agents, nil
}

// same is the bundle that holds all skills of a plugin, nil for none.
func (s *Starter) same(g mapping.Gathered, owner map[skillKind]*bundle) (all *bundle) {
	for i := range g.Skills {
		file := g.Skills[i].Origin.File
		if !walk.IsSkillName(path.Base(file)) {
			continue
		}
		b := owner[s.survey.kind[file]]
		if b == nil || all != nil && all != b {
			return nil
		}
		all = b
	}
	return all
}

// sift takes the skills of a plugin that no other one has, and excludes the others.
func (s *Starter) sift(from *starterSource, g mapping.Gathered, into *bundle, owner map[skillKind]*bundle) {
	v := s.survey
	for i := range g.Skills {
		file := g.Skills[i].Origin.File
		kind, known := v.kind[file]
		if !walk.IsSkillName(path.Base(file)) {
			kind, known = skillKind{id: g.Skills[i].ID, text: sum(g.Skills[i].Description)}, true
		}
		from.files = append(from.files, file)
		if !known || owner[kind] != nil {
			if known {
				v.leave(whyCopies, file)
			}
			from.Exclude = append(from.Exclude, from.skill(file))
			continue
		}
		owner[kind] = into
		into.fresh[from] = append(into.fresh[from], mapping.Title(g.Skills[i].Name, g.Skills[i].Description))
	}
}

// agent is the agent of a bundle, nil where it has no skill of its own. The manifest that
// ranks first and describes it comes first.
func (b *bundle) agent() *starterAgent {
	a := &starterAgent{dir: b.parts[0].Path}
	best := b.parts[0]
	for _, from := range b.parts {
		a.names = append(a.names, b.fresh[from]...)
		if from.better(best) {
			best = from
		}
	}
	if len(a.names) == 0 {
		return nil
	}
	for _, from := range b.parts {
		switch {
		case from == best:
			a.Sources = slices.Insert(a.Sources, 0, from)
		case len(b.fresh[from]) > 0:
			a.Sources = append(a.Sources, from)
		}
		if len(b.fresh[from]) == 0 {
			from.describeOnly()
		}
	}
	return a
}

// describeOnly leaves out all skills of a plugin.
func (s *starterSource) describeOnly() {
	s.Exclude, s.read.Skills = nil, nil
	for _, file := range s.files {
		if top, _, _ := strings.Cut(below(s.Path, file), "/"); !slices.Contains(s.Exclude, top) {
			s.Exclude = append(s.Exclude, top)
		}
	}
	s.files = nil
}

// better reports whether a plugin says more of itself than another one does.
func (s *starterSource) better(than *starterSource) bool {
	told := s.read.Brought.Card.Description != ""
	if other := than.read.Brought.Card.Description != ""; told != other {
		return told
	}
	return s.read.Rank < than.read.Rank
}
