package generate

import (
	"fmt"
	"path"
	"reflect"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/walk"
	"cardwright/mapping"
	"cardwright/schema"
)

// unique makes ids unique. A skill whose directory or file has the name of its id keeps
// it: whatever would take its place is an error. So is one that is not hidden where one
// that keeps its id is. Of other skills with one id, those with the same content are
// one, with the most private wish of all, and else the first wins, though never one that
// is to be hidden over one that is not. What is kept
// takes the memory of what was given; private are the others that are not public.
func unique(skills []mapping.Skill, sources []mapping.Source) (kept []mapping.Skill, private []Trace, found diag.List) {
	kept = skills[:0]
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
		same, taken := reflect.DeepEqual(first.Skill, s.Skill), false
		why := "whose directory has this name"
		hidden, hides := first.Visibility == mapping.Hidden, s.Visibility == mapping.Hidden
		switch {
		case hold(&s) > hold(first):
			*first, s, taken = s, *first, true
		case hold(&s) < hold(first):
			taken = strings.EqualFold(path.Ext(s.Origin.File), ".md") // no list of many skills
		case same:
		case hidden == hides:
			taken, why = !hidden && rivals(first, &s), "which has this name as well"
		case hidden && !first.Keeps:
			*first, s = s, *first
		case hidden:
			taken, why = true, "which is hidden"
		case s.Keeps && !mapping.IsAside(s.Origin.File):
			*first, s, taken, why = s, *first, true, "which is hidden"
		}
		if why == "which is hidden" && copied(first, &s) {
			s.Visibility, taken = mapping.Hidden, false
		}
		if s.Visibility != mapping.Public {
			private = append(private, traceOf(&s).veiled(&s))
		}
		lost.add(s.Origin.File, first.Origin.File)
		switch {
		case same:
			first.Visibility = mapping.MostPrivate(first.Visibility, s.Visibility)
			found = append(found, collision(s, *first, diag.Info, "the skill %s is the same as in %s and published once", ""))
		case taken:
			found = append(found, collision(s, *first, diag.Error,
				"the id %s is that of %s, "+why+", so this skill cannot have it", apart(*first, s)))
		default:
			found = append(found, collision(s, *first, diag.Warning,
				"the id %s belongs to %s, so this skill is left out of the card", apart(*first, s)).CostsSkill())
		}
	}
	return kept, private, append(found, lost.summary(kept, sources)...)
}

// hold says how firmly a skill keeps its id: the name of a directory counts more than
// that of a Markdown file beside others, and most when it is spelled as the id is.
func hold(s *mapping.Skill) int {
	switch {
	case !s.Keeps:
		return 0
	case s.Flat:
		return 1
	case directory(s) != s.ID && schema.Slug(directory(s)) == s.ID:
		return 2
	}
	return 3
}

// directory returns the name of the directory that a skill lies in.
func directory(s *mapping.Skill) string { return path.Base(path.Dir(s.Origin.File)) }

// rivals reports whether the second of two skills that hold their id alike has a directory
// that a new file of the same source could come before. Sources have the order of the
// configuration, and copies in an archive never come first.
func rivals(first, s *mapping.Skill) bool {
	return s.Keeps && s.Source != nil && s.Source == first.Source && !s.Source.Given &&
		schema.Slug(directory(s)) == s.ID &&
		mapping.IsAside(first.Origin.File) == mapping.IsAside(s.Origin.File)
}

// copied reports whether a skill is a copy of one that is hidden.
func copied(hidden, s *mapping.Skill) bool {
	var own Private
	own.Add(traceOf(hidden))
	return own.Match(traceOf(s)) != nil
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

// choose sorts the skills by the cards they appear on, and returns the traces of those
// that do. Of what a skill asks for and what
// the configuration says of its id, the most private counts, and it counts for the
// copies of the skill as well.
func (w *work) choose(overlaid map[string]Trace) (public, extended []*mapping.Skill, shown []Trace) {
	c := w.agent.Skills
	include, exclude, extend := newPatterns("skills.include", c.Include), newPatterns("skills.exclude", c.Exclude),
		newPatterns("skills.extended", c.Extended)
	for i := range w.skills {
		s := &w.skills[i]
		if extend.match(s.ID) != nil {
			s.Visibility = mapping.MostPrivate(s.Visibility, mapping.Extended)
		}
		if s.Visibility != mapping.Public {
			w.private = append(w.private, w.trace(s, overlaid).veiled(s))
		}
	}
	var own Private
	own.Add(w.private...)
	var found diag.List
	for i := range w.skills {
		s := &w.skills[i]
		trace := w.trace(s, overlaid)
		leave := func(why string, related ...diag.Related) *diag.Diagnostic {
			found = append(found, diag.New("source-excluded", s.Origin, "the skill %s is left out of the card: %s",
				diag.Quote(s.ID), why).WithRelated(related...).CostsSkill())
			return &found[len(found)-1]
		}
		included := len(c.Include) == 0 || include.match(s.ID) != nil
		excluding := exclude.match(s.ID)
		var copied, kept *Trace
		if s.Visibility != mapping.Hidden && included && excluding == nil {
			copied, kept = own.Match(trace), w.elsewhere.Match(trace)
		}
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
		case copied != nil:
			f := leave(fmt.Sprintf("it is a copy of a skill that is %s", copied.Visibility),
				diag.Related{Span: copied.Origin, Message: "that skill"})
			f.Severity, f.Hint, f.Secret = diag.Warning, "exclude it, or make both public", true
			w.private = append(w.private, trace.veiled(s))
		case kept != nil:
			f := leave(kept.why(), diag.Related{Span: kept.Origin, Message: "the skill of that agent"})
			f.Severity, f.Hint, f.Secret = diag.Warning, "exclude it here, or make it public for both agents", true
			if kept.Doubt {
				f.Hint, f.Related = "fix the errors in "+kept.Agent, nil
			}
			w.private = append(w.private, trace.veiled(s))
		case s.Visibility == mapping.Extended:
			extended, shown = append(extended, s), append(shown, trace)
		default:
			public, shown = append(public, s), append(shown, trace)
		}
	}
	for _, p := range []*patterns{include, exclude, extend} {
		found = append(found, p.faults()...)
	}
	w.report(found...)
	return public, extended, shown
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
