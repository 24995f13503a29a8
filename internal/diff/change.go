package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"cardwright/internal/source"
	"cardwright/schema"
)

// Change is one difference between two cards.
type Change struct {
	Rule  string
	Class Class
	Agent string // id, "" where two cards are compared and not two trees
	// The places in the old and the new card, RFC 6901, as A2A 1.0 spells its
	// members, with interfaces and skills in the order of the [schema.Card].
	// What only one of the cards has is, in the other, what holds it.
	OldPointer, NewPointer string
	// The values, nil for what only the other card has.
	Old, New *source.Node
	Message  string // one sentence, lower case, no full stop
	About    string // of a new agent or skill: its description
}

// Pointer returns where the change is: in the new card, or in the old one what
// is gone.
func (c Change) Pointer() string {
	if c.New == nil {
		return c.OldPointer
	}
	return c.NewPointer
}

// Cards tells what differs between two versions of a card: breaking changes
// first, each class in the order of the card. Cards that mean the same have no
// change of another class than [None].
func Cards(older, newer *schema.Card) []Change {
	c := comparison{}
	c.old, c.new = aligned(older, newer)
	c.forms = [2]schema.Protocol{c.old.Protocol(), c.new.Protocol()}
	c.card()
	return arranged(judged(c.changes))
}

// judged gives each change the class that the table says.
func judged(changes []Change) []Change {
	for i := range changes {
		changes[i].Class = find(changes[i].Rule).Class
	}
	return changes
}

// arranged puts the worst changes first.
func arranged(changes []Change) []Change {
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(b.Class, a.Class) })
	return changes
}

// comparison gathers the facts about two cards.
type comparison struct {
	old, new *schema.Card
	forms    [2]schema.Protocol // of each
	changes  []Change
	checks   int // how many alternatives of requirements were compared
}

func (c *comparison) tell(rule string, at where, older, newer *source.Node, format string, args ...any) {
	c.changes = append(c.changes, Change{
		Rule: rule, OldPointer: at.old, NewPointer: at.new, Old: older, New: newer,
		Message: fmt.Sprintf(format, args...),
	})
}

// where is a place in both cards.
type where struct{ old, new string }

// the is a member of the card itself.
func the(name string) where { return where{"/" + name, "/" + name} }

func (w where) child(token string) where {
	return where{source.Pointer(w.old, token), source.Pointer(w.new, token)}
}

// item is the place of an item that has an index in both cards.
func (w where) item(older, newer int) where { return w.gone(older).added(newer) }

// gone is the place of an item that only the old card has.
func (w where) gone(i int) where {
	w.old += "/" + strconv.Itoa(i)
	return w
}

// added is the place of an item that only the new card has.
func (w where) added(i int) where {
	w.new += "/" + strconv.Itoa(i)
	return w
}

// text returns the node of a text, nil for an empty one, which is absent.
func text(s string) *source.Node {
	if s == "" {
		return nil
	}
	return source.NewText(s)
}

// list returns the node of a list, nil for an empty one.
func list(texts []string) *source.Node {
	if len(texts) == 0 {
		return nil
	}
	return source.NewTexts(texts)
}

// pairs is how the items of two lists belong together, by index.
type pairs struct {
	both        [][2]int
	gone, added []int
}

// match pairs items that have the same key. Where a key is there twice, the
// first of the one list belongs to the first of the other.
func match[T any, K comparable](older, newer []T, key func(*T) K) pairs {
	return rematch(older, newer, pairs{gone: indexes(older), added: indexes(newer)}, key)
}

// rematch pairs what is left over, by another key.
func rematch[T any, K comparable](older, newer []T, left pairs, key func(*T) K) pairs {
	waiting := make(map[K][]int, len(left.added))
	for _, i := range left.added {
		k := key(&newer[i])
		waiting[k] = append(waiting[k], i)
	}
	var p pairs
	taken := make(map[int]bool, len(left.added))
	for _, i := range left.gone {
		k := key(&older[i])
		if len(waiting[k]) == 0 {
			p.gone = append(p.gone, i)
			continue
		}
		j := waiting[k][0]
		waiting[k] = waiting[k][1:]
		p.both, taken[j] = append(p.both, [2]int{i, j}), true
	}
	for _, j := range left.added {
		if !taken[j] {
			p.added = append(p.added, j)
		}
	}
	return p
}

func indexes[T any](list []T) []int {
	out := make([]int, len(list))
	for i := range out {
		out[i] = i
	}
	return out
}

// reordered tells whether the items that both lists have stand in another
// order.
func (p pairs) reordered() bool {
	return !slices.IsSortedFunc(p.both, func(a, b [2]int) int { return cmp.Compare(a[1], b[1]) })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
