package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readSkill is a skill and the place it was read from.
type readSkill struct {
	schema.Skill
	at place
}

// nameOnly is the name of a skill that has no id.
func (s readSkill) nameOnly() string {
	if s.ID != "" {
		return ""
	}
	return s.Name
}

// readSkills reads the skills of a card: those it lists, else what describes skills
// among its capabilities.
func readSkills(r *reader, card *members, described []place, s security) []schema.Skill {
	p := card.member("skills")
	r.places["/skills"] = p
	listed := listedSkills(r, p)
	for _, d := range described { // there are none where the card lists skills
		r.assume(d, "the card has no skills; a capability with a description is assumed to be a skill: %s",
			diag.Quote(cmp.Or(wordOf(d, "name", "id", "type"), d.Pointer())))
	}
	listed = append(listed, described...)
	list := make([]readSkill, 0, len(listed))
	for _, at := range listed {
		list = append(list, readSkill{at: at})
		if last := len(list) - 1; !readOneSkill(r, &list[last].Skill, at, s) {
			list = list[:last]
		}
	}
	if !r.Stated {
		completeSkill(r, list)
	}
	return sortedSkills(r, list)
}

// listedSkills returns what stands in the member skills.
func listedSkills(r *reader, p place) []place {
	if p.There() && !p.Node.Is(source.Array) && !p.Node.Empty() {
		r.drop(p, "skills is %s, must be a list, and is left out", p.Node.Kind.Article())
	}
	return slices.Collect(p.List())
}

// readOneSkill reads one skill as far as the document describes it. It reports whether
// there is one.
func readOneSkill(r *reader, skill *schema.Skill, p place, s security) bool {
	if p.Node.Is(source.String) && p.Node.Text != "" {
		skill.Name = p.Node.Text // what it lacks is reported
		return true
	}
	if !p.Node.Is(source.Object) {
		r.drop(p, "%s is not a skill and is left out", p.Node.Kind.Article())
		return false
	}
	m := r.members(p)
	skill.InputModes = readModes(r, m.member("inputModes"))
	skill.OutputModes = readModes(r, m.member("outputModes"))
	readPlain(r, m, schema.SkillMessage, skill, "inputModes", "outputModes")
	if skill.ID == "" && skill.Name == "" {
		skill.ID = r.text(m.member("type"))
	}
	if skill.ID == "" && skill.Name == "" {
		r.drop(p, "a skill has neither id nor name and is left out")
		return false
	}
	skill.Security = readRequirements(r, m, s)
	skill.Extra = m.rest("skills")
	return true
}

// completeSkill supplies what skills lack.
func completeSkill(r *reader, list []readSkill) {
	ids := map[string]int{} // how often an id was taken
	for _, s := range list {
		ids[s.ID]++
	}
	for i := range list {
		s := &list[i].Skill
		var lacks, instead []string
		assume := func(what, value string) string {
			lacks, instead = append(lacks, what), append(instead, diag.Quote(value))
			return value
		}
		if s.ID == "" {
			s.ID = assume("id", freeID(cmp.Or(schema.Slug(s.Name), "skill"), ids))
		}
		if s.Name == "" {
			s.Name = assume("name", s.ID)
		}
		if s.Description == "" {
			s.Description = assume("description", s.Name)
		}
		if len(s.Tags) == 0 {
			s.Tags = []string{assume("tags", "skill")}
		}
		if len(lacks) > 0 {
			r.assume(list[i].at, "the skill %s has no %s, assumed: %s", diag.Quote(s.Name), diag.Enumerate(lacks, "or"),
				diag.Enumerate(instead, "and"))
		}
	}
}

// freeID returns an id that no other skill has, and takes it.
func freeID(id string, taken map[string]int) string {
	free := id
	for taken[free] > 0 {
		taken[id]++
		free = id + "-" + strconv.Itoa(taken[id])
	}
	taken[free]++
	return free
}

// sortedSkills returns the skills by id, and notes their places. Two that are the
// same are one.
func sortedSkills(r *reader, list []readSkill) []schema.Skill {
	slices.SortStableFunc(list, func(a, b readSkill) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.nameOnly(), b.nameOnly()))
	})
	out := slices.Grow([]schema.Skill(nil), len(list))
	var last readSkill
	for _, s := range list {
		if len(out) > 0 && s.ID == last.ID && (s.ID != "" || s.Name == last.Name) {
			if schema.SameSkill(s.Skill, last.Skill) {
				r.repair(s.at, "the skill %s is listed twice, so one is left out", diag.Quote(s.ID))
				continue
			}
			r.report(diag.SkillIDDuplicate, s.at, "give each its own id",
				"two skills have the id %s, so clients cannot distinguish them", diag.Quote(s.ID))
		}
		r.places[fmt.Sprintf("/skills/%d", len(out))] = s.at
		out, last = append(out, s.Skill), s
	}
	return out
}

// readModes reads media types, each once.
func readModes(r *reader, p place) []string {
	var list []string
	seen := map[string]bool{}
	texts, places := r.items(p)
	for i, said := range texts {
		mode := cmp.Or(schema.MediaTypeMeant(said), said)
		switch {
		case mode != said:
			r.repair(places[i], "%s is not a media type; it is read as %q", diag.Quote(said), mode)
		case !jsonschema.IsMediaType(said):
			r.report(diag.ModeNotMIME, places[i], "write it as type/subtype", "%s is not a media type; it is kept",
				diag.Quote(said))
		case seen[mode]:
			r.repair(places[i], "%s is listed twice, so one is left out", diag.Quote(said))
		}
		if !seen[mode] {
			seen[mode] = true
			list = append(list, mode)
		}
	}
	return list
}

// defaultModes reads defaultInputModes or defaultOutputModes. Where a card has
// none, its skills' modes count.
func defaultModes(r *reader, card *members, direction string, skills []schema.Skill) []string {
	name := "default" + direction + "Modes"
	p := card.member(name, strings.ToLower(direction)+"Modes")
	r.places["/"+name] = p
	if list := readModes(r, p); len(list) > 0 || r.Stated {
		return list
	}
	var list []string
	seen := map[string]bool{}
	for i := range skills {
		modes := skills[i].InputModes
		if direction == "Output" {
			modes = skills[i].OutputModes
		}
		for _, mode := range modes {
			if !seen[mode] {
				seen[mode] = true
				list = append(list, mode)
			}
		}
	}
	if len(list) == 0 {
		list = []string{"text/plain"}
	}
	r.assume(p, "the card has no %s, assumed: %s", name, strings.Join(firstFew(list), ", "))
	return list
}
