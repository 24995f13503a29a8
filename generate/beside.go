package generate

import (
	"bytes"
	"context"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// beside judges the cards by what shows only beside other cards: those of the
// other agents.
func beside(agents []*work) diag.List {
	var cards []lint.Named
	for _, w := range agents {
		cards = append(cards, w.named)
	}
	return lint.Tree(cards)
}

// name is the public card, as far as other cards matter to it.
func (w *work) name() lint.Named {
	d := &w.cards[0]
	name := &source.Node{Kind: source.String, Text: d.card.Name, Span: d.origin(w.agent, "/name")}
	return lint.Named{
		Agent: w.agent.ID,
		Card:  &source.Node{Kind: source.Object, Members: []source.Member{{Key: "name", Value: name}}},
		Rules: w.rules(),
	}
}

// succeed judges each card against the one that it takes the place of. Cards of
// equal bytes are the rule, so nothing is parsed before they are compared. A card
// with faults is not published, and lacks the skills that could not be read.
func succeed(_ context.Context, w *work) error {
	bad := diag.Error
	if w.Strict {
		bad = diag.Warning
	}
	if w.Base == nil || max(w.found.Worst(), w.judged.Worst()) >= bad {
		return nil
	}
	for i := range w.cards {
		d := &w.cards[i]
		name := w.cardPath(d)
		data := w.Base(d.extended, name)
		if data == nil || bytes.Equal(data, d.file.Data) {
			continue
		}
		base, _ := source.ParseJSON(name, data, w.Config.Limits)
		if !base.Is(source.Object) {
			continue // publishing tells what stands there
		}
		for _, finding := range lint.Successor(d.wire, base) {
			finding.Span = d.origin(w.agent, finding.Pointer)
			w.judged = append(w.judged, finding)
		}
	}
	return nil
}
