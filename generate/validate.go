package generate

import (
	"context"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
)

// validate holds the cards against the JSON Schemas and the rules of their
// protocol version, and puts each fault at the place in the source that caused
// it. The extended card repeats the public one, and what was told of that is
// not told again.
func validate(_ context.Context, w *work) error {
	type fault struct {
		rule, message string
		span          diag.Span
	}
	told := map[fault]bool{}
	options := lint.Options{Keep: w.rules(), Least: diag.Warning}
	if w.Notes {
		options.Least = diag.Info
	}
	for i := range w.cards {
		d := &w.cards[i]
		options.Protocol = d.card.Protocol()
		for _, finding := range lint.Card(d.wire, options) {
			if w.incomplete && lacks(finding) {
				continue // told already, in the words of the configuration
			}
			if finding.Rule == "signature-missing" && len(w.agent.Signing) > 0 {
				continue // it comes behind the rules
			}
			finding.Span = d.origin(w.agent, finding.Pointer)
			for j := range finding.Related {
				finding.Related[j].Span = d.origin(w.agent, finding.Related[j].Pointer)
			}
			if f := (fault{finding.Rule, finding.Message, finding.Span}); !told[f] || !d.extended {
				told[f] = true
				w.judged = append(w.judged, finding)
			}
		}
	}
	return nil
}

// lacks tells of a finding that it is about a missing member of the card.
func lacks(d diag.Diagnostic) bool {
	switch d.Rule {
	case "card-member-missing", "card-version-unknown", "interface-none":
		return strings.LastIndexByte(d.Pointer, '/') <= 0
	}
	return false
}
