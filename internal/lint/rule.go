package lint

import (
	"cmp"
	"embed" // the pages
	"slices"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// Rule is one entry of the catalog, with what it means for cards.
type Rule struct {
	diag.Rule
	holds versions    // whose cards it is about
	check func(*card) // nil: the findings are about the shape, or come from another package
}

// Rules returns the whole catalog, sorted by ID.
func Rules() []Rule { return slices.Clone(table) }

// Find returns the rule of that name, or a usage error.
func Find(name string) (Rule, error) {
	id, _ := diag.ParseRuleID(name)
	i, found := slices.BinarySearchFunc(table, id, func(r Rule, id diag.RuleID) int { return cmp.Compare(r.ID, id) })
	if !found {
		return Rule{}, diag.UsageError(diag.Hint(name, diag.RuleNames(), "run cardwright rules for a list"),
			"there is no rule %s", diag.Quote(name))
	}
	return table[i], nil
}

// Protocols returns the protocol versions whose cards the rule checks: none for
// a rule that is not about a card as such. A dual card is checked by the rules
// of both.
func (r Rule) Protocols() []schema.Protocol { return r.holds.Versions() }

//go:embed doc/*.md
var pages embed.FS

// Page returns what there is to say about the rule, as Markdown: why it exists,
// a failing and a passing example, how to fix a finding, and its source.
func (r Rule) Page() string {
	text, _ := pages.ReadFile("doc/" + r.ID.String() + ".md") // a test demands one for every rule
	return string(text)
}

// Summary returns in one line how severe a finding of the rule is, and what it is
// about.
func (r Rule) Summary() string {
	s := r.Severity.String()
	if r.holds != 0 {
		s += ", cards of " + r.holds.Text()
	}
	if r.Fixed {
		s += ", cannot be switched off"
	}
	if r.Optional {
		s += ", off unless `rules` names it"
	}
	return s
}
