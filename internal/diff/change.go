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
	// The values, nil for what only the other card has.
	Old, New *source.Node
	Message  string // one sentence, lower case, no full stop
	Declared string // the new version, where its bump declares this breaking change; else ""

	// key is the place by names instead of indexes: /skills/ID, and
	// /supportedInterfaces/BINDING URL/VERSION. With the rule and the values it is the
	// identity of the difference, wherever it stands in either card.
	key string
}

// identity is a text that only the same difference between two cards has.
func (c *Change) identity() string {
	return fmt.Sprintf("%q", []string{c.Rule.String(), c.key, Compact(c.Old), Compact(c.New)})
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
	return classed(compareCards(older, newer, older.Protocol(), newer.Protocol()))
}

// classed gives each change the class that the table says, and puts the worst first.
func classed(changes []Change) []Change {
	for i := range changes {
		changes[i].Class = find(changes[i].Rule).Class
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(b.Class, a.Class) })
	return changes
}

// facts gathers changes.
type facts struct{ changes []Change }

func (f *facts) add(rule diag.RuleID, at where, older, newer *source.Node, format string, args ...any) {
	f.changes = append(f.changes, Change{
		Rule: rule, OldPointer: at.old, NewPointer: at.new, key: at.key, Old: older, New: newer,
		Message: fmt.Sprintf(format, args...),
	})
}

// present reports a part that only one of the cards has, by what identifies it, and
// returns whether both have it.
func (f *facts) present(at where, was, is bool, id, what string, removed, added diag.RuleID) bool {
	switch {
	case !is:
		f.add(removed, at, source.NewText(id), nil, "%s is gone", what)
	case !was:
		f.add(added, at, nil, source.NewText(id), "%s is new", what)
	}
	return was && is
}

// value reports a value that differs as a whole.
func (f *facts) value(rule diag.RuleID, at where, older, newer *source.Node, what string) {
	how := "changed"
	switch {
	case older == nil:
		how = "is new"
	case newer == nil:
		how = "is gone"
	}
	f.add(rule, at, older, newer, "%s %s", what, how)
}

// text reports a text that changed, the value of a member. Another spelling
// of the same is [diag.FormChanged].
func (f *facts) text(rule diag.RuleID, member string, at where, older, newer, what string) {
	switch {
	case older == newer:
	case older != "" && newer != "" && schema.Equivalent(member, older, newer):
		f.form(at, text(older), text(newer), what+" is")
	default:
		f.value(rule, at, text(older), text(newer), what)
	}
}

// form reports what is written differently.
func (f *facts) form(at where, older, newer *source.Node, what string) {
	f.add(diag.FormChanged, at, older, newer, "%s stated in another form, which means the same", what)
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

// pair is an item of both cards, or of one of them.
type pair[T any] struct {
	was, is  *T  // nil in the card that lacks it
	old, new int // their indexes, none likewise
}

// pairs pairs the items of two lists by the first of the keys that they have in common.
// Where a key is there twice, the first of the one list belongs to the first of the other.
// Pairs come first, then what is gone, then what is new.
func pairs[T any](older, newer []T, keys ...func(*T) string) []pair[T] {
	var list []pair[T]
	taken := map[int]bool{}
	gone := make([]int, len(older))
	for i := range gone {
		gone[i] = i
	}
	for _, key := range keys {
		waiting := map[string][]int{}
		for i := range newer {
			if k := key(&newer[i]); !taken[i] {
				waiting[k] = append(waiting[k], i)
			}
		}
		gone = slices.DeleteFunc(gone, func(i int) bool {
			k := key(&older[i])
			if len(waiting[k]) == 0 {
				return false
			}
			n := waiting[k][0]
			waiting[k], taken[n] = waiting[k][1:], true
			list = append(list, pair[T]{&older[i], &newer[n], i, n})
			return true
		})
	}
	for _, i := range gone {
		list = append(list, pair[T]{&older[i], nil, i, none})
	}
	for i := range newer {
		if !taken[i] {
			list = append(list, pair[T]{nil, &newer[i], none, i})
		}
	}
	return list
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
