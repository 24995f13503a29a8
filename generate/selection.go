package generate

import (
	"path"
	"reflect"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/walk"
	"cardwright/mapping"
)

// unique makes ids unique: the first skill of an id wins, and it is as private as any
// other one with the same content asks for. What is kept takes the memory of what was
// given.
func unique(skills []mapping.Skill) (kept []mapping.Skill, found diag.List) {
	kept = skills[:0]
	index := make(map[string]int, len(skills))
	for _, s := range skills {
		i, taken := index[s.ID]
		if !taken {
			index[s.ID] = len(kept)
			kept = append(kept, s)
			continue
		}
		first := &kept[i]
		if reflect.DeepEqual(first.Skill, s.Skill) {
			first.Visibility = mapping.MostPrivate(first.Visibility, s.Visibility)
			found = append(found, collision(s, *first, diag.Info, "the skill %s is the same as in %s and published once", ""))
			continue
		}
		found = append(found, collision(s, *first, diag.Warning,
			"the id %s belongs to %s, so this skill is left out of the card", apart(*first, s)).CostsSkill())
	}
	return kept, found
}

// apart says how two skills of one id can be told apart: a SKILL.md can say
// another one.
func apart(a, b mapping.Skill) string {
	for _, s := range []mapping.Skill{a, b} {
		if strings.EqualFold(path.Ext(s.Origin.File), ".md") {
			return "tell them apart with metadata.a2a-id, or exclude one of them"
		}
	}
	return "give one of them another name in its source"
}

func collision(loser, winner mapping.Skill, severity diag.Severity, format, hint string) diag.Diagnostic {
	return diag.New("source-id-collision", loser.Origin, format, diag.Quote(loser.ID), diag.Quote(winner.Origin.File)).
		WithSeverity(severity).
		WithHint(hint).
		WithRelated(diag.Related{Span: winner.Origin, Message: "the one that is kept"})
}

// choose sorts the skills by the cards they appear on. Of what a skill asks for and what
// the configuration says of it, the strictest wins.
func (w *work) choose() (public, extended []*mapping.Skill) {
	c := w.agent.Skills
	include, exclude, extend := newPatterns("skills.include", c.Include), newPatterns("skills.exclude", c.Exclude),
		newPatterns("skills.extended", c.Extended)
	var found diag.List
	for i := range w.skills {
		s := &w.skills[i]
		leave := func(why string, related ...diag.Related) {
			found = append(found, diag.New("source-excluded", s.Origin, "the skill %s is left out of the card: %s",
				diag.Quote(s.ID), why).WithRelated(related...).CostsSkill())
		}
		if extend.match(s.ID) != nil {
			s.Visibility = mapping.MostPrivate(s.Visibility, mapping.Extended)
		}
		included := len(c.Include) == 0 || include.match(s.ID) != nil
		excluding := exclude.match(s.ID)
		switch {
		case s.Visibility == mapping.Hidden:
			leave("its visibility is hidden")
		case excluding != nil:
			leave("skills.exclude matches its id", diag.Related{
				Span:    excluding.Span,
				Message: "the pattern " + diag.Quote(excluding.Value),
			})
		case !included:
			leave("skills.include does not match its id", diag.Related{Span: c.Include[0].Span, Message: "the patterns"})
		case s.Visibility == mapping.Extended:
			extended = append(extended, s)
		default:
			public = append(public, s)
		}
	}
	for _, p := range []*patterns{include, exclude, extend} {
		found = append(found, p.faults()...)
	}
	w.report(found...)
	return public, extended
}

// patterns are those of one key of the configuration.
type patterns struct {
	key  string
	list []config.Text
	set  *files.PatternSet
	Used []bool // by index: whether the pattern has matched something
}

// newPatterns returns the patterns of a key.
func newPatterns(key string, list []config.Text) *patterns {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = t.Value
	}
	return &patterns{key: key, list: list, set: files.NewPatternSet(texts), Used: make([]bool, len(list))}
}

// match returns the first pattern that matches id, nil when there is none.
func (p *patterns) match(id string) *config.Text {
	found := p.set.Match(id)
	if len(found) == 0 {
		return nil
	}
	for _, i := range found {
		p.Used[i] = true
	}
	return &p.list[found[0]]
}

// faults reports the patterns that say nothing. One that was meant to keep a
// skill private must not fail in silence.
func (p *patterns) faults() diag.List {
	if p.set.Full() {
		return diag.List{walk.TooManyPatterns(p.key, p.list[0].Span)}
	}
	var found diag.List
	for i, t := range p.list {
		if err := files.CheckPattern(t.Value); err != nil {
			found = append(found, walk.MalformedPattern(t.Value, err, t.Span))
		} else if !p.Used[i] {
			found = append(found, diag.New("config-unmatched", t.Span, "the pattern %s matches the id of no skill",
				diag.Quote(t.Value)).WithSeverity(diag.Info))
		}
	}
	return found
}
