package generate

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/mapping"
)

// publishes reports whether skills may be published with their files.
func (req *Request) publishes() bool { return len(req.Config.Skills) > 0 }

// publishSkills gathers the files of the skills of the public card that
// agentSkills names.
func publishSkills(_ context.Context, w *work) error {
	publish := w.Config.Skills
	if len(publish) == 0 {
		return nil
	}
	named := newPatterns("agentSkills", publish)
	for _, s := range w.cards[0].skills {
		h, ok := w.skillDirs[s.Origin.File]
		if !ok || named.match(s) == nil {
			continue
		}
		if err := publishSkill(w, s, h); err != nil {
			return err
		}
	}
	w.matched = named.used
	return nil
}

// publishSkill gathers the files of one skill.
func publishSkill(w *work, s *mapping.Skill, h mapping.SkillDir) error {
	skill, found := site.Gather(h.Tree, h.Name, s.Description, w.Ignored)
	w.report(w.notable(found)...)
	if w.counted(found).Worst() == diag.Error {
		return nil
	}
	skill.Agent, skill.Span, skill.Tags = w.agent.ID, s.Origin, s.Tags
	if err := skill.Pack(); err != nil {
		return fmt.Errorf("publishing the skill %q: %w", s.ID, err)
	}
	w.bundles = append(w.bundles, skill)
	return nil
}

// checkPublish reports the patterns of agentSkills that match no skill that can be
// published.
func (r *run) checkPublish() diag.List {
	publish := r.Config.Skills
	if len(publish) == 0 {
		return nil // the skill of another agent may be meant
	}
	all := newPatterns("agentSkills", publish)
	for _, w := range r.agents {
		for i, used := range w.matched {
			all.used[i] = all.used[i] || used
		}
	}
	found := all.faults()
	for i := range found {
		found[i].Severity = max(found[i].Severity, diag.Warning)
		found[i].Hint = cmp.Or(found[i].Hint, "agentSkills takes skills of the public card that have a SKILL.md")
	}
	return found
}

// skillSet joins what the agents of a site publish of skills. A skill that
// several have is published once.
func (r *run) skillSet(members []*work) ([]site.Skill, diag.List) {
	var skills []site.Skill
	var found diag.List
	first := map[string]int{}
	for _, w := range members {
		for _, s := range w.bundles {
			i, taken := first[s.Name]
			if !taken {
				first[s.Name] = len(skills)
				skills = append(skills, s)
				continue
			}
			if other := skills[i]; !sameFiles(other, s) {
				found = append(found, diag.New(diag.AgentSkillsName,
					s.Span, "the agents %q and %q publish different skills under the name %s", other.Agent, s.Agent,
					diag.Quote(s.Name)).
					WithHint("rename one of them, or publish one").
					WithRelated(diag.Related{Span: other.Span, Message: "the other one"}))
			}
		}
	}
	slices.SortStableFunc(skills, func(a, b site.Skill) int { return strings.Compare(a.Name, b.Name) })
	return skills, found
}

func sameFiles(a, b site.Skill) bool {
	return slices.EqualFunc(a.Files, b.Files, func(a, b site.SkillFile) bool {
		return a.Path == b.Path && bytes.Equal(a.Data, b.Data)
	})
}
