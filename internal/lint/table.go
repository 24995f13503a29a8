package lint

import (
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// versions is the set of protocol versions that a card is written for.
type versions = schema.Protocol

// The families of versions, whose forms of a card are worlds apart.
const (
	v10  = schema.Listed
	v03  = schema.Flat
	both = schema.All
)

// entry says whose cards a rule checks, and how.
type entry struct {
	holds versions
	run   func(*card) // nil: the findings are about the shape, or come from another package
}

// checks are rules about cards, each with its check. Each file begins with its own.
type checks map[diag.RuleID]entry

// all are the checks of all files, and the rules that have none.
func all() checks {
	of := checks{
		diag.CapabilityType:           {both, nil},
		diag.CapabilityUnknown:        {both, nil},
		diag.CardDuplicateMember:      {both, nil},
		diag.CardEmptyOptional:        {both, nil},
		diag.CardForeign:              {both, nil},
		diag.CardInvalidUTF8:          {both, nil},
		diag.CardJSON:                 {both, nil},
		diag.CardMemberCase:           {both, nil},
		diag.CardMemberMissing:        {both, nil},
		diag.CardMemberType:           {both, nil},
		diag.CardMemberUnknown:        {both, nil},
		diag.CardNameDuplicate:        {both, nil},
		diag.CardNull:                 {both, nil},
		diag.CardVersionUnchanged:     {both, nil},
		diag.InterfaceMemberAlias:     {both, nil},
		diag.InterfaceNone:            {both, nil},
		diag.ProviderIncomplete:       {both, nil},
		diag.SecurityLegacy:           {both, nil},
		diag.SignatureCanonicalHazard: {v10, nil},
		diag.SignatureInvalid:         {both, nil},
		diag.SkillTagsMissing:         {both, nil},
	}
	for _, list := range []checks{
		capabilityChecks, disagreementChecks, documentChecks, flowChecks, identityChecks, interfaceChecks,
		leakChecks, numberChecks, placeholderChecks, promptChecks, schemaChecks, schemeChecks,
		securityChecks, sensitiveChecks, signatureChecks, skillChecks, transportChecks,
	} {
		maps.Copy(of, list)
	}
	return of
}

// table is the catalog, each rule with its check.
var table = func() []Rule {
	of := all()
	rules := make([]Rule, len(diag.Rules()))
	for i, r := range diag.Rules() {
		rules[i] = Rule{r, of[r.ID].holds, of[r.ID].run}
	}
	return rules
}()

// cardRules are the rules about cards.
var cardRules = slices.DeleteFunc(slices.Clone(table), func(r Rule) bool { return r.holds == 0 })
