package convert_test

import (
	"testing"

	"cardwright/internal/convert"
)

// An entry of a list of capabilities claims its own unless its description is a word that
// denies it, as Agent Shaker writes it. What says no more than yes or no describes no skill.
func TestCapabilitiesOfLists(t *testing.T) {
	for _, tt := range []struct {
		entry     string
		streaming string // "" for absent
		skills    int
	}{
		{`{"type": "streaming", "description": "0"}`, "false", 0},
		{`{"type": "streaming", "description": "true"}`, "true", 0},
		{`{"type": "streaming", "description": "No waiting at all"}`, "true", 0},
		{`"streaming"`, "true", 0},
		{`{"type": "shaking", "description": "no"}`, "", 0},
		{`{"type": "shaking", "description": "Shakes an agent"}`, "", 1},
	} {
		c := read(t, `{"name": "Desk", "url": "https://desk.acme.example/a2a", "capabilities": [`+tt.entry+`]}`,
			convert.ReadOptions{}).Card
		streaming := ""
		if flag := c.Capabilities.Streaming; flag != nil {
			streaming = map[bool]string{true: "true", false: "false"}[*flag]
		}
		if streaming != tt.streaming || len(c.Skills) != tt.skills {
			t.Errorf("%s: streaming %q, %d skills", tt.entry, streaming, len(c.Skills))
		}
	}
}
