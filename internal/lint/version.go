package lint

import (
	"strings"

	"cardwright/internal/source"
	"cardwright/schema"
)

// Older is the form of cards before 0.3, which have the shape of 0.3 with the
// authentication member of 0.1 and 0.2. They are judged by the rules of 0.3.
const Older schema.Protocol = "0.2"

// Version tells which protocol version a card is written for. The shape tells:
// what protocolVersion claims is missing from half of all real cards and wrong
// in many others. When the card has neither the interfaces of 1.0 nor the url
// of 0.3, Version guesses from its other members and returns false.
func Version(card *source.Node) (schema.Protocol, bool) {
	listed := card.Get("supportedInterfaces") != nil || card.Get("supported_interfaces") != nil
	main := hasAny(card, "url", "preferredTransport", "additionalInterfaces")
	switch {
	case listed && main && lists03(card):
		return schema.Dual, true
	case listed:
		return schema.V10, true
	case main && card.Get("authentication") != nil && card.Get("securitySchemes") == nil:
		return Older, true
	case main:
		return schema.V03, true
	case hasAny(card, "security", "supportsAuthenticatedExtendedCard") || claims(card, "0."):
		return schema.V03, false
	}
	return schema.V10, false
}

func hasAny(n *source.Node, keys ...string) bool {
	for _, key := range keys {
		if n.Get(key) != nil {
			return true
		}
	}
	return false
}

// lists03 tells whether an interface of the card serves 0.3 clients.
func lists03(card *source.Node) bool {
	for e := range rootPlace(card).get("supportedInterfaces").items() {
		if strings.HasPrefix(e.get("protocolVersion").text(), "0.") {
			return true
		}
	}
	return false
}

// claims tells whether the card's own protocolVersion begins with prefix.
func claims(card *source.Node, prefix string) bool {
	v := card.Get("protocolVersion")
	return v.Is(source.String) && strings.HasPrefix(v.Text, prefix)
}

func judgedBy(card *source.Node, forced schema.Protocol) versions {
	p := forced
	if p == "" {
		p, _ = Version(card)
	}
	switch p {
	case schema.V10:
		return v10
	case schema.Dual:
		return both
	}
	return v03
}
