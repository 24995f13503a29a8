package diff

import (
	"fmt"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (c *comparison) skills() {
	older, newer := c.old.Skills, c.new.Skills
	at := the("skills")
	p := match(older, newer, func(s *schema.Skill) string { return s.ID })
	for _, both := range p.both {
		c.skill(at.item(both[0], both[1]), &older[both[0]], &newer[both[1]])
	}
	p = rematch(older, newer, p, content)
	for _, both := range p.both {
		was, is := &older[both[0]], &newer[both[1]]
		c.tell("skill-id-changed", at.item(both[0], both[1]).child("id"), source.NewText(was.ID), source.NewText(is.ID), "the id of a skill changed")
		c.skill(at.item(both[0], both[1]), was, is)
	}
	for _, i := range p.gone {
		c.tell("skill-removed", at.gone(i), source.NewText(older[i].ID), nil, "the skill %s is gone", diag.Quote(older[i].ID))
	}
	for _, i := range p.added {
		c.tell("skill-added", at.added(i), nil, source.NewText(newer[i].ID), "the skill %s is new", diag.Quote(newer[i].ID))
		c.changes[len(c.changes)-1].About = newer[i].Description
	}
}

// content is what tells one skill from another besides its id, and its name,
// which is often made from that. What else has changed is told by itself.
func content(s *schema.Skill) string {
	return fmt.Sprintf("%q %q %q", s.Description, once(s.Tags), s.Examples)
}

// skill compares two versions of a skill.
func (c *comparison) skill(at where, older, newer *schema.Skill) {
	name := "the skill " + diag.Quote(newer.ID)
	c.members(schema.SkillMessage, at, older, newer, name, "inputModes", "outputModes")
	// A skill that inherits from the card on both sides changes with the card.
	if len(older.InputModes)+len(newer.InputModes) > 0 {
		c.modes(input, at.child("inputModes"), inEffect(older.InputModes, c.old.InputModes), inEffect(newer.InputModes, c.new.InputModes), name)
	}
	if len(older.OutputModes)+len(newer.OutputModes) > 0 {
		c.modes(output, at.child("outputModes"), inEffect(older.OutputModes, c.old.OutputModes), inEffect(newer.OutputModes, c.new.OutputModes), name)
	}
	if len(older.Security)+len(newer.Security) > 0 {
		c.requirements(at.child("securityRequirements"), inEffect(older.Security, c.old.Security), inEffect(newer.Security, c.new.Security), name)
	}
	c.odd(at.child("securityRequirements"), older.Ignored, newer.Ignored)
	c.extra(at, older.Extra, newer.Extra, name)
}
