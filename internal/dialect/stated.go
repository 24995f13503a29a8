package dialect

import (
	"slices"

	"cardwright/internal/source"
	"cardwright/schema"
)

// Document returns the card as it stands in the document, nil where there is
// none.
func (r *Reading) Document() *source.Node { return r.body }

// Whole returns the document where the card is all of it, else nil.
func (r *Reading) Whole() *source.Node {
	if r.wrapped {
		return nil
	}
	return r.root
}

// Half returns the card as clients of one version alone read a document that
// speaks to those of several: without the members that are for the others. It is
// nil where the document is for one version only.
func (r *Reading) Half(p schema.Protocol) *schema.Card {
	if r.Card == nil || !r.body.HasAny("supportedInterfaces", "supported_interfaces") ||
		!r.body.HasAny(flatMembers()...) {
		return nil
	}
	return Read(half(r.body, p), ReadOptions{Stated: true}).Card
}

// half leaves out what only clients of other versions read.
func half(card *source.Node, p schema.Protocol) *source.Node {
	out := []string{"supportedInterfaces", "supported_interfaces", "securityRequirements"}
	if p.Has(schema.Listed) {
		out = append(flatMembers(), "protocolVersion", "security", "supportsAuthenticatedExtendedCard")
	}
	return mapped(card, func(m source.Member) (*source.Node, bool) {
		switch m.Key {
		case "skills":
			return skillsWithout(m.Value, out), true
		case "securitySchemes":
			return mapped(m.Value, func(s source.Member) (*source.Node, bool) { return halfScheme(s.Value, p), true }), true
		}
		return m.Value, !slices.Contains(out, m.Key)
	})
}

func skillsWithout(skills *source.Node, names []string) *source.Node {
	if !skills.Is(source.Array) {
		return skills
	}
	list := *skills
	list.Items = slices.Clone(skills.Items)
	for i, item := range list.Items {
		list.Items[i] = mapped(item, func(m source.Member) (*source.Node, bool) {
			return m.Value, !slices.Contains(names, m.Key)
		})
	}
	return &list
}

// halfScheme leaves out the form of a scheme that only clients of other versions
// read.
func halfScheme(scheme *source.Node, p schema.Protocol) *source.Node {
	wrapped := func(m source.Member) bool { return wrappedType(m.Key) != "" }
	if scheme == nil || !slices.ContainsFunc(scheme.Members, wrapped) {
		return scheme
	}
	return mapped(scheme, func(m source.Member) (*source.Node, bool) {
		return m.Value, wrapped(m) == p.Has(schema.Listed)
	})
}

// mapped returns a copy of an object with the members that are kept.
func mapped(n *source.Node, keep func(source.Member) (*source.Node, bool)) *source.Node {
	if !n.Is(source.Object) {
		return n
	}
	var list []source.Member
	for _, m := range n.Members {
		if value, ok := keep(m); ok {
			m.Value = value
			list = append(list, m)
		}
	}
	return n.WithMembers(list)
}
