package diff

import (
	"cmp"
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Comparison is what differs between two versions of an agent.
type Comparison struct {
	Agent    string       // id, "" where two cards are compared and not two trees
	Old, New *schema.Card // nil for an agent that is new or gone
	Changes  []Change     // the worst first
}

// Agents compares two trees of cards, by the ids of their agents. An agent whose id
// is gone is the new one that has its name and an interface of it: its card moved.
// The comparisons are sorted by id.
func Agents(older, newer map[string]Side) []Comparison {
	was := movedFrom(older, newer)
	all := maps.Clone(older)
	maps.Copy(all, newer)
	for _, id := range was {
		delete(all, id)
	}
	var out []Comparison
	for _, id := range sortedKeys(all) {
		before, moved := was[id] // the id of the one agent of a tree is empty
		if !moved {
			before = id
		}
		out = append(out, compare(id, older[before], newer[id]))
	}
	return out
}

// movedFrom returns the old ids of the agents that have a new one.
func movedFrom(older, newer map[string]Side) map[string]string {
	var gone []string
	for _, id := range sortedKeys(older) {
		if _, still := newer[id]; !still {
			gone = append(gone, id)
		}
	}
	was := map[string]string{}
	for _, id := range sortedKeys(newer) {
		if _, known := older[id]; known {
			continue
		}
		i := slices.IndexFunc(gone, func(old string) bool { return sameAgent(older[old], newer[id]) })
		if i >= 0 {
			was[id] = gone[i]
			gone = slices.Delete(gone, i, i+1)
		}
	}
	return was
}

// sameAgent reports whether two cards belong to one agent.
func sameAgent(older, newer Side) bool {
	return older.Card.Name == newer.Card.Name && slices.ContainsFunc(older.Card.Interfaces, func(i schema.Interface) bool {
		return slices.ContainsFunc(newer.Card.Interfaces, func(n schema.Interface) bool { return n.URL == i.URL })
	})
}

func compare(id string, before, after Side) Comparison {
	older, newer := before.Card, after.Card
	facts := comparison{}
	switch {
	case older == nil:
		facts.added(diag.AgentAdded, where{}, newer.Name, "the agent "+diag.Quote(newer.Name))
	case newer == nil:
		facts.gone(diag.AgentRemoved, where{}, older.Name, "the agent "+diag.Quote(older.Name))
	default:
		facts.changes = Documents(before, after)
		if before.Path != after.Path && before.Path != "" && after.Path != "" {
			facts.tell(diag.CardMoved, where{}, source.NewText(before.Path), source.NewText(after.Path),
				"the card moved, so clients no longer find it")
		}
	}
	c := Comparison{Agent: id, Old: older, New: newer, Changes: judged(facts.changes)}
	for i := range c.Changes {
		change := &c.Changes[i]
		if change.Agent = id; change.Class == Breaking && !change.NeedsPerson() {
			change.Declared = c.declares()
		}
	}
	return c
}

// NeedsPerson reports whether no version declares a change.
func (c *Change) NeedsPerson() bool {
	return c.Rule == diag.AgentRemoved || c.Rule == diag.ListedRemoved || c.Rule == diag.RequirementDropped || otherHost(c)
}

// All returns the changes of all agents, the worst first.
func All(list []Comparison) (all []Change) {
	for _, c := range list {
		all = append(all, c.Changes...)
	}
	return judged(all)
}

// Listing is a key set or a list of a tree: what it names, and its bytes.
type Listing struct {
	Names []string
	Data  string
}

// Listings compares the key sets and lists of two trees, by path: one change for each.
func Listings(older, newer map[string]Listing) Comparison {
	var c comparison
	entries(older, newer, func(file string, was, is *Listing) {
		rule, what := diag.ListedChanged, "changed"
		switch {
		case was == nil:
			what = "is new"
		case is == nil:
			rule, what = diag.ListedRemoved, "is gone"
		}
		was, is = cmp.Or(was, &Listing{}), cmp.Or(is, &Listing{})
		switch {
		case was.Data == is.Data:
			return
		case len(missing(was.Names, is.Names)) > 0:
			rule = diag.ListedRemoved
		case len(missing(is.Names, was.Names)) > 0:
			rule = diag.ListedAdded
		}
		c.tell(rule, where{key: "/" + file}, list(was.Names), list(is.Names), "%s %s%s", file, what,
			delta(was.Names, is.Names))
	})
	return Comparison{Changes: judged(c.changes)}
}
