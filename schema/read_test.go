package schema_test

import (
	"slices"
	"testing"

	"cardwright/internal/source"
	"cardwright/schema"
)

func TestRead(t *testing.T) {
	root, found := source.ParseJSON("card.json", []byte(`{
		"name": "A", "url": "https://a.example", "preferredTransport": "JSONRPC", "supportsAuthenticatedExtendedCard": true,
		"skills": [{"id": "b", "name": "B"}, {"id": "a", "name": "A"}], "other": 1}`))
	if found != nil {
		t.Fatal(found)
	}
	card, interfaces, skills := schema.Read(root, schema.V03)
	if card.Name != "A" || len(card.Interfaces) != 1 || len(interfaces) != 1 || card.Skills[0].ID != "a" ||
		!slices.Equal(skills, []string{"/skills/1", "/skills/0"}) {
		t.Errorf("got %+v %v %v", card, interfaces, skills)
	}
	if flag := card.Capabilities.ExtendedAgentCard; flag == nil || !*flag {
		t.Error("the flag of 0.3 is not read")
	}
	newer, _, _ := schema.Read(root, schema.V10)
	if newer.Capabilities.ExtendedAgentCard != nil || len(newer.Interfaces) != 0 {
		t.Errorf("as 1.0: %+v", newer)
	}
}
