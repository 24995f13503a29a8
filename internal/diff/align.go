package diff

import (
	"slices"

	"cardwright/schema"
)

// split returns two cards as far as they can be compared: where the one has a scheme
// of several OAuth flows for which the other has a scheme each, as 1.0 demands
// (4.5.5), both have a scheme each. A dual card has that for the clients of 0.3 too.
func split(older, newer *schema.Card) (o, n *schema.Card) {
	if list := splitIn(older, newer); len(list) > 0 {
		older = older.SplitFlows(list)
	}
	if list := splitIn(newer, older); len(list) > 0 {
		newer = newer.SplitFlows(list)
	}
	return older, newer
}

// splitIn returns the OAuth schemes of a card that the other one lacks, but of
// whose flows it has one by the name that a split gives it.
func splitIn(card, other *schema.Card) map[string]bool {
	split := map[string]bool{}
	for name, s := range card.SecuritySchemes {
		if _, same := other.SecuritySchemes[name]; same {
			continue
		}
		for _, f := range s.Flows {
			if part, ok := other.SecuritySchemes[name+"-"+string(f.Type)]; ok && len(part.Flows) == 1 &&
				part.Flows[0].Type == f.Type {
				split[name] = true
			}
		}
	}
	return split
}

// sayable reports whether the forms of both cards have words for a member.
func (c *comparison) sayable(m schema.Member) bool {
	return m.Moved || m.In.Has(c.forms[0]) && m.In.Has(c.forms[1])
}

// flows are those that count: not what 0.3 has no words for, between a card for 0.3
// only and one that is for 1.0 too.
func (c *comparison) flows() []schema.Member {
	all := slices.Clone(schema.Members(schema.FlowsMessage))
	return slices.DeleteFunc(all, func(m schema.Member) bool { return c.forms[0] != c.forms[1] && !c.sayable(m) })
}

// unsayable reports whether a scheme has no other flows than those that do not count.
func (c *comparison) unsayable(s *schema.SecurityScheme) bool {
	counts := func(m schema.Member) bool { return flowOf(s, m.Name) != nil }
	return s != nil && len(s.Flows) > 0 && !slices.ContainsFunc(c.flows(), counts)
}

// without returns the alternatives that need none of the schemes that cannot be said,
// or all where there is no other: no alternative would let everyone in.
func (c *comparison) without(list []schema.Requirement, card *schema.Card) []schema.Requirement {
	var out []schema.Requirement
	for _, r := range list {
		needed := false
		for name := range r {
			s := card.SecuritySchemes[name]
			needed = needed || c.unsayable(&s)
		}
		if !needed {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}
