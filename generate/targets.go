package generate

import (
	"context"

	"cardwright/internal/diag"
	"cardwright/internal/discovery"
)

// checkTargets judges the public card by what the registries of the configuration
// take.
func checkTargets(_ context.Context, w *work) error {
	if len(w.Config.Targets) == 0 || w.incomplete {
		return nil
	}
	d := &w.cards[0]
	card := discovery.Listing{
		Agent: w.agent.ID, Owner: w.agent.Owner, Data: d.file.Data, Root: d.wire,
		Card: discovery.ReadCard(d.file.Data), URL: d.file.URL,
	}
	if card.Card == nil {
		return nil // rules say why
	}
	for i := range w.cards {
		if w.cards[i].legacy {
			card.Older = w.cards[i].file.Data
		}
	}
	for _, name := range w.Config.Targets {
		target, ok := discovery.FindRegistry(name)
		if !ok {
			continue // the schema reports it
		}
		for _, finding := range target.Check(card) {
			finding.Span = w.place(d, finding.Pointer)
			if len(w.Config.Agents) > 1 {
				finding.Message = "agent " + diag.Quote(w.agent.ID) + ": " + finding.Message
			}
			w.report(finding)
		}
	}
	return nil
}
