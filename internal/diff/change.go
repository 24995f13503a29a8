package diff

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Change is one difference between two cards.
type Change struct {
	Rule  diag.RuleID
	Class Class
	Agent string // id, "" where two cards are compared and not two trees
	// The places in the old and the new document, RFC 6901. [Cards], which has none,
	// spells members as A2A 1.0 does, and counts interfaces and skills as a
	// [schema.Card] does. What only one of the cards has is, in the other, what holds it.
	OldPointer, NewPointer string
	// Key is the place by names instead of indexes: /skills/ID, and
	// /supportedInterfaces/BINDING URL/VERSION. With the rule, the agent and the values it
	// is the identity of the difference, wherever it stands in either card.
	Key string
	// The values, nil for what only the other card has.
	Old, New *source.Node
	Message  string // one sentence, lower case, no full stop
	Declared string // the new version, where its bump declares this breaking change; else ""
}

// identity is a text that only the same difference between two cards has.
func (c *Change) identity() string {
	return fmt.Sprintf("%q", []string{c.Rule.String(), c.Key, Compact(c.Old), Compact(c.New)})
}

// Compact spells a value on one line, "" for none.
func Compact(n *source.Node) string {
	if n == nil {
		return ""
	}
	return schema.WriteCompact(n)
}

// Pointer returns where the change is: in the new card, or in the old one what
// is gone.
func (c Change) Pointer() string {
	if c.New == nil {
		return c.OldPointer
	}
	return c.NewPointer
}

// Cards returns what differs between two versions of a card: breaking changes
// first, each class in the order of the card. Cards that mean the same have no
// change of another class than [None].
func Cards(older, newer *schema.Card) []Change {
	c := comparison{}
	c.forms = [2]schema.Protocol{older.Protocol(), newer.Protocol()}
	c.compare(older, newer)
	return judged(c.changes)
}

func (c *comparison) compare(older, newer *schema.Card) {
	c.old, c.new = split(older, newer)
	c.card()
}

// judged gives each change the class that the table says, and puts the worst first.
func judged(changes []Change) []Change {
	for i := range changes {
		changes[i].Class = find(changes[i].Rule).Class
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(b.Class, a.Class) })
	return changes
}

// comparison gathers the facts about two cards.
type comparison struct {
	old, new *schema.Card
	forms    [2]schema.Protocol // in which each is read
	changes  []Change
	checks   int // how many alternatives of requirements were compared
}

func (c *comparison) tell(rule diag.RuleID, at where, older, newer *source.Node, format string, args ...any) {
	c.changes = append(c.changes, Change{
		Rule: rule, OldPointer: at.old, NewPointer: at.new, Key: at.key, Old: older, New: newer,
		Message: fmt.Sprintf(format, args...),
	})
}

// gone reports a part of a card that is gone, by what identifies it.
func (c *comparison) gone(rule diag.RuleID, at where, id, what string) {
	c.tell(rule, at, source.NewText(id), nil, "%s is gone", what)
}

// added reports a part that is new.
func (c *comparison) added(rule diag.RuleID, at where, id, what string) {
	c.tell(rule, at, nil, source.NewText(id), "%s is new", what)
}

// where is a place in both cards, and by names.
type where struct{ old, new, key string }

// the is a member of the card itself.
func the(name string) where { return where{"/" + name, "/" + name, "/" + name} }

func (w where) child(token string) where {
	return where{source.Pointer(w.old, token), source.Pointer(w.new, token), source.Pointer(w.key, token)}
}

// none is the index of an item in the card that does not have it.
const none = -1

// item is the place of an item that has an index in one of the cards or in both,
// and names.
func (w where) item(older, newer int, names ...string) where {
	if older != none {
		w.old += "/" + strconv.Itoa(older)
	}
	if newer != none {
		w.new += "/" + strconv.Itoa(newer)
	}
	for _, name := range names {
		w.key = source.Pointer(w.key, name)
	}
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

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// entries calls compare with each entry of two maps, nil for what one of them does
// not have: the older entries, then the new ones.
func entries[V any](older, newer map[string]V, compare func(key string, was, is *V)) {
	entry := func(m map[string]V, key string) *V {
		if v, ok := m[key]; ok {
			return &v
		}
		return nil
	}
	for _, key := range once(slices.Concat(sortedKeys(older), sortedKeys(newer))) {
		compare(key, entry(older, key), entry(newer, key))
	}
}

// fields are the names of the members of two objects: of the older one, then
// what is new.
func fields(older, newer *source.Node) []string {
	var names []string
	for _, m := range slices.Concat(older.Fields(), newer.Fields()) {
		names = append(names, m.Key)
	}
	return once(names)
}
