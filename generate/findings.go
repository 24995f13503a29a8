package generate

import (
	"context"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
)

// origin says what a finding of an agent is about, and with that what decides
// whether it counts.
type origin uint8

const (
	// ofSource: the sources, and what their cards cannot hold. Configuration and
	// skills switch it.
	ofSource origin = iota
	// ofCard: what rules find in the card. Notes are left out as well, unless they
	// are asked for.
	ofCard
	// ofHouse: what policies find in the card. Neither the configuration of an
	// agent nor a skill silences them.
	ofHouse
	// ofSignature: why a card is not as it was asked for. Nothing silences it.
	ofSignature
)

// findings are the findings of one agent, by origin.
type findings []finding

type finding struct {
	diag.Diagnostic
	origin origin
}

func (f *findings) add(o origin, list ...diag.Diagnostic) {
	for _, d := range list {
		*f = append(*f, finding{d, o})
	}
}

// of returns the findings of an origin.
func (f findings) of(o origin) diag.List {
	var list diag.List
	for _, d := range f {
		if d.origin == o {
			list = append(list, d.Diagnostic)
		}
	}
	return list
}

// costs counts the findings that cost a skill its place on the card, infos aside: what
// the configuration leaves out.
func (f findings) costs() (n int) {
	for _, d := range f {
		if d.Effect == diag.SkillLeftOut && d.Severity > diag.Info {
			n++
		}
	}
	return n
}

// worst is the highest severity of the findings about the sources and the cards.
func (f findings) worst() diag.Severity {
	return max(f.of(ofSource).Worst(), f.of(ofCard).Worst(), f.of(ofHouse).Worst())
}

// report notes what is to be said about the sources.
func (w *work) report(found ...diag.Diagnostic) { w.found.add(ofSource, found...) }

// counted returns findings with the severities that the configuration gives them, or an
// agent.
func counted(rules map[diag.RuleID]diag.Severity, found diag.List) diag.List {
	return lint.Switches{Rules: rules}.Apply(found)
}

// counted returns findings as the rules of the agent make them count.
func (w *work) counted(found diag.List) diag.List { return counted(w.agent.Rules, found) }

// concluded is what remains of an agent when its cards are made: of a thousand
// agents, only what is published has to stay in memory.
type concluded struct {
	found diag.List  // as they count
	named lint.Named // the public card, as far as other cards matter to it
}

// conclude makes the findings count as the configuration wants, and lets go of all that made the cards.
func conclude(_ context.Context, w *work) error {
	sources, cards := w.found.of(ofSource), w.found.of(ofCard)
	if !w.Notes && !w.Strict {
		relax(sources)
	}
	idle := func(d diag.Diagnostic) bool { return d.Severity == diag.Info && !w.Notes }
	cards = slices.DeleteFunc(w.counted(cards), idle)
	w.concluded.found = append(w.counted(sources), cards...)
	w.concluded.found = append(w.concluded.found, slices.Concat(slices.DeleteFunc(w.found.of(ofHouse), idle),
		w.found.of(ofSignature))...)
	if len(w.Config.Agents) > 1 {
		w.concluded.found.OfAgent(w.agent.ID)
	}
	w.concluded.named = w.name()
	w.skills, w.parts, w.found = nil, nil, nil
	for i := range w.cards {
		d := &w.cards[i]
		d.card, d.merged, d.places, d.skills, d.wire = nil, nil, nil, nil, nil
	}
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
