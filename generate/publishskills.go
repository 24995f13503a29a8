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
func (req *Request) publishes() bool { return len(req.Config.Skills.Publish) > 0 }

// publishSkills gathers the files of the skills of the public card that
// agentSkills.publish names.
func publishSkills(_ context.Context, w *work) error {
	publish := w.Config.Skills.Publish
	if len(publish) == 0 {
		return nil
	}
	named := newPatterns("agentSkills.publish", publish)
	public := map[string]bool{}
	for _, s := range w.cards[0].skills {
		public[s.ID] = true
		pattern := named.match(s.ID)
		if pattern == nil {
			continue
		}
		h, ok := w.homes[s.Origin.File]
		if !ok {
			w.unpublished(s, pattern, "it has no directory with a SKILL.md")
			continue
		}
		if err := w.publishSkill(s, pattern, h); err != nil {
			return err
		}
	}
	for i := range w.skills {
		if s := &w.skills[i]; !public[s.ID] {
			if pattern := named.match(s.ID); pattern != nil {
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
	d := diag.New("agent-skills-unpublished", s.Origin, "the skill %s is not published with its files: %s",
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

// publishSkill gathers the files of one skill. What the text rules find in them
// stops the run.
func (w *work) publishSkill(s *mapping.Skill, pattern *config.Text, h mapping.Home) error {
	d := site.Gather(h.Tree, h.Name, site.Options{
		Limits: w.Config.Limits, Format: site.Format(w.Config.Skills.Format),
		Ignored: w.Ignored,
	})
	texts := slices.DeleteFunc(d.Texts(), func(f diag.Diagnostic) bool { return f.Severity == diag.Info && !w.Notes })
	w.report(texts...)
	d.Skill.Agent, d.Skill.Span = w.agent.ID, s.Origin
	d.Skill.Title, d.Skill.Tags, d.Skill.Examples = s.Name, s.Tags, s.Examples
	switch {
	case d.Skill.Name == "" && d.Found.Worst() < diag.Error:
		w.unpublished(s, pattern, "its SKILL.md is left out")
	case d.Found.Worst() < diag.Error:
		if err := d.Pack(); err != nil {
			return fmt.Errorf("publishing the skill %q: %w", s.ID, err)
		}
		w.bundles = append(w.bundles, d.Skill)
		w.bundled = append(w.bundled, s.ID)
	}
	w.report(d.Found...)
	return nil
}

// checkPublish reports the patterns of agentSkills.publish that match no skill.
func (r *run) checkPublish() diag.List {
	publish := r.Config.Skills.Publish
	if len(publish) == 0 {
		return nil // the skill of another agent may be meant
	}
	all := newPatterns("agentSkills.publish", publish)
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
func (r *run) skillSet(members []*work) (site.SkillSet, diag.List) {
	c := r.Config
	set := site.SkillSet{Format: site.Format(c.Skills.Format), Legacy: c.Skills.Legacy, AtRoot: atRoot(c)}
	var found diag.List
	first := map[string]int{}
	for _, w := range members {
		for _, s := range w.bundles {
			i, taken := first[s.Name]
			if !taken {
				first[s.Name] = len(set.Skills)
				set.Skills = append(set.Skills, s)
				continue
			}
			if other := set.Skills[i]; !sameFiles(other, s) {
				found = append(found, diag.New("agent-skills-duplicate",
					s.Span, "the agents %q and %q publish different skills under the name %s", other.Agent, s.Agent,
					diag.Quote(s.Name)).
					WithHint("rename one of them, or publish one").
					WithRelated(diag.Related{Span: other.Span, Message: "the other one"}))
			}
		}
	}
	slices.SortStableFunc(set.Skills, func(a, b site.Skill) int { return strings.Compare(a.Name, b.Name) })
	return set, found
}

func sameFiles(a, b site.Skill) bool {
	return slices.EqualFunc(a.Files, b.Files, func(a, b site.SkillFile) bool {
		return a.Path == b.Path &&
			bytes.Equal(a.Data, b.Data)
	}) && bytes.Equal(a.Packed, b.Packed)
}

// atRoot reports whether the sites are at the roots of their hosts.
func atRoot(c *config.Config) bool {
	if c.Layout == config.Host {
		return true
	}
	_, rest, ok := strings.Cut(c.BaseURL, "://")
	return ok && !strings.Contains(rest, "/")
}
