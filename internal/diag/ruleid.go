package diag

import (
	"fmt"
	"strings"
	"sync"
)

//go:generate go run ruleids_gen.go

// RuleID identifies a rule or a kind of difference: the constants of ruleids.go, in the
// order of their names. The zero value is no rule.
type RuleID uint16

// ruleTable has the names of the rules by their ids, and the reverse.
type ruleTable struct {
	names  []string
	byName map[string]RuleID
}

var ids = sync.OnceValue(func() ruleTable {
	names := append([]string{""}, strings.Fields(ruleNames)...)
	all := ruleTable{names: names, byName: make(map[string]RuleID, len(names))}
	for i, name := range all.names {
		all.byName[name] = RuleID(i)
	}
	return all
})

// String returns the name of the rule, such as "card-null".
func (r RuleID) String() string { return ids().names[r] }

// ParseRuleID returns the rule of that name.
func ParseRuleID(name string) (RuleID, bool) {
	r, ok := ids().byName[name]
	return r, ok && r != 0
}

// MarshalText returns the name of the rule.
func (r RuleID) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the name of a rule.
func (r *RuleID) UnmarshalText(text []byte) error {
	id, ok := ParseRuleID(string(text))
	if !ok {
		return fmt.Errorf("no rule %q", text)
	}
	*r = id
	return nil
}
