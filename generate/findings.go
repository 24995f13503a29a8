package generate

import (
	"context"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
)

// fault is what makes two findings about the cards of an agent the same.
type fault struct {
	rule    diag.RuleID
	message string
	span    diag.Span
}

// report adds findings about the sources, and about what their cards cannot hold, as the
// rules of the agent make them count.
func (w *work) report(found ...diag.Diagnostic) {
	if !w.Notes && !w.Strict {
		relax(found)
	}
	w.found = append(w.found, w.counted(found)...)
}

// reportCard adds what is found in the cards of the agent, as its rules make it count. The extended card repeats the
// public one, and what is reported for that is not reported again.
func (w *work) reportCard(found ...diag.Diagnostic) {
	for _, d := range w.notable(w.counted(found)) {
		if f := (fault{d.Rule, d.Message, d.Span}); !w.faults[f] {
			w.faults[f] = true
			w.found = append(w.found, d)
		}
	}
}

// notable returns the findings that the run is to report.
func (req *Request) notable(found diag.List) diag.List {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		return d.Severity == diag.Info && !req.Notes
	})
}

// counted returns findings as the rules of the agent make them count.
func (w *work) counted(found diag.List) diag.List {
	return lint.Switches{Rules: w.agent.Rules}.Apply(found)
}

// countLeftOut counts the findings that cost a skill its place on the card, infos aside: what
// the configuration leaves out.
func (w *work) countLeftOut() (n int) {
	for _, d := range w.found {
		if d.Effect == diag.SkillLeftOut && d.Severity > diag.Info {
			n++
		}
	}
	return n
}

// conclude lets go of all that made the cards: of a thousand agents, only what is published
// has to stay in memory.
func conclude(_ context.Context, w *work) error {
	if len(w.Config.Agents) > 1 {
		w.found.OfAgent(w.agent.ID)
	}
	w.named = w.name()
	w.skills, w.parts, w.forPublic, w.forExtended, w.faults = nil, nil, nil, nil, nil
	for i := range w.cards {
		d := &w.cards[i]
		d.card, d.merged, d.origins, d.skills, d.wire = nil, nil, nil, nil, nil
	}
	return nil
}

// joinFindings joins the findings that are the same for several agents.
func joinFindings(_ context.Context, r *run) error {
	r.found = r.found.Named()
	return nil
}

// relax makes findings info that are about the style of Agent Skills only: the card is
// what it should be. Those who ask for all that is worth knowing get warnings.
func relax(found diag.List) {
	for i, d := range found {
		switch d.Rule {
		case diag.SourceNameDirectory, diag.SourceNameFormat, diag.SourceDescriptionLong:
			found[i].Severity = min(d.Severity, diag.Info)
		}
	}
}
