package generate

import (
	"bytes"
	"context"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// checkAgents checks the cards against the other agents' cards.
func checkAgents(_ context.Context, r *run) error {
	var cards []lint.Named
	for _, w := range r.agents {
		cards = append(cards, w.named)
	}
	r.found = append(r.found, lint.Tree(cards)...) // that count by the rules of each agent
	return nil
}

// name is the public card, as far as other cards matter to it.
func (w *work) name() lint.Named {
	d := &w.cards[0]
	name := &source.Node{Kind: source.String, Text: d.card.Name, Span: w.spanOf(d, "/name")}
	return lint.Named{
		Agent:   w.agent.ID,
		Card:    &source.Node{Kind: source.Object, Members: []source.Member{{Key: "name", Value: name}}},
		Counted: w.counted,
	}
}

// checkSuccessor judges each card by the one that it replaces. Cards of equal
// bytes are the rule, so nothing is parsed before they are compared. A card with
// faults is not published, and lacks the skills that could not be read.
func checkSuccessor(_ context.Context, w *work) error {
	bad := diag.Error
	if w.Strict {
		bad = diag.Warning
	}
	if w.Base == nil || w.found.Worst() >= bad {
		return nil
	}
	for i := range w.cards {
		d := &w.cards[i]
		name := w.cardPath(d)
		data := w.Base.File(d.extended, name)
		if data == nil || bytes.Equal(data, d.file.Data) {
			continue
		}
		base, _ := source.ParseJSON(name, data)
		if !base.Is(source.Object) {
			continue // publishing reports what stands there
		}
		for _, finding := range lint.Successor(d.wire, base) {
			finding.Span = w.spanOf(d, finding.Pointer)
			w.reportCard(finding)
		}
	}
	return nil
}
