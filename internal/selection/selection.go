package selection

import (
	"path"
	"reflect"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/glob"
	"cardwright/internal/walk"
	"cardwright/mapping"
)

// Unique makes ids unique. Of skills with one id and the same content one is
// kept, with the most private wish of all. Otherwise the first wins, though
// never one that is to be hidden over one that is not. What is kept takes the
// memory of what was given.
func Unique(skills []mapping.Skill, sources []mapping.Source) ([]mapping.Skill, diag.List) {
	kept := skills[:0]
	var found diag.List
	lost := copies{}
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
			lost.add(s.Origin.File, first.Origin.File)
			found = append(found, collision(s, *first, diag.Info, "the skill %s is the same as in %s and published once", ""))
			continue
		}
		if first.Visibility == mapping.Hidden && s.Visibility != mapping.Hidden {
			*first, s = s, *first
		}
		lost.add(s.Origin.File, first.Origin.File)
		found = append(found, collision(s, *first, diag.Warning,
			"the id %s belongs to %s, so this skill is left out of the card", apart(*first, s)))
	}
	return kept, append(found, lost.summary(kept, sources)...)
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

// Divide sorts skills by the cards they appear on: public ones are on every
// card, extended ones on the extended card only. Of what a skill asks for and
// what the configuration says of its id, the most private counts. Each skill
// that is on no card is named.
func Divide(skills []mapping.Skill, c config.Skills) (public, extended []*mapping.Skill, found diag.List) {
	include, exclude, extend := NewPatterns("skills.include", c.Include), NewPatterns("skills.exclude", c.Exclude),
		NewPatterns("skills.extended", c.Extended)
	for i := range skills {
		s := &skills[i]
		leave := func(why string, related ...diag.Related) {
			found = append(found, diag.New("source-excluded", s.Origin, "the skill %s is left out of the card: %s",
				diag.Quote(s.ID), why).WithRelated(related...))
		}
		included := len(c.Include) == 0 || include.Match(s.ID) != nil
		excluding, extending := exclude.Match(s.ID), extend.Match(s.ID)
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
		case extending != nil || s.Visibility == mapping.Extended:
			s.Visibility = mapping.Extended
			extended = append(extended, s)
		default:
			s.Visibility = mapping.Public
			public = append(public, s)
		}
	}
	for _, p := range []*Patterns{include, exclude, extend} {
		found = append(found, p.Faults()...)
	}
	return public, extended, found
}

// Patterns are those of one key of the configuration.
type Patterns struct {
	key  string
	list []config.Text
	set  *glob.Set
	Used []bool // by index: whether the pattern has matched something
}

// NewPatterns returns the patterns of a key.
func NewPatterns(key string, list []config.Text) *Patterns {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = t.Value
	}
	return &Patterns{key: key, list: list, set: glob.NewSet(texts), Used: make([]bool, len(list))}
}

// Match returns the first pattern that matches id, nil when there is none.
func (p *Patterns) Match(id string) *config.Text {
	found := p.set.Match(id)
	if len(found) == 0 {
		return nil
	}
	for _, i := range found {
		p.Used[i] = true
	}
	return &p.list[found[0]]
}

// Faults reports the patterns that say nothing. One that was meant to keep a
// skill private must not fail in silence.
func (p *Patterns) Faults() diag.List {
	if p.set.Full() {
		return diag.List{walk.TooManyPatterns(p.key, p.list[0].Span)}
	}
	var found diag.List
	for i, t := range p.list {
		if err := glob.Check(t.Value); err != nil {
			found = append(found, walk.MalformedPattern(t.Value, err, t.Span))
		} else if !p.Used[i] {
			found = append(found, diag.New("config-unmatched", t.Span, "the pattern %s matches the id of no skill",
				diag.Quote(t.Value)).WithSeverity(diag.Info))
		}
	}
	return found
}
