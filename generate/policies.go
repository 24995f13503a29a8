package generate

import (
	"context"

	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
)

// checkPolicies judges the cards by the house rules. The extended card repeats the
// public one, and what is said of that is not said again.
func checkPolicies(ctx context.Context, w *work) error {
	type fault struct {
		rule, hint string
		span       diag.Span
	}
	said := map[fault]bool{}
	for _, p := range w.agent.Policies {
		rule, found := w.policies.get(p)
		w.found.add(ofSignature, found...)
		if rule == nil {
			continue
		}
		for i := range w.cards {
			d := &w.cards[i]
			judged, err := rule.Judge(ctx, d.wire)
			if err != nil {
				return err
			}
			for _, finding := range judged {
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

// tooMuchMatched is the finding about a run that [jsonschema.ErrMatched] has ended.
// It is the only one: how far the agents got is up to the scheduler.
func tooMuchMatched(req *Request) diag.List {
	return diag.List{diag.New("config-value", firstPlace(req.Config.Node, "/policies"), "%s", jsonschema.ErrMatched).
		WithHint("use smaller patterns in the schemas of the policies")}
}
