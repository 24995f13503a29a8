package diff

import (
	"cmp"
	"fmt"
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
// is gone is the new one that has its name and its first URL: its card moved. The
// comparisons are sorted by id.
func Agents(older, newer map[string]Side) []Comparison {
	var out []Comparison
	for _, p := range pairs(agents(older), agents(newer), (*agent).name, (*agent).moved) {
		was, is := cmp.Or(p.was, &agent{}), cmp.Or(p.is, &agent{})
		id := is.id
		if p.is == nil {
			id = was.id
		}
		out = append(out, compare(id, was.Side, is.Side))
	}
	slices.SortFunc(out, func(a, b Comparison) int { return cmp.Compare(a.Agent, b.Agent) })
	return out
}

type agent struct {
	Side

	id string
}

func agents(sides map[string]Side) (list []agent) {
	for _, id := range sortedKeys(sides) {
		list = append(list, agent{sides[id], id})
	}
	return list
}

func (a *agent) name() string { return a.id }

// moved is what a card keeps when it moves.
func (a *agent) moved() string {
	if len(a.Card.Interfaces) == 0 {
		return a.id
	}
	return fmt.Sprintf("%q %q", a.Card.Name, a.Card.Interfaces[0].URL)
}

func compare(id string, before, after Side) Comparison {
	older, newer := before.Card, after.Card
	f, name := facts{}, cmp.Or(newer, older).Name
	what := "the agent " + diag.Quote(name)
	both := f.present(where{}, older != nil, newer != nil, name, what, diag.AgentRemoved, diag.AgentAdded)
	if both {
		f.changes = Documents(before, after)
	}
	if both && before.Path != after.Path && before.Path != "" && after.Path != "" {
		f.add(diag.CardMoved, where{}, source.NewText(before.Path), source.NewText(after.Path),
			"the card moved, so clients no longer find it")
	}
	c := Comparison{Agent: id, Old: older, New: newer, Changes: classed(f.changes)}
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
	moved := c.Rule == diag.ClientMoved && schema.Host(c.Old.Word()) != schema.Host(c.New.Word()) // to another host
	return moved || c.Rule == diag.AgentRemoved || c.Rule == diag.ListedRemoved || c.Rule == diag.RequirementDropped
}

// All returns the changes of all agents, the worst first.
func All(list []Comparison) (all []Change) {
	for _, c := range list {
		all = append(all, c.Changes...)
	}
	return classed(all)
}

// Listing is a key set or a list of a tree: what it names, and its bytes.
type Listing struct {
	Names []string
	Data  string
}

// Listings compares the key sets and lists of two trees, by path: one change for each.
func Listings(older, newer map[string]Listing) Comparison {
	var f facts
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
		f.add(rule, where{key: "/" + file}, list(was.Names), list(is.Names), "%s %s%s", file, what,
			delta(was.Names, is.Names))
	})
	return Comparison{Changes: classed(f.changes)}
}
