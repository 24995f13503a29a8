package probe

import (
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/source"
)

// LintCard judges a card as it came from its host.
func LintCard(card []byte) diag.List {
	root, found := source.ParseJSON("", card, source.Limits{})
	return append(found, lint.Card(root, lint.Options{})...)
}

// SignatureFault returns what says why no signature of a card is good, "" when one is.
func SignatureFault(trust sign.Trust) func(card []byte) string {
	return func(card []byte) string {
		switch verdict, _, found := sign.Verify("", card, trust); verdict {
		case sign.Verified:
			return ""
		case sign.Unsigned:
			return "the card has no signature"
		default:
			return found[0].Message
		}
	}
}
