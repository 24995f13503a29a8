package diff

import (
	"cmp"
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/schema"
)

func (c *comparison) skills() {
	older, newer := c.old.Skills, c.new.Skills
	at := the("skills")
	p := match(older, newer, called)
	named := swapped(older, newer, p.both)
	p = rematch(older, newer, p, content)
	for _, both := range slices.Concat(named, p.both) {
		was, is := &older[both[0]], &newer[both[1]]
		here := at.item(both[0], both[1], called(was))
		if was.ID != is.ID {
			c.text(diag.SkillIDChanged, "", here.child("id"), was.ID, is.ID, "the id of the skill "+diag.Quote(called(was)))
		}
		c.skill(here, was, is)
	}
	for _, i := range p.gone {
		name := called(&older[i])
		c.gone(diag.SkillRemoved, at.item(i, none, name), name, "the skill "+diag.Quote(name))
	}
	for _, i := range p.added {
		name := called(&newer[i])
		c.added(diag.SkillAdded, at.item(none, i, name), name, "the skill "+diag.Quote(name))
	}
}

// swapped pairs skills by their content where two of them have swapped their ids, and
// all others as they are.
func swapped(older, newer []schema.Skill, both [][2]int) [][2]int {
	moved := map[[2]string]int{} // by the contents before and after
	for n, b := range both {
		was, is := content(&older[b[0]]), content(&newer[b[1]])
		if other, ok := moved[[2]string{is, was}]; ok && was != is {
			both[n][1], both[other][1] = both[other][1], b[1]
		}
		moved[[2]string{was, is}] = n
	}
	return both
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
			inEffect(newer.Security, c.new.Security), " to "+name)
	}
}
