package diff_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diff"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

// mutation is a document that differs from another in one place.
type mutation struct {
	what, pointer string
	root          *source.Node
}

// mutations changes each scalar of a document, and adds, removes and renames each
// of its members and items.
func mutations(root *source.Node) []mutation {
	var list []mutation
	var walk func(n *source.Node, pointer string, put func(*source.Node) *source.Node)
	walk = func(n *source.Node, pointer string, put func(*source.Node) *source.Node) {
		report := func(what, at string, changed *source.Node) {
			list = append(list, mutation{what, at, put(changed)})
		}
		switch n.Kind {
		case source.String:
			report("changed", pointer, &source.Node{Kind: n.Kind, Text: n.Text + "x", Span: n.Span})
		case source.Number:
			report("changed", pointer, &source.Node{Kind: n.Kind, Text: "1" + n.Text, Span: n.Span})
		case source.Bool:
			report("changed", pointer, &source.Node{Kind: n.Kind, Text: fmt.Sprint(n.Text != "true"), Span: n.Span})
		case source.Array:
			for i, item := range n.Items {
				with := func(items ...*source.Node) *source.Node {
					out := *n
					out.Items = slices.Concat(n.Items[:i], items, n.Items[i+1:])
					return &out
				}
				at := fmt.Sprintf("%s/%d", pointer, i)
				report("removed", at, with())
				walk(item, at, func(item *source.Node) *source.Node { return put(with(item)) })
			}
		case source.Object:
			members := func(list []source.Member) *source.Node { return n.WithMembers(list) }
			report("added", pointer+"/zz-new", members(append(slices.Clone(n.Members),
				source.Member{Key: "zz-new", Value: source.NewText("new")})))
			for i, m := range n.Members {
				at := source.Pointer(pointer, m.Key)
				report("removed", at, members(slices.Delete(slices.Clone(n.Members), i, i+1)))
				renamed := slices.Clone(n.Members)
				renamed[i].Key = "zz-" + m.Key
				report("renamed", at, members(renamed))
				walk(m.Value, at, func(v *source.Node) *source.Node {
					changed := slices.Clone(n.Members)
					changed[i].Value = v
					return put(members(changed))
				})
			}
		default:
		}
	}
	walk(root, "", func(n *source.Node) *source.Node { return n })
	return list
}

// named are the members whose own members are names that a card gives.
var named = []string{"securitySchemes", "schemes", "scopes", "security"}

// sameScopes reports whether a mutation takes the empty list from a scheme that is
// required without scopes, which cards that are signed write in that way.
func sameScopes(m mutation) bool {
	return m.what == "removed" && strings.HasSuffix(m.pointer, "/list") && strings.Contains(m.pointer, "/schemes/")
}

// place is what a mutation is about in any card: items and the names of schemes, skills
// and scopes do not count.
func (m mutation) place() string {
	tokens := strings.Split(m.pointer, "/")
	for i, token := range tokens {
		if strings.Trim(token, "0123456789") == "" || i > 0 && slices.Contains(named, tokens[i-1]) {
			tokens[i] = "*"
		}
	}
	return m.what + strings.Join(tokens, "/")
}

// Every change of every member of a card is reported. Without a long trial, one of the
// changes that are about the same in all cards is made, in the smallest of them;
// TestNothingCoversAnything makes some in each form.
func TestMutationsAreReported(t *testing.T) {
	cards := fixture.Files(t, "golden/*/*/.well-known/*agent-card.json")
	slices.SortStableFunc(cards, func(a, b []byte) int { return cmp.Compare(len(a), len(b)) })
	done := map[string]bool{}
	for _, card := range cards {
		root, _ := source.ParseJSON("card", card)
		before := stated(root)
		for _, m := range mutations(root) {
			if done[m.place()] && !fixture.Long() {
				continue
			}
			done[m.place()] = true
			after := stated(m.root)
			if after.Card == nil {
				continue
			}
			if len(diff.Documents(before, after)) == 0 && !sameScopes(m) {
				t.Errorf("%s %s is not reported in\n%s", m.pointer, m.what, card)
			}
		}
	}
	if len(done) < 300 {
		t.Errorf("only %d kinds of mutations", len(done))
	}
}
