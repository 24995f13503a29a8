package convert_test

import (
	"testing"

	"cardwright/internal/convert"
)

// What says no more than yes or no describes no skill.
func TestFlagsAreNoSkills(t *testing.T) {
	for entry, want := range map[string]int{
		`{"type": "shaking", "description": "no"}`:                                                0,
		`{"type": "shaking", "description": "true"}`:                                              0,
		`{"type": "shaking", "description": "Shakes an agent"}`:                                   1,
		`{"type": "shaking", "description": "No"}, {"type": "streaming", "description": "false"}`: 0,
	} {
		card := `{"name": "Desk", "url": "https://desk.acme.example/a2a", "capabilities": [` + entry + `]}`
		r := read(t, card, convert.ReadOptions{})
		if got := len(r.Card.Skills); got != want {
			t.Errorf("%s: %d skills, want %d", entry, got, want)
		}
	}
}

// An entry of a list of capabilities claims its own unless its description is a
// word that denies it, as Agent Shaker writes it.
func TestDeniedCapabilities(t *testing.T) {
	for entry, want := range map[string]bool{
		`{"type": "streaming", "description": "false"}`:             false,
		`{"type": "streaming", "description": "0"}`:                 false,
		`{"type": "streaming", "description": "no"}`:                false,
		`{"type": "streaming", "description": "true"}`:              true,
		`{"type": "streaming", "description": "Sends tokens"}`:      true,
		`{"type": "streaming", "description": "No waiting at all"}`: true,
		`"streaming"`: true,
	} {
		card := `{"name": "Desk", "url": "https://desk.acme.example/a2a", "capabilities": [` + entry + `]}`
		r := read(t, card, convert.ReadOptions{})
		if got := r.Card.Capabilities.Streaming; got == nil || *got != want {
			t.Errorf("%s: streaming is %v, want %t", entry, got, want)
		}
	}
}
