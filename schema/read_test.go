package schema_test

import (
	"slices"
	"testing"

	"cardwright/schema"
)

func TestRead(t *testing.T) {
	root := parse(t, `{
		"name": "A", "url": "https://a.example", "preferredTransport": "JSONRPC", "supportsAuthenticatedExtendedCard": true,
		"additionalInterfaces": [{"url": "https://b.example", "transport": "GRPC"}],
		"skills": [{"id": "b", "name": "B"}, {"id": "a", "name": "A"}], "other": 1}`)
	card, interfaces := schema.Read(root, schema.V03)
	if card.Name != "A" || len(card.Interfaces) != 2 || card.Skills[1].ID != "a" ||
		!slices.Equal(interfaces, []string{"/url", "/additionalInterfaces/0"}) {
		t.Errorf("got %+v %v", card, interfaces)
	}
	if flag := card.Capabilities.ExtendedAgentCard; flag == nil || !*flag {
		t.Error("the flag of 0.3 is not read")
	}
	newer, _ := schema.Read(root, schema.V10)
	if newer.Capabilities.ExtendedAgentCard != nil || len(newer.Interfaces) != 0 {
		t.Errorf("as 1.0: %+v", newer)
	}
}
