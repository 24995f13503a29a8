package edition

import (
	"slices"

	"cardwright/internal/dialect"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Side is a card as diff compares it.
func Side(r *dialect.Reading) diff.Side {
	document := r.Document()
	return diff.Side{Card: r.Card, Document: document, Half: func(p schema.Protocol) *schema.Card {
		if r.Card == nil || !document.HasAny("supportedInterfaces", "supported_interfaces") ||
			!document.HasAny(dialect.FlatMembers()...) {
			return nil
		}
		return dialect.Read(half(document, p), dialect.ReadOptions{Stated: true}).Card
	}}
}

// half leaves out what only clients of other versions read.
func half(card *source.Node, p schema.Protocol) *source.Node {
	out := []string{"supportedInterfaces", "supported_interfaces", "securityRequirements"}
	if p.Has(schema.Listed) {
		out = append(dialect.FlatMembers(), "protocolVersion", "security", "supportsAuthenticatedExtendedCard")
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
	wrapped := func(m source.Member) bool { return dialect.WrappedType(m.Key) != "" }
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
