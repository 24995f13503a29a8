package generate

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// dropFaulty leaves out the skills in whose texts a rule finds an error, where the
// configuration wants that. It is a stage of its own so that nothing of such a
// skill gets into what the later ones make.
func dropFaulty(_ context.Context, w *work) error {
	if w.agent.Skills.OnError != config.SkipSkill {
		return nil
	}
	for i := range w.cards {
		d := &w.cards[i]
		out := map[*mapping.Skill]bool{}
		for _, finding := range w.counted(lint.Texts(texts(d.skills))) {
			s, below := d.skillAt(finding.Pointer)
			if finding.Severity != diag.Error || s == nil {
				continue
			}
			if !out[s] && (i == 0 || s.Visibility == mapping.Extended) { // each once
				finding.Span = skillPlace(s, below) // no card is encoded yet
				finding.Severity, finding.Hint = diag.Warning, "fix it to publish the skill"
				w.found.add(ofSignature, finding.LeavesOut())
			}
			out[s] = true
		}
		d.skills = slices.DeleteFunc(slices.Clone(d.skills), // the cards share them
			func(s *mapping.Skill) bool { return out[s] })
		if len(d.skills) == 0 && len(out) > 0 && i == 0 {
			w.reportEmpty(0)
		}
	}
	return nil
}

// texts returns the texts of skills, in the shape of a card.
func texts(skills []*mapping.Skill) *source.Node {
	return source.ObjectOf("skills", source.ListOf(skills, func(s *mapping.Skill) *source.Node {
		return source.ObjectOf(
			"id", s.ID,
			"name", s.Name,
			"description", s.Description,
			"tags", s.Tags,
			"examples", s.Examples,
		)
	}))
}

// skillAt returns the skill of the card that a pointer leads into, nil for none,
// and the pointer within it.
func (d *draft) skillAt(pointer string) (s *mapping.Skill, below string) {
	rest, ok := strings.CutPrefix(pointer, "/skills/")
	if !ok {
		return nil, ""
	}
	index, _, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(d.skills) {
		return nil, ""
	}
	return d.skills[i], rest[len(index):]
}

// waysOut says how to publish the rest of the skills when a rule finds an error
// in the texts of one.
func (w *work) waysOut(d *draft, finding *diag.Diagnostic) {
	s, _ := d.skillAt(finding.Pointer)
	if finding.Severity != diag.Error || !lint.IsText(finding.Rule) || s == nil {
		return
	}
	skip := "skills.onError: skip"
	if w.fromFlags() {
		skip = "--on-skill-error skip"
	}
	finding.Hint += "; " + skip + " leaves the skill out"
	if !w.fromFlags() && strings.HasPrefix(finding.Rule, "text-") {
		finding.Hint += ", and rules: {" + finding.Rule + ": warning} publishes it"
	}
}
