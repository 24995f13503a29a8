package generate

import (
	"context"
	"path"
	"reflect"
	"strings"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/mapping"
	"cardwright/schema"
)

// unique makes ids unique: the first skill of an id wins, and it is as private as any
// other one with the same content asks for. What is kept takes the memory of what was
// given. The key is the one of the header of a SKILL.md that gives it another id.
func unique(skills []mapping.Skill, key string) (kept []mapping.Skill, found diag.List) {
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
		severity := diag.Warning
		if s.Source != nil && s.Source == first.Source && s.Source.Type == mapping.TypeForge {
			severity = diag.Info // Forge keeps the first one as well
		}
		found = append(found, collision(s, *first, severity,
			"the id %s belongs to %s, so this skill is left out of the card", apart(key, *first, s)).CostsSkill())
	}
	return kept, found
}

// apart says how skills of one id can get different ids: by a key, where the file of one
// has a header whose own reader accepts it.
func apart(key string, skills ...mapping.Skill) string {
	for _, s := range skills {
		if s.Source != nil && strings.EqualFold(path.Ext(s.Origin.File), ".md") &&
			mapping.HeaderKey(s.Source.Type, "id", "") != "" {
			return "tell them apart with " + key + ", or exclude one of them in skills.from"
		}
	}
	return "give one of them another name in its source"
}

func collision(loser, winner mapping.Skill, severity diag.Severity, format, hint string) diag.Diagnostic {
	return diag.New(diag.SourceIDCollision, loser.Origin, format, diag.Quote(loser.ID), diag.Quote(winner.Origin.File)).
		WithSeverity(severity).
		WithHint(hint).
		WithRelated(diag.Related{Span: winner.Origin, Message: "the one that is kept"})
}

// selectSkills sorts the skills by the cards they appear on. Of what a skill asks for and what
// the configuration says about it, the strictest wins.
func selectSkills(_ context.Context, w *work) error {
	c := w.agent.Skills
	include, exclude, extend := newPatterns("skills.include", c.Include), newPatterns("skills.exclude", c.Exclude),
		newPatterns("skills.extended", c.Extended)
	var found diag.List
	for i := range w.skills {
		s := &w.skills[i]
		leave := func(why string, related ...diag.Related) {
			found = append(found, diag.New(diag.SourceExcluded, s.Origin, "the skill %s is left out of the card: %s",
				diag.Quote(s.ID), why).WithRelated(related...).CostsSkill())
		}
		if extend.match(s) != nil {
			s.Visibility = mapping.MostPrivate(s.Visibility, mapping.Extended)
		}
		included := len(c.Include) == 0 || include.match(s) != nil
		excluding := exclude.match(s)
		switch {
		case s.Visibility == mapping.Hidden:
			leave("its visibility is hidden")
		case excluding != nil:
			leave("skills.exclude matches it", diag.Related{
				Span:    excluding.Span,
				Message: "the pattern " + diag.Quote(excluding.Value),
			})
		case !included:
			leave("skills.include does not match it", diag.Related{Span: c.Include[0].Span, Message: "the patterns"})
		case s.Visibility == mapping.Extended:
			w.forExtended = append(w.forExtended, s)
		default:
			w.forPublic = append(w.forPublic, s)
		}
	}
	for _, p := range []*patterns{include, exclude, extend} {
		found = append(found, p.faults()...)
	}
	w.report(found...)
	return nil
}

// patterns are the patterns of one key of the configuration.
type patterns struct {
	key  string
	list []config.Text
	set  *files.PatternSet
	used []bool // by index: whether the pattern has matched something
}

// newPatterns returns the patterns of a key.
func newPatterns(key string, list []config.Text) *patterns {
	texts := make([]string, len(list))
	for i, t := range list {
		texts[i] = fold(t.Value)
	}
	return &patterns{key: key, list: list, set: files.NewPatternSet(texts), used: make([]bool, len(list))}
}

// fold returns what patterns and names are compared by: no letter case (Unicode's simple
// folding), no compatibility variants (NFKC), hyphens for underscores, and no slash that
// would stop a wildcard.
func fold(name string) string {
	return schema.FoldName(separators.Replace(norm.NFKC.String(name)))
}

var separators = strings.NewReplacer("_", "-", "/", "\x00")

// match returns the first pattern that matches a skill by one of its names, nil when there
// is none.
func (p *patterns) match(s *mapping.Skill) *config.Text {
	first := len(p.list)
	for name := range s.Known() {
		if len(p.list) == 0 {
			break
		}
		for _, i := range p.set.Match(fold(name)) {
			p.used[i] = true
			first = min(first, i)
		}
	}
	if first == len(p.list) {
		return nil
	}
	return &p.list[first]
}

// faults reports the patterns that say nothing. One that was meant to keep a
// skill private must not fail in silence.
func (p *patterns) faults() diag.List {
	if p.set.Full() {
		return diag.List{mapping.TooManyPatterns(p.key, p.list[0].Span)}
	}
	var found diag.List
	for i, t := range p.list {
		if err := files.CheckPattern(t.Value); err != nil {
			found = append(found, mapping.MalformedPattern(t.Value, err, t.Span))
		} else if !p.used[i] {
			found = append(found, diag.New(diag.ConfigUnmatched, t.Span, "the pattern %s matches no skill",
				diag.Quote(t.Value)).WithSeverity(diag.Info))
		}
	}
	return found
}
