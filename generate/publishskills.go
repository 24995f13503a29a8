package generate

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/config"
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
	public := map[string]bool{}
	for _, s := range w.cards[0].skills {
		public[s.ID] = true
		pattern := named.match(s)
		if pattern == nil {
			continue
		}
		h, ok := w.homes[s.Origin.File]
		if !ok {
			w.unpublished(s, pattern, "it has no directory with a SKILL.md")
			continue
		}
		if err := w.publishSkill(s, h); err != nil {
			return err
		}
	}
	for i := range w.skills {
		if s := &w.skills[i]; !public[s.ID] {
			if pattern := named.match(s); pattern != nil {
				w.unpublished(s, pattern, "it is not on the public card")
			}
		}
	}
	w.matched = named.Used
	return nil
}

// unpublished notes a skill that publish names and that the agent does not publish:
// a pattern with wildcards may well mean others.
func (w *work) unpublished(s *mapping.Skill, pattern *config.Text, why string) {
	severity := diag.Info
	if pattern.Value == s.ID {
		severity = diag.Warning
	}
	d := diag.New(diag.AgentSkillsUnpublished, s.Origin, "the skill %s is not published with its files: %s",
		diag.Quote(s.ID), why)
	w.unbundled = append(w.unbundled, unpublishedSkill{s.ID, d.WithSeverity(severity).
		WithRelated(diag.Related{Span: pattern.Span, Message: "the pattern " + diag.Quote(pattern.Value)})})
}

// unpublishedSkill is a skill that an agent does not publish, and what is said of it if
// no other agent does either.
type unpublishedSkill struct {
	id    string
	found diag.Diagnostic
}

// publishSkill gathers the files of one skill.
func (w *work) publishSkill(s *mapping.Skill, h mapping.Home) error {
	skill, found := site.Gather(h.Tree, h.Name, site.GatherOptions{
		Description: s.Description, Ignored: w.Ignored,
	})
	w.report(w.worthwhile(found)...)
	if w.counted(found).Worst() == diag.Error {
		return nil
	}
	skill.Agent, skill.Span, skill.Tags = w.agent.ID, s.Origin, s.Tags
	if err := skill.Pack(); err != nil {
		return fmt.Errorf("publishing the skill %q: %w", s.ID, err)
	}
	w.bundles, w.bundled = append(w.bundles, skill), append(w.bundled, s.ID)
	return nil
}

// checkPublish reports the patterns of agentSkills that match no skill.
func (r *run) checkPublish() diag.List {
	publish := r.Config.Skills
	if len(publish) == 0 {
		return nil // the skill of another agent may be meant
	}
	all := newPatterns("agentSkills", publish)
	said := map[string]bool{} // by id: published, or reported
	for _, w := range r.agents {
		for i, used := range w.matched {
			all.Used[i] = all.Used[i] || used
		}
		for _, id := range w.bundled {
			said[id] = true
		}
	}
	found := all.faults()
	for i := range found {
		found[i].Severity = max(found[i].Severity, diag.Warning)
	}
	for _, w := range r.agents {
		for _, p := range w.unbundled {
			if !said[p.id] {
				found = append(found, p.found)
			}
			said[p.id] = true
		}
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
				found = append(found, diag.New(diag.AgentSkillsDuplicate,
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
