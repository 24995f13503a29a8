package diff

import (
	"cmp"
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/schema"
)

func (c *comparison) skills() {
	for _, p := range swapped(pairs(c.old.Skills, c.new.Skills, called, content)) {
		name := called(cmp.Or(p.was, p.is))
		at, what := the("skills").item(p.old, p.new, name), "the skill "+diag.Quote(name)
		if !c.present(at, p.was != nil, p.is != nil, name, what, diag.SkillRemoved, diag.SkillAdded) {
			continue
		}
		if p.was.ID != p.is.ID {
			c.text(diag.SkillIDChanged, "", at.child("id"), p.was.ID, p.is.ID, "the id of "+what)
		}
		c.skill(at, p.was, p.is)
	}
}

// swapped pairs skills by their content where two of them have swapped their ids, and
// leaves the others as they are.
func swapped(list []pair[schema.Skill]) []pair[schema.Skill] {
	moved := map[[2]string]int{} // by the contents before and after
	for n, p := range list {
		if p.was == nil || p.is == nil {
			continue
		}
		was, is := content(p.was), content(p.is)
		if other, ok := moved[[2]string{is, was}]; ok && was != is {
			list[n].is, list[n].new, list[other].is, list[other].new = list[other].is, list[other].new, p.is, p.new
		}
		moved[[2]string{was, is}] = n
	}
	return list
}

// called is what a skill is known by: its id, else its name.
func called(s *schema.Skill) string { return cmp.Or(s.ID, s.Name) }

// content is what identifies a skill without its id and its name, which is
// often made from the id. Other changes are reported by themselves.
func content(s *schema.Skill) string {
	set := func(texts []string) []string { return slices.Sorted(slices.Values(once(texts))) }
	return fmt.Sprintf("%q %q %q", s.Description, set(s.Tags), set(s.Examples))
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
