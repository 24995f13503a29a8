package probe

import (
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/source"
)

// LintCard judges a card as it came from its host.
func LintCard(card []byte) diag.List {
	root, found := source.ParseJSON("", card, source.Limits{})
	return append(found, lint.Card(root, lint.Options{})...)
}

// CardLinks returns the links of a card as it came from its host.
func CardLinks(data []byte) []Link {
	root, _ := source.ParseJSON("", data, source.Limits{})
	card := dialect.Read(root, dialect.ReadOptions{}).Card
	if card == nil {
		return nil
	}
	var links []Link
	add := func(kind LinkKind, urls ...string) {
		for _, u := range urls {
			if u != "" {
				links = append(links, Link{Kind: kind, URL: u})
			}
		}
	}
	add(Documentation, card.DocumentationURL)
	for _, name := range slices.Sorted(maps.Keys(card.SecuritySchemes)) {
		s := card.SecuritySchemes[name]
		add(Metadata, s.OpenIDConnectURL, s.OAuth2MetadataURL)
		for _, flow := range s.Flows {
			add(Token, flow.TokenURL, flow.RefreshURL)
		}
	}
	return links
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
