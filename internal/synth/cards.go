package synth

import (
	"fmt"
	"strings"

	"cardwright/schema"
)

// Cards returns n cards with some skills each, for a catalog of many agents.
// Every text is about as long as on a real card.
func Cards(n, skills int) []*schema.Card {
	cards := make([]*schema.Card, 0, n)
	for i := range n {
		c := &schema.Card{
			Name: fmt.Sprintf("Harbour office %d", i),
			Description: strings.Repeat(
				"Looks after the boats that call at the harbour, and knows where each of them lies. ", 3),
			Interfaces: []schema.Interface{{
				URL: fmt.Sprintf("https://harbour.example/office/%d", i), Binding: "JSONRPC",
				Version: "1.0",
			}},
			Provider:        &schema.Provider{Organization: "Harbour of the Isle", URL: "https://harbour.example"},
			Version:         fmt.Sprintf("1.%d.0", i),
			SecuritySchemes: map[string]schema.SecurityScheme{"key": {Type: schema.APIKey, In: "header", Name: "X-API-Key"}},
			Security:        []schema.Requirement{{"key": nil}},
			InputModes:      []string{"text/plain", "application/json"},
			OutputModes:     []string{"text/plain", "application/json"},
		}
		for s := range skills {
			c.Skills = append(c.Skills, schema.Skill{
				ID:          fmt.Sprintf("task-%02d", s),
				Name:        fmt.Sprintf("Task %d of office %d", s, i),
				Description: strings.Repeat("Finds a berth for a boat by its length, its draught and the tide of the day. ", 2),
				Tags:        []string{"harbour", fmt.Sprintf("task-%d", s), fmt.Sprintf("quay-%d", i%100)},
				Examples:    []string{"Where can a boat of 12 metres lie tonight?", "When is high water tomorrow?"},
			})
		}
		cards = append(cards, c)
	}
	return cards
}
