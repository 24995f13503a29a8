package diff

import (
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Comparison is what differs between two versions of an agent.
type Comparison struct {
	Agent    string       // id, "" where two cards are compared and not two trees
	Old, New *schema.Card // nil for an agent that is new or gone
	Changes  []Change     // in the order of [Cards]
}

// Agents compares two trees of cards, by the ids of their agents. The
// comparisons are sorted by id.
func Agents(older, newer map[string]Side) []Comparison {
	ids := slices.Sorted(func(yield func(string) bool) {
		for id := range older {
			if !yield(id) {
				return
			}
		}
		for id := range newer {
			if _, both := older[id]; !both && !yield(id) {
				return
			}
		}
	})
	out := make([]Comparison, len(ids))
	for i, id := range ids {
		out[i] = compare(id, older[id], newer[id])
	}
	return out
}

func compare(id string, before, after Side) Comparison {
	older, newer := before.Card, after.Card
	c := Comparison{Agent: id, Old: older, New: newer}
	switch {
	case older == nil:
		c.Changes = judged([]Change{{
			Rule: "agent-added", New: source.NewText(newer.Name), About: newer.Description,
			Message: fmt.Sprintf("the agent %s is new", diag.Quote(newer.Name)),
		}})
	case newer == nil:
		c.Changes = judged([]Change{{
			Rule: "agent-removed", Old: source.NewText(older.Name),
			Message: fmt.Sprintf("the agent %s is gone", diag.Quote(older.Name)),
		}})
	default:
		c.Changes = Documents(before, after)
	}
	for i := range c.Changes {
		c.Changes[i].Agent = id
	}
	return c
}

// All returns the changes of all agents, the worst first.
func All(list []Comparison) []Change {
	var all []Change
	for _, c := range list {
		all = append(all, c.Changes...)
	}
	return arranged(all)
}
