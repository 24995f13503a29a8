package dialect

import (
	"slices"

	"cardwright/internal/source"
	"cardwright/schema"
)

// extended and flatExtended are where 1.0 and 0.3 say that there is an extended card.
const (
	extended     = "/capabilities/extendedAgentCard"
	flatExtended = "/supportsAuthenticatedExtendedCard"
)

// upgraded returns a document of 1.0 as clients rewrite it before they read it that know
// 0.3 too: a scheme with a type is what stands beside that, whatever its form of 1.0
// says, and members of 0.3 count where those of 1.0 are missing.
func upgraded(document *source.Node) *source.Node {
	card := requiring(document.Settled())
	for i, m := range card.Members {
		switch {
		case m.Key == "securitySchemes" && m.Value.Is(source.Object):
			schemes := slices.Clone(m.Value.Members)
			for k := range schemes {
				schemes[k].Value = wrapped(schemes[k].Value)
			}
			card.Members[i].Value = m.Value.WithMembers(schemes)
		case m.Key == "skills" && m.Value.Is(source.Array):
			list := *m.Value
			list.Items = slices.Clone(list.Items)
			for k, skill := range list.Items {
				if skill.Is(source.Object) {
					list.Items[k] = requiring(skill)
				}
			}
			card.Members[i].Value = &list
		case m.Key == "capabilities" && m.Value.Is(source.Object):
			flat, _ := card.Find(flatExtended)
			if _, there := card.Find(extended); !there && flat.Is(source.Bool) && flat.Text == "true" {
				list := append(slices.Clone(m.Value.Members), source.Member{Key: "extendedAgentCard", Value: flat})
				card.Members[i].Value = m.Value.WithMembers(list)
			}
		}
	}
	return card
}

// requiring returns a copy of the card or of a skill with the requirements of 0.3 in
// the form of 1.0, where it has none in that.
func requiring(n *source.Node) *source.Node {
	members, flat := slices.Clone(n.Members), n.Get("security")
	if n.Get("securityRequirements") == nil && flat.Is(source.Array) {
		list := &source.Node{Kind: source.Array, Span: flat.Span}
		for _, alternative := range flat.Items {
			list.Items = append(list.Items, requirement(alternative))
		}
		members = append(members, source.Member{Key: "securityRequirements", Value: list})
	}
	return n.WithMembers(members)
}

func requirement(flat *source.Node) *source.Node {
	if !flat.Is(source.Object) {
		return flat
	}
	members := slices.Clone(flat.Members)
	for i, m := range members {
		members[i].Value = source.NewObject(1).With("list", m.Value)
	}
	out := source.NewObject(1).With("schemes", flat.WithMembers(members))
	out.Span = flat.Span
	return out
}

// wrapped returns a scheme of 0.3 in the form of 1.0.
func wrapped(scheme *source.Node) *source.Node {
	kind := schema.SchemeType(scheme.Get("type").Word())
	if kind.Message() == "" {
		return scheme
	}
	var members []source.Member
	for _, m := range scheme.Members {
		if kind == schema.APIKey && m.Key == "in" {
			m.Key = "location"
		} else if m.Key == "location" && scheme.Get("in") != nil {
			continue
		}
		members = append(members, m)
	}
	out := source.NewObject(1).With(kind.Wrapper(), scheme.WithMembers(members))
	out.Span = scheme.Span
	return out
}

// original returns where in the document stands what a pointer names in what the client
// made of it.
func (v *View) original(pointer string) string {
	if v.document == v.origin {
		return pointer
	}
	at, n := "", v.origin
	if _, there := n.Find(extended); pointer == extended && !there {
		pointer = flatExtended
	}
	for token := range source.Tokens(pointer) {
		there := n.Get(token) != nil
		switch kind := schema.SchemeType(n.Get("type").Word()); {
		case token == "securityRequirements" && !there && n.Get("security") != nil:
			token = "security"
		case token == "location" && !there:
			token = "in"
		case kind.Message() != "" && token == kind.Wrapper(), (token == "schemes" || token == "list") && !there:
			continue
		}
		at = source.Pointer(at, token)
		if next, ok := n.Find(source.Pointer("", token)); ok {
			n = next
		} else {
			n = nil
		}
	}
	return at
}
