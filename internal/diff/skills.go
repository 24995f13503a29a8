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
	p = sameName(older, newer, p)
	for _, both := range slices.Concat(named, p.both) {
		was, is := &older[both[0]], &newer[both[1]]
		here := at.item(both[0], both[1], called(was))
		if was.ID != is.ID {
			c.skillID(here.child("id"), was, is)
		}
		c.skill(here, was, is)
	}
	for _, i := range p.gone {
		name := called(&older[i])
		c.gone("skill-removed", at.item(i, none, name), name, "the skill "+diag.Quote(name))
	}
	for _, i := range p.added {
		name := called(&newer[i])
		c.added("skill-added", at.item(none, i, name), name, "the skill "+diag.Quote(name))
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

// skillID is about two skills that are one by their content. Nobody could name by
// its id one that had none.
func (c *comparison) skillID(at where, older, newer *schema.Skill) {
	switch {
	case older.ID == "" && newer.ID != "":
		c.tell("skill-id-added", at, nil, text(newer.ID), "the skill %s has an id now: %s", diag.Quote(older.Name),
			diag.Quote(newer.ID))
	case newer.ID == "":
		c.text("skill-id-removed", "", at, older.ID, "", "the id of the skill "+diag.Quote(called(older)))
	default:
		c.text("skill-id-changed", "", at, older.ID, newer.ID, "the id of a skill")
	}
}

// sameName pairs what is left over where one of two skills of one name has no id.
func sameName(older, newer []schema.Skill, p pairs) pairs {
	same := rematch(older, newer, p, func(s *schema.Skill) string { return s.Name })
	p = pairs{both: p.both, gone: same.gone, added: same.added}
	for _, both := range same.both {
		if older[both[0]].ID == "" || newer[both[1]].ID == "" {
			p.both = append(p.both, both)
		} else {
			p.gone, p.added = append(p.gone, both[0]), append(p.added, both[1])
		}
	}
	slices.Sort(p.gone)
	slices.Sort(p.added)
	return p
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
	needs, was, is := at.child("securityRequirements"), schema.Asked(older.Security), schema.Asked(newer.Security)
	inherits := name
	if len(was) != len(older.Security) || len(is) != len(newer.Security) { // one that lets everybody in
		inherits += " (where {} is no requirement)"
		c.requirements(needs, inEffect(older.Security, c.old.Security), inEffect(newer.Security, c.new.Security),
			name+" (where {} lets everybody in)")
	}
	if len(was)+len(is) > 0 {
		c.requirements(needs, inEffect(was, c.old.Security), inEffect(is, c.new.Security), inherits)
	}
	c.odd(needs, older.Ignored, newer.Ignored)
}
