package generate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/mapping"
	"cardwright/schema"
)

// completeSkills gives the chosen skills the members that a card needs and their authors left
// out. Nothing is said about the other skills.
func completeSkills(_ context.Context, w *work) error {
	chosen := slices.Concat(w.forPublic, w.forExtended)
	fallbackTags(w, chosen)
	placeholderTexts(w, chosen)
	return nil
}

// assembleCards joins what the configuration says about the agent with its skills:
// into the public card, and the extended one where there are extended skills.
func assembleCards(_ context.Context, w *work) error {
	public, extended := w.forPublic, w.forExtended
	base := w.agent.Card
	places, found := merge(&base, w.agent.Node, w.parts)
	spellNames(slices.Concat(public, extended), &base)
	w.report(found...)
	base.InputModes = orDefault(base.InputModes, "text/plain")
	base.OutputModes = orDefault(base.OutputModes, "text/plain")
	if base.Version == "" {
		base.Version = "0.0.0"
		w.report(diag.New(diag.CardVersionNotSemVer, w.agent.Node.Span, "%s has no version, 0.0.0 is used", w.called()).
			WithPointer("/version").WithHint("set version, or pass --set version=1.0.0"))
	}
	if len(extended) > 0 {
		yes := true
		base.Capabilities.ExtendedAgentCard = &yes
	}
	reportRequired(w, &base)
	main := newCard(base, places, public, false)
	main.index = w.agent.InterfaceIndex
	w.cards = append(w.cards, main)
	if w.agent.LegacyPath == config.LegacySplit {
		splitCard(w)
	}
	if len(extended) > 0 {
		more := newCard(*w.cards[0].card, places, slices.Concat(public, extended), true)
		more.index = w.cards[0].index
		if w.agent.LegacyPath == config.LegacySplit {
			w.report(diag.New(diag.ExtendedNotWritten, firstSpan(w.agent.Node, "/legacyPath"),
				"%s: with legacyPath: split the extended card is for A2A 1.0 only", w.called()).
				WithHint("the server of the agent answers clients of 0.3 in their form"))
		}
		w.cards = append(w.cards, more)
	}
	if len(public) == 0 {
		reportEmpty(w, len(extended))
	}
	return nil
}

// spellNames spells the names for people that are ids, in sources whose systems show no names.
func spellNames(skills []*mapping.Skill, c *schema.Card) {
	brands := []string{c.Name}
	if c.Provider != nil {
		brands = append(brands, c.Provider.Organization)
	}
	for _, s := range skills {
		if s.Untitled && s.Source != nil && (s.Source.Type == mapping.TypeSkills || s.Source.Type == mapping.TypePlugin) {
			s.Name = mapping.Title(s.Name, brands...)
		}
	}
}

// splitCard divides the public card into one for each family of versions: the card of
// 1.0 for the present path, and the card of 0.3 for the path before.
func splitCard(w *work) {
	main := w.cards[0]
	if !main.card.Protocol().Has(schema.Listed) || !main.card.Protocol().Has(schema.Flat) {
		w.found = append(w.found, diag.New(diag.ConfigValue, firstSpan(w.agent.Node, "/legacyPath"),
			"%s: legacyPath: split needs interfaces of version 1.0 and of version 0.3", w.called()).
			WithHint(`give an interface versions: ["1.0", "0.3"], or leave legacyPath out`))
		return
	}
	w.cards[0] = main.of(schema.Listed)
	older := main.of(schema.Flat)
	older.legacy = true
	w.cards = append(w.cards, older)
}

// of returns the card with the interfaces of one family of versions.
func (d agentCard) of(family schema.Protocol) agentCard {
	card, all := *d.card, d.card.Interfaces
	card.Interfaces = nil
	var index []int
	for i, e := range all {
		if !e.Speaks().Has(family) {
			continue
		}
		card.Interfaces = append(card.Interfaces, e)
		if i < len(d.index) { // else it comes from a source
			index = append(index, d.index[i])
		}
	}
	d.card, d.index = &card, index
	return d
}

func newCard(base schema.Card, places []mapping.Place, skills []*mapping.Skill, extended bool) agentCard {
	skills = slices.SortedFunc(slices.Values(skills), func(a, b *mapping.Skill) int { return strings.Compare(a.ID, b.ID) })
	return agentCard{card: &base, merged: places, skills: skills, extended: extended}
}

// reportRequired reports what a card cannot be without and neither the configuration
// nor a source has.
func reportRequired(w *work, c *schema.Card) {
	for _, m := range []struct {
		key, example string
		missing      bool
	}{
		{"name", "name: " + mapping.Title(w.agent.ID), c.Name == ""},
		{"description", "description, a sentence about what the agent does", c.Description == ""},
		{"interfaces", "interfaces: [{url: URL}], where clients call the agent", len(c.Interfaces) == 0},
	} {
		if m.missing && w.agent.Node.Get(m.key) == nil {
			hint := "add " + m.example
			w.incomplete = true
			w.report(diag.New(diag.ConfigValue, w.agent.Node.Span, "%s has no %s", w.called(), m.key).WithHint(hint))
		}
	}
}

// called is how findings call the agent.
func (w *work) called() string { return fmt.Sprintf("agent %q", w.agent.ID) }

func reportEmpty(w *work, extended int) {
	w.incomplete = true
	if w.unread {
		return // that is the reason, and reported
	}
	d := diag.New(diag.SourceEmpty, firstSpan(w.agent.Node, "/skills/from", "/skills"),
		"%s has no skill, a card needs at least one", w.called()).
		WithHint("put a SKILL.md with name and description below a path of skills.from, or define a skill in skills.add")
	if extended > 0 {
		d.Message = w.called() + " has no public skill, a card needs at least one"
		d.Hint = "leave one skill public: without " + w.headerKey("visibility", "extended") + ", and out of skills.extended"
	} else if n := w.countLeftOut(); n > 0 {
		d.Message = fmt.Sprintf("%s has no skill, because %d %s left out of the card", w.called(), n,
			map[bool]string{true: "was", false: "were"}[n == 1])
		d.Hint, d.Effect = "fix that, or define a skill in skills.add", diag.NoSkillLeft
	}
	w.report(d)
}

// overrideSkills replaces members of skills by those that the configuration gives. An entry
// about a skill that does not exist is reported.
func overrideSkills(_ context.Context, w *work) error {
	index := make(map[string]int, len(w.skills))
	ids := make([]string, len(w.skills))
	for i := range w.skills {
		ids[i] = w.skills[i].ID
		index[ids[i]] = i
	}
	known := diag.Among(ids)
	for _, o := range w.agent.Skills.Overlay {
		i, ok := index[o.ID]
		if !ok {
			w.report(diag.New(diag.ConfigUnmatched, o.Origin, "skills.overlay names %q, but no skill has that id", o.ID).
				WithHint(known.Hint(o.ID, "")))
			continue
		}
		override(&w.skills[i], o)
	}
	return nil
}

func override(s *mapping.Skill, o mapping.Skill) {
	if o.Visibility != "" {
		s.Visibility = mapping.MostPrivate(s.Visibility, o.Visibility)
	}
	o.Description = strings.TrimSpace(o.Description)
	for _, m := range schema.Members(schema.SkillMessage) {
		if m.Given(&o.Skill) {
			m.Copy(&s.Skill, &o.Skill)
		}
	}
	if len(o.Tags) > 0 {
		s.Fallback = false
	}
	s.Untitled = s.Untitled && o.Name == ""
	if len(o.Security) > 0 {
		s.Security = o.Security
	}
	replaced := map[string]bool{}
	for _, p := range o.Places {
		replaced[p.Pointer] = true
	}
	s.Places = slices.DeleteFunc(s.Places, func(p mapping.Place) bool {
		member, _, _ := strings.Cut(p.Pointer[1:], "/")
		return replaced["/"+member]
	})
	s.Places = append(s.Places, o.Places...)
}

// fallbackTags gives tags to the skills that have none: a card needs them. One
// finding names all that only got the last resort.
func fallbackTags(w *work, skills []*mapping.Skill) {
	d := diag.New(diag.SkillTagsMissing, diag.Span{}, "").
		WithHint("set " + w.headerKey("tags", "[files]") + " in the header, or skills.defaultTags for all skills")
	var bare []diag.Related
	for _, s := range skills {
		if s.Fallback && len(w.agent.Skills.DefaultTags) > 0 || len(s.Tags) == 0 {
			s.Tags = w.agent.Skills.DefaultTags
		}
		if len(s.Tags) > 0 {
			continue
		}
		s.Tags = []string{"skill"}
		bare = append(bare, diag.Related{Span: s.Origin, Message: fmt.Sprintf("%q has no tags", s.ID)})
	}
	d.Message = fmt.Sprintf("%d skills have no tags and are tagged \"skill\"", len(bare))
	reportSkills(w, bare, d, ` and is tagged "skill"`)
}

// headerKey is how the header of every skill of the agent can say something for A2A.
func (w *work) headerKey(key, value string) string {
	kind := mapping.TypeSkills
	if slices.ContainsFunc(w.agent.Skills.From, func(src mapping.Source) bool { return src.Type == mapping.TypeForge }) {
		kind = mapping.TypeForge
	}
	return mapping.HeaderKey(kind, key, value)
}

// placeholderTexts adds a description to the skills that have none. One finding names
// them all.
func placeholderTexts(w *work, skills []*mapping.Skill) {
	var bare []diag.Related
	last := ""
	for _, s := range skills {
		if s.Description != "" {
			continue
		}
		s.Description, last = s.Placeholder, s.Placeholder
		bare = append(bare, diag.Related{Span: s.Origin, Message: fmt.Sprintf("%q has no description", s.ID)})
	}
	reportSkills(w, bare, diag.New(diag.SourceDescriptionMissing, diag.Span{},
		"%d skills have no description and are published with one such as %s", len(bare), diag.Quote(last)).
		WithHint("describe each in skills.overlay: what it does and when to use it"),
		" and is published with "+diag.Quote(last))
}

// reportSkills warns of what several skills have in common in one finding. Of a
// single skill it describes that one, and the consequence.
func reportSkills(w *work, skills []diag.Related, d diag.Diagnostic, consequence string) {
	if len(skills) == 0 {
		return
	}
	d.Severity, d.Span, d.Related = diag.Warning, skills[0].Span, slices.Clone(skills) // without room for more
	if len(skills) == 1 {
		d.Message, d.Related = skills[0].Message+consequence, nil
	}
	w.report(d)
}

func orDefault(list []string, value string) []string {
	if len(list) > 0 {
		return list
	}
	return []string{value}
}
