package diff

import (
	"cmp"
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (c *comparison) skills() {
	older, newer := c.old.Skills, c.new.Skills
	at := the("skills")
	p := match(older, newer, called)
	for _, both := range p.both {
		c.skill(at.item(both[0], both[1]), &older[both[0]], &newer[both[1]])
	}
	p = rematch(older, newer, p, content)
	p = withoutIDs(older, newer, p)
	for _, both := range p.both {
		was, is := &older[both[0]], &newer[both[1]]
		c.skillID(at.item(both[0], both[1]).child("id"), was, is)
		c.skill(at.item(both[0], both[1]), was, is)
	}
	for _, i := range p.gone {
		c.tell("skill-removed", at.gone(i), source.NewText(called(&older[i])), nil, "the skill %s is gone",
			diag.Quote(called(&older[i])))
	}
	for _, i := range p.added {
		c.tell("skill-added", at.added(i), nil, source.NewText(called(&newer[i])), "the skill %s is new",
			diag.Quote(called(&newer[i])))
		c.changes[len(c.changes)-1].About = newer[i].Description
	}
}

// skillID is about two skills that are one by their content. Nobody could name by
// its id one that had none.
func (c *comparison) skillID(at where, older, newer *schema.Skill) {
	switch {
	case older.ID == "" && newer.ID != "":
		c.tell("skill-id-added", at, nil, text(newer.ID), "the skill %s has an id now: %s", diag.Quote(older.Name),
			diag.Quote(newer.ID))
	case newer.ID == "":
		c.text("skill-id-removed", at, older.ID, "", "the id of the skill "+diag.Quote(called(older)))
	default:
		c.text("skill-id-changed", at, older.ID, newer.ID, "the id of a skill")
	}
}

// withoutIDs pairs what is left over where one of two skills of one name has no id.
func withoutIDs(older, newer []schema.Skill, p pairs) pairs {
	name := func(s *schema.Skill) string { return s.Name }
	var bare, other []int
	for _, i := range p.gone {
		if older[i].ID == "" {
			bare = append(bare, i)
		} else {
			other = append(other, i)
		}
	}
	was := rematch(older, newer, pairs{gone: bare, added: p.added}, name)
	bare = nil
	var rest []int
	for _, i := range was.added {
		if newer[i].ID == "" {
			bare = append(bare, i)
		} else {
			rest = append(rest, i)
		}
	}
	is := rematch(older, newer, pairs{gone: other, added: bare}, name)
	return pairs{
		both:  slices.Concat(p.both, was.both, is.both),
		gone:  slices.Sorted(slices.Values(slices.Concat(was.gone, is.gone))),
		added: slices.Sorted(slices.Values(slices.Concat(rest, is.added))),
	}
}

// called is what a skill is known by: its id, else its name.
func called(s *schema.Skill) string { return cmp.Or(s.ID, s.Name) }

// content is what identifies a skill without its id and its name, which is
// often made from the id. Other changes are reported by themselves.
func content(s *schema.Skill) string {
	return fmt.Sprintf("%q %q %q", s.Description, once(s.Tags), s.Examples)
}

// skill compares two versions of a skill.
func (c *comparison) skill(at where, older, newer *schema.Skill) {
	name := "the skill " + diag.Quote(called(newer))
	c.members(schema.SkillMessage, at, older, newer, name, "inputModes", "outputModes")
	// A skill that inherits from the card on both sides changes with the card.
	if len(older.InputModes)+len(newer.InputModes) > 0 {
		c.modes(input, at.child("inputModes"), inEffect(older.InputModes, c.old.InputModes),
			inEffect(newer.InputModes, c.new.InputModes), name)
	}
	if len(older.OutputModes)+len(newer.OutputModes) > 0 {
		c.modes(output, at.child("outputModes"), inEffect(older.OutputModes, c.old.OutputModes),
			inEffect(newer.OutputModes, c.new.OutputModes), name)
	}
	if len(older.Security)+len(newer.Security) > 0 {
		c.requirements(at.child("securityRequirements"), inEffect(older.Security, c.old.Security),
			inEffect(newer.Security, c.new.Security), name)
	}
	c.odd(at.child("securityRequirements"), older.Ignored, newer.Ignored)
	c.extra(at, older.Extra, newer.Extra, name)
}
