package lint

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// check says whose cards a rule judges, and how.
type check struct {
	rule  diag.RuleID
	holds versions
	run   func(*card) // nil: the findings come from elsewhere; without holds: it judges catalogs
}

// versions is the set of protocol versions that a card is written for.
type versions = schema.Protocol

// The families of versions, whose forms of a card are worlds apart.
const (
	v10  = schema.Listed
	v03  = schema.Flat
	both = schema.All
)

// beyond are the rules about cards that look at more than the nodes of one.
var beyond = []check{
	{diag.CardDuplicateMember, both, nil},
	{diag.CardInvalidUTF8, both, nil},
	{diag.CardNameDuplicate, both, nil},
	{diag.CardVersionUnchanged, both, nil},
	{diag.SignatureCanonicalHazard, v10, nil},
	{diag.SignatureInvalid, both, nil},
}

// table is the catalog, each rule with its check.
var table = catalog(slices.Concat(
	beyond, ambiguousChecks, capabilitiesChecks, documentChecks, faultsChecks, flowsChecks, identityChecks,
	interfacesChecks, leaksChecks, misfitChecks, numbersChecks, placeholderChecks, promptChecks, schemesChecks,
	securityChecks, sensitiveChecks, signaturesChecks, skillsChecks, transportsChecks,
))

// checking are the rules of the table that have a check.
var checking = slices.DeleteFunc(slices.Clone(table), func(r Rule) bool { return r.check == nil })

func catalog(checks []check) []Rule {
	rules := make([]Rule, len(diag.Rules()))
	for i, r := range diag.Rules() {
		rules[i].Rule = r
		if at := slices.IndexFunc(checks, func(c check) bool { return c.rule == r.ID }); at >= 0 {
			rules[i].holds, rules[i].check = checks[at].holds, checks[at].run
		}
	}
	return rules
}
