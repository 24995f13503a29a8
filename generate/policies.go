package generate

import (
	"context"

	"cardwright/internal/diag"
)

// checkPolicies judges the cards by the house rules. The extended card repeats the
// public one, and what is said of that is not said again.
func checkPolicies(_ context.Context, w *work) error {
	type fault struct {
		rule, hint string
		span       diag.Span
	}
	said := map[fault]bool{}
	for _, p := range w.agent.Policies {
		rule, found := w.policies.Get(p)
		w.found.add(ofSignature, found...)
		if rule == nil {
			continue
		}
		for i := range w.cards {
			d := &w.cards[i]
			for _, finding := range rule.Judge(d.wire) {
				finding.Span = w.place(d, finding.Pointer)
				f := fault{finding.Rule, finding.Hint, finding.Span}
				if !said[f] || !d.extended {
					w.found.add(ofHouse, finding)
				}
				said[f] = true
			}
		}
	}
	return nil
}
