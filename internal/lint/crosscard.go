package lint

import (
	"cmp"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Named is a card of an output tree, with the id of the agent it belongs to.
type Named struct {
	Agent   string
	Card    *source.Node
	Counted func(diag.List) diag.List // as the agent makes findings count, nil for as they are
}

// Tree checks the cards of one output tree together: card-name-duplicate. The
// extended card of an agent may share the name of its public one.
func Tree(cards []Named) diag.List {
	first := map[string]Named{}
	var found diag.List
	for _, n := range cards {
		name := source.At(n.Card, "").At("name")
		key := strings.ToLower(strings.TrimSpace(name.Node.Word()))
		other, twice := first[key]
		switch {
		case key == "" || twice && other.Agent == n.Agent:
			continue
		case !twice:
			first[key] = n
			continue
		}
		f := findings{rule: diag.CardNameDuplicate}
		f.find(name, "give each agent its own name", "two agents have the name %s, so people cannot tell them apart",
			diag.Quote(name.Node.Text)).Related = also(source.At(other.Card, "").At("name"), "the other agent with this name")
		same := f.all("")
		if n.Counted != nil {
			same = n.Counted(same)
		}
		found = append(found, same...)
	}
	return found.Sorted()
}

// Successor compares a card with the one that was published before it:
// card-version-unchanged. Neither may be nil. The version 0.0.0 means none, so
// it need not rise, and neither must the version of a card with the text of init.
func Successor(card, base *source.Node) diag.List {
	version := source.At(card, "").At("version")
	if version.Node.Word() == "" || strings.HasPrefix(version.Node.Text, "0.0.0") ||
		strings.HasPrefix(base.Get("description").Word(), starterMark) ||
		version.Node.Text != base.Get("version").Word() || unsigned(card).Equal(unsigned(base)) {
		return nil
	}
	f := findings{rule: diag.CardVersionUnchanged}
	f.find(version, "raise the version: clients that cache by version miss the change",
		"the card has changed, but its version is still %s", diag.Quote(version.Node.Text))
	return f.all("")
}

// unsigned returns what a card says. Signatures do not count, nor does the order of
// members or skills, nor how a requirement spells that it has no scopes: signed cards
// write {} where others write {"list": []}.
func unsigned(card *source.Node) *source.Node {
	n := schema.Unlisted(card.Without("signatures"))
	if skills := n.Get("skills"); skills.Is(source.Array) {
		sorted := *skills
		sorted.Items = slices.SortedStableFunc(slices.Values(skills.Items), func(a, b *source.Node) int {
			return cmp.Compare(a.Get("id").Word(), b.Get("id").Word())
		})
		n.Member("skills").Value = &sorted
	}
	return n
}

// Pair checks a card and a different one beside it for clients before 0.3:
// card-pair. Neither may be nil.
func Pair(card, older *source.Node) diag.List {
	const hint = "generate both with legacyPath: split, or make one a copy of the other"
	root, f := source.At(older, ""), findings{rule: diag.CardPair}
	for _, key := range []string{"name", "description", "version"} {
		if a, b := card.Get(key).Word(), root.At(key).Node.Word(); a != b && f.count == 0 {
			f.find(root.At(key), hint, "%s is %s, and %s on agent-card.json beside it", key, diag.Quote(b), diag.Quote(a))
		}
	}
	switch {
	case f.count > 0:
	case !slices.Equal(skillIDs(card), skillIDs(older)):
		f.find(root.At("skills"), hint, "the skills are not those of agent-card.json beside it")
	case !schema.Pair(card, older):
		f.find(root, hint, "the card differs from agent-card.json beside it, and the two are not one card for A2A 1.0 "+
			"and one for 0.3")
	default:
		return nil
	}
	f.list[0].Related = also(source.At(card, ""), "the card beside it")
	return f.all("")
}

func skillIDs(card *source.Node) []string {
	var ids []string
	for _, s := range card.Get("skills").Elements() {
		ids = append(ids, s.Get("id").Word())
	}
	return slices.Sorted(slices.Values(ids))
}
