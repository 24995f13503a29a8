package lint

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// Rule is one entry of the catalogue.
type Rule struct {
	ID string
	// Severity is what a finding of the rule weighs at most, unless a switch
	// says otherwise. The page of a rule says which of its findings weigh less.
	Severity diag.Severity
	Title    string // one line: what the rule finds
	// Fixed rules cannot be switched: they tell that something could not be
	// read or written at all.
	Fixed bool

	holds versions
	check func(*card) // nil: the findings come from another package
}

// versions is a set of the protocol versions that a card is written for.
type versions uint8

const (
	v10 versions = 1 << iota
	v03
	both = v10 | v03
)

func (v versions) String() string {
	switch v {
	case 0:
		return ""
	case v10:
		return "1.0"
	case v03:
		return "0.3"
	}
	return "1.0 and 0.3"
}

// protocol returns the form of a card that is judged by the rules of v.
func (v versions) protocol() schema.Protocol {
	switch v {
	case v10:
		return schema.V10
	case v03:
		return schema.V03
	}
	return schema.Dual
}

// Rules returns the whole catalogue, sorted by ID.
func Rules() []Rule { return slices.Clone(table) }

// Find returns the rule with the given ID.
func Find(id string) (Rule, bool) {
	i, found := slices.BinarySearchFunc(table, id, func(r Rule, id string) int { return strings.Compare(r.ID, id) })
	if !found {
		return Rule{}, false
	}
	return table[i], true
}

// Protocols returns the protocol versions whose cards the rule judges: none for
// a rule that is not about a card as such. A dual card is judged by the rules
// of both.
func (r Rule) Protocols() []schema.Protocol {
	var list []schema.Protocol
	if r.holds&v10 != 0 {
		list = append(list, schema.V10)
	}
	if r.holds&v03 != 0 {
		list = append(list, schema.V03)
	}
	return list
}
