package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// requirements compares two lists of alternatives. A client needs to
// meet one. No list is the list of the one alternative that asks for nothing. What they
// guard follows the messages: " to SKILL", or nothing for the agent.
func (c *comparison) requirements(at where, older, newer []schema.Requirement, to string) {
	if slices.EqualFunc(older, newer, func(a, b schema.Requirement) bool { return maps.EqualFunc(a, b, slices.Equal) }) {
		return
	}
	open := []schema.Requirement{{}}
	before, after := inEffect(older, open), inEffect(newer, open)
	was, is := requirements(older), requirements(newer)
	if i := uncovered(before, after); i >= 0 {
		c.add(diag.RequirementTightened, at, was, is, "%s no longer has access%s", client(before[i]), to)
	}
	if i := less(after, before); i >= 0 {
		c.add(diag.RequirementDropped, at, was, is, "%s is let in%s, which is less than any client needed before",
			client(after[i]), to)
	} else if i := uncovered(after, before); i >= 0 {
		c.add(diag.RequirementLoosened, at, was, is, "%s is let in%s", client(after[i]), to)
	}
}

// less returns the index of the first alternative that asks for less than each one of a
// list, by schemes and scopes: for no more than they have in common, and not the same as one.
func less(from, list []schema.Requirement) int {
	common := maps.Clone(list[0])
	for _, other := range list {
		for scheme, scopes := range common {
			needed, ok := other[scheme]
			if common[scheme] = missing(scopes, missing(scopes, needed)); !ok {
				delete(common, scheme)
			}
		}
	}
	known := allSpelled(list)
	return slices.IndexFunc(from, func(r schema.Requirement) bool { return !known[spelled(r)] && within(r, common) })
}

// mostChecks limits how many alternatives of two lists are compared, because cards of
// strangers may have any number. Beyond it, alternatives that are not on both
// cards count as different.
const mostChecks = 100_000

// uncovered returns the index of the first alternative whose clients the list does not let
// in: none of its alternatives asks for less or the same.
func uncovered(from, list []schema.Requirement) int {
	known := allSpelled(list)
	return slices.IndexFunc(from, func(r schema.Requirement) bool {
		covers := func(other schema.Requirement) bool { return within(other, r) }
		return !known[spelled(r)] && (len(from)*len(list) > mostChecks || !slices.ContainsFunc(list, covers))
	})
}

func allSpelled(list []schema.Requirement) map[string]bool {
	known := make(map[string]bool, len(list))
	for _, r := range list {
		known[spelled(r)] = true
	}
	return known
}

// within reports whether a asks for nothing that b does not ask for.
func within(a, b schema.Requirement) bool {
	for scheme, scopes := range a {
		other, ok := b[scheme]
		if !ok || len(missing(scopes, other)) > 0 {
			return false
		}
	}
	return true
}

// spelled returns a text that only equal alternatives have.
func spelled(r schema.Requirement) string {
	sorted := make(map[string][]string, len(r))
	for scheme, scopes := range r {
		sorted[scheme] = slices.Compact(slices.Sorted(slices.Values(scopes)))
	}
	return fmt.Sprintf("%q", sorted) // fmt sorts the keys of a map
}

// client names a client that meets exactly one alternative.
func client(r schema.Requirement) string {
	if len(r) == 0 {
		return "a client without credentials"
	}
	var needs []string
	for _, scheme := range sortedKeys(r) {
		need := diag.Quote(scheme)
		if len(r[scheme]) > 0 {
			need += " (" + few(r[scheme]) + ")"
		}
		needs = append(needs, need)
	}
	return "a client with " + strings.Join(needs, " and ")
}

// requirements returns alternatives as 0.3 writes them: scheme to scopes.
func requirements(list []schema.Requirement) *source.Node {
	if len(list) == 0 {
		return nil
	}
	n := &source.Node{Kind: source.Array}
	for _, r := range list {
		o := &source.Node{Kind: source.Object}
		for _, scheme := range sortedKeys(r) {
			o.Set(scheme, source.NewTexts(r[scheme]))
		}
		n.Items = append(n.Items, o)
	}
	return n
}
