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
	Agent string
	Card  *source.Node
	Judge func(diag.List) diag.List // as the agent makes findings count, nil for as they are
}

// Tree judges the cards of one output tree together: card-name-duplicate. The
// extended card of an agent may share the name of its public one.
func Tree(cards []Named) diag.List {
	first := map[string]Named{}
	var found diag.List
	for _, n := range cards {
		name := rootPlace(n.Card).At("name")
		key := strings.ToLower(strings.TrimSpace(name.Node.Word()))
		other, twice := first[key]
		if key == "" || twice && other.Agent == n.Agent {
			continue
		}
		if !twice {
			first[key] = n
			continue
		}
		same := diag.List{diag.New(diag.CardNameDuplicate, name.Where(),
			"two agents have the name %s, so people cannot tell them apart", quote(name.Node.Text)).
			WithPointer(name.Pointer()).
			WithHint("give each agent its own name").
			WithRelated(also(rootPlace(other.Card).At("name"), "the other agent with this name"))}
		if n.Judge != nil {
			same = n.Judge(same)
		}
		found = append(found, same...)
	}
	return found.Sorted()
}

// Successor compares a card with the one that was published before it:
// card-version-unchanged. Neither may be nil. The version 0.0.0 means none, so
// it need not rise, and neither must the version of a card with the text of init.
func Successor(card, base *source.Node) diag.List {
	version := rootPlace(card).At("version")
	if version.Node.Word() == "" || strings.HasPrefix(version.Node.Text, "0.0.0") ||
		strings.HasPrefix(rootPlace(base).At("description").Node.Word(), starterMark) ||
		version.Node.Text != rootPlace(base).At("version").Node.Word() || sameCard(card, base) {
		return nil
	}
	return diag.List{diag.New(diag.CardVersionUnchanged, version.Where(),
		"the card has changed, but its version is still %s", quote(version.Node.Text)).
		WithPointer(version.Pointer()).
		WithHint("raise the version: clients that cache by version miss the change")}
}

// sameCard reports whether two cards say the same. Signatures do not count, nor
// does the order of members or skills, nor how a requirement spells that it has no
// scopes: signed cards write {} where others write {"list": []}.
func sameCard(a, b *source.Node) bool { return unsigned(a).Equal(unsigned(b)) }

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
	differ := func(key string) bool {
		return rootPlace(card).At(key).Node.Word() != rootPlace(older).At(key).Node.Word()
	}
	report := func(at place, format string, args ...any) diag.List {
		d := diag.New(diag.CardPair, at.Where(), format, args...).WithPointer(at.Pointer())
		return diag.List{d.WithHint("generate both with legacyPath: split, or make one a copy of the other").
			WithRelated(also(rootPlace(card), "the card beside it"))}
	}
	root := rootPlace(older)
	for _, key := range []string{"name", "description", "version"} {
		if differ(key) {
			return report(root.At(key), "%s is %s, and %s on agent-card.json beside it", key, quote(root.At(key).Node.Word()),
				quote(rootPlace(card).At(key).Node.Word()))
		}
	}
	if ids := skillIDs(card); !slices.Equal(ids, skillIDs(older)) {
		return report(root.At("skills"), "the skills are not those of agent-card.json beside it")
	}
	if !schema.Pair(card, older) {
		return report(root, "the card differs from agent-card.json beside it, "+
			"and the two are not one card for A2A 1.0 and one for 0.3")
	}
	return nil
}

func skillIDs(card *source.Node) []string {
	var ids []string
	for s := range rootPlace(card).At("skills").List() {
		ids = append(ids, s.At("id").Node.Word())
	}
	slices.Sort(ids)
	return ids
}
