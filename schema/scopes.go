package schema

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/source"
)

// ScopesOf reports whether a pointer names what a requirement of the card or of a skill,
// as 1.0 has it, asks of a scheme. Without scopes that is empty.
func ScopesOf(pointer string) bool {
	ofCard, _ := path.Match("/securityRequirements/*/schemes/*", pointer)
	ofSkill, _ := path.Match("/skills/*/securityRequirements/*/schemes/*", pointer)
	return ofCard || ofSkill
}

// Unlisted returns a card in which a scheme without scopes is {}, the form that signed
// cards have, where others say {"list": []}.
func Unlisted(card *source.Node) *source.Node { return unlisted(card, "") }

// unlisted copies what leads to schemes without scopes, and empties those.
func unlisted(n *source.Node, at string) *source.Node {
	switch {
	case ScopesOf(at):
		list := n.Get("list")
		if !list.Is(source.Array) || len(list.Items) > 0 || len(n.Members) != 1 {
			return n
		}
		return &source.Node{Kind: source.Object, Span: n.Span}
	case !strings.HasPrefix(at, "/securityRequirements") && !strings.HasPrefix(at, "/skills") && at != "":
		return n
	}
	again := *n
	again.Items = slices.Clone(n.Items)
	for i, item := range again.Items {
		again.Items[i] = unlisted(item, source.Pointer(at, strconv.Itoa(i)))
	}
	members := slices.Clone(n.Members)
	for i, m := range members {
		members[i].Value = unlisted(m.Value, source.Pointer(at, m.Key))
	}
	return again.WithMembers(members)
}
