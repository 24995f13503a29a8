package lint

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/source"
	"cardwright/schema"
)

// Version returns the protocol versions that a card is written for, by its shape:
// what protocolVersion claims is missing from half of all real cards and wrong
// in many others. Cards before 0.3 have its shape. When the card has neither the
// interfaces of 1.0 nor the url of 0.3, Version guesses from its other members
// and returns false.
func Version(card *source.Node) (schema.Protocol, bool) {
	listed := card.Get("supportedInterfaces") != nil || card.Get("supported_interfaces") != nil
	main := card.HasAny("url", "preferredTransport", "additionalInterfaces")
	if list := card.Get("supportedInterfaces"); list != nil && list.Empty() && main {
		listed = false // an empty list says less than the url beside it
	}
	stated := cmp.Or(schema.Stated(card)&v10, schema.Assumed)
	switch {
	case listed && main && lists03(card):
		return stated | v03, true
	case listed:
		return stated, true
	case main:
		return v03, true
	case card.HasAny("security", "supportsAuthenticatedExtendedCard") || claims(card, "0."):
		return v03, false
	}
	return schema.Assumed, false
}

// lists03 reports whether an interface of the card serves 0.3 clients.
func lists03(card *source.Node) bool {
	return slices.ContainsFunc(card.Get("supportedInterfaces").Elements(), func(e *source.Node) bool {
		return strings.HasPrefix(e.Get("protocolVersion").Word(), "0.")
	})
}

// claims reports whether the card's own protocolVersion begins with prefix.
func claims(card *source.Node, prefix string) bool {
	return strings.HasPrefix(card.Get("protocolVersion").Word(), prefix)
}

func versionsOf(card *source.Node, forced schema.Protocol) versions {
	stated, _ := Version(card)
	return cmp.Or(forced, stated)
}
