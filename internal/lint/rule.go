package lint

import (
	"cmp"
	"slices"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// Rule is one entry of the catalog, with what it means for cards.
type Rule struct {
	diag.Rule
	holds versions
	check func(*card) // nil: the findings come from another package
}

// Rules returns the whole catalog, sorted by ID.
func Rules() []Rule { return slices.Clone(table) }

// Find returns the rule of that name.
func Find(name string) (Rule, bool) {
	id, _ := diag.ParseRuleID(name)
	i, found := slices.BinarySearchFunc(table, id, func(r Rule, id diag.RuleID) int { return cmp.Compare(r.ID, id) })
	if !found {
		return Rule{}, false
	}
	return table[i], true
}

// Protocols returns the protocol versions whose cards the rule judges: none for
// a rule that is not about a card as such. A dual card is judged by the rules
// of both.
func (r Rule) Protocols() []schema.Protocol { return r.holds.Versions() }

// Known returns a usage error for the first of the ids that no rule has.
func Known(ids ...string) error {
	for _, id := range ids {
		if _, ok := Find(id); ok {
			continue
		}
		return diag.UsageError(diag.Hint(id, diag.RuleNames(), "run cardwright rules for a list"), "there is no rule %s",
			diag.Quote(id))
	}
	return nil
}
