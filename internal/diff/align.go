package diff

import (
	"slices"

	"cardwright/schema"
)

// aligned returns two cards as far as they can be compared. Between a card for
// 0.3 only and one that is for 1.0 too, what 0.3 has no words for does not
// count; and where the one has a scheme of several OAuth flows for which the
// other has a scheme each, as 1.0 demands (4.5.5), both have a scheme each.
func aligned(older, newer *schema.Card) (o, n *schema.Card) {
	switch was, is := older.Protocol() == schema.Flat, newer.Protocol() == schema.Flat; {
	case was && !is:
		newer = sayable(newer)
		older = older.SplitFlows(splitIn(older, newer))
	case is && !was:
		older = sayable(older)
		newer = newer.SplitFlows(splitIn(newer, older))
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

// sayable returns what 0.3 can say of the security schemes of a card: nothing
// of device codes, and not whether PKCE is required.
func sayable(c *schema.Card) *schema.Card {
	out := *c
	out.SecuritySchemes = make(map[string]schema.SecurityScheme, len(c.SecuritySchemes))
	unsayable := map[string]bool{}
	for name, s := range c.SecuritySchemes {
		var flows []schema.Flow
		for _, f := range s.Flows {
			if f.PKCERequired = false; f.Type != schema.DeviceCode {
				flows = append(flows, f)
			}
		}
		if len(flows) == 0 && len(s.Flows) > 0 {
			unsayable[name] = true
			continue
		}
		s.Flows = flows
		out.SecuritySchemes[name] = s
	}
	if len(unsayable) == 0 {
		return &out
	}
	out.Security = without(c.Security, unsayable)
	out.Skills = slices.Clone(c.Skills)
	for i := range out.Skills {
		out.Skills[i].Security = without(c.Skills[i].Security, unsayable)
	}
	return &out
}

// without returns the alternatives that need none of the schemes, or all where
// there is no other: no alternative would let everyone in.
func without(list []schema.Requirement, schemes map[string]bool) []schema.Requirement {
	var out []schema.Requirement
	for _, r := range list {
		needed := false
		for name := range r {
			needed = needed || schemes[name]
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
