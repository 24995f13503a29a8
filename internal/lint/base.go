package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Named is a card of an output tree, with the id of the agent it belongs to.
type Named struct {
	Agent string
	Card  *source.Node
	Rules map[string]diag.Severity // what the agent makes of rules
}

// Tree judges the cards of one output tree together: card-name-duplicate. The
// extended card of an agent may share the name of its public one.
func Tree(cards []Named) diag.List {
	rule, _ := Find("card-name-duplicate")
	first := map[string]Named{}
	var found diag.List
	for _, n := range cards {
		name := rootPlace(n.Card).get("name")
		key := strings.ToLower(strings.TrimSpace(name.text()))
		other, twice := first[key]
		if key == "" || twice && other.Agent == n.Agent {
			continue
		}
		if !twice {
			first[key] = n
			continue
		}
		found = append(found, Switches{Rules: n.Rules}.Apply(diag.List{{
			Rule:     rule.ID,
			Severity: rule.Severity,
			Message:  fmt.Sprintf("two agents are called %s, and people cannot tell them apart", quote(name.Text)),
			Span:     name.span(),
			Pointer:  name.pointer(),
			Hint:     "give each agent a name of its own",
			Related:  []diag.Related{rootPlace(other.Card).get("name").also("the other one is named here")},
		}})...)
	}
	return found.Sorted()
}

// Successor judges a card against the one that was published before it:
// card-version-unchanged. Neither may be nil. A version of 0.0.0 stands for
// none, so it need not rise.
func Successor(card, base *source.Node) diag.List {
	version := rootPlace(card).get("version")
	if version.text() == "" || strings.HasPrefix(version.Text, "0.0.0") || version.Text != rootPlace(base).get("version").text() || sameCard(card, base) {
		return nil
	}
	rule, _ := Find("card-version-unchanged")
	return diag.List{{
		Rule:     rule.ID,
		Severity: rule.Severity,
		Message:  fmt.Sprintf("the content of the card has changed and its version is still %s", quote(version.Text)),
		Span:     version.span(),
		Pointer:  version.pointer(),
		Hint:     "raise it: clients that cache by version miss the change",
	}}
}

// sameCard tells whether two cards say the same. Signatures do not count, nor
// does the order of members or skills.
func sameCard(a, b *source.Node) bool { return unsigned(a).Equal(unsigned(b)) }

func unsigned(card *source.Node) *source.Node {
	n := &source.Node{Kind: card.Kind}
	for _, m := range card.Members {
		switch m.Key {
		case "signatures":
			continue
		case "skills":
			skills := *m.Value
			skills.Items = slices.Clone(skills.Items)
			slices.SortStableFunc(skills.Items, func(a, b *source.Node) int {
				return cmp.Compare(rootPlace(a).get("id").text(), rootPlace(b).get("id").text())
			})
			m.Value = &skills
		}
		n.Members = append(n.Members, m)
	}
	return n
}
