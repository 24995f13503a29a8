package diag

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:generate go run ruleids_gen.go

// RuleID identifies a rule or a kind of difference: the constants of ruleids.go, in the
// order of their names. The zero value is no rule.
type RuleID uint16

// ruleNames are the names of the constants, sorted.
//
//go:embed ruleids.txt
var ruleNames string

// ids has the names by their ids.
var ids = sync.OnceValue(func() []string { return append([]string{""}, strings.Fields(ruleNames)...) })

// String returns the name of the rule, such as "card-null".
func (r RuleID) String() string { return ids()[r] }

// ParseRuleID returns the rule of that name.
func ParseRuleID(name string) (RuleID, bool) {
	i, found := slices.BinarySearch(ids(), name)
	if !found {
		return 0, false
	}
	return RuleID(i), i > 0 //nolint:gosec // there are a few hundred
}

// MarshalText returns the name of the rule.
func (r RuleID) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
