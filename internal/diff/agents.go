package diff

import (
	"cmp"
	"fmt"
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
	Changes  []Change     // in the order of [Cards]
	Edited   bool         // Old is not what was generated, so that it asks nothing of the version
}

// Agents compares two trees of cards, by the ids of their agents. An agent whose id
// is gone is the new one that has its name and an interface of it: its card moved.
// The comparisons are sorted by id.
func Agents(older, newer map[string]Side) []Comparison {
	moved := map[string]string{} // from the new id to the old one
	for _, id := range sortedKeys(newer) {
		for _, was := range sortedKeys(older) {
			_, still := newer[was]
			if _, known := older[id]; !known && !still && moved[id] == "" && sameAgent(older[was], newer[id]) {
				moved[id] = was
			}
		}
	}
	all := maps.Clone(older)
	maps.Copy(all, newer)
	for _, was := range moved {
		delete(all, was)
	}
	var out []Comparison
	for _, id := range sortedKeys(all) {
		out = append(out, compare(id, older[cmp.Or(moved[id], id)], newer[id]))
	}
	return out
}

// sameAgent reports whether two cards are those of one agent.
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
		facts.added("agent-added", where{}, newer.Name, cardPart(newer), "the agent "+diag.Quote(newer.Name))
	case newer == nil:
		facts.gone("agent-removed", where{}, older.Name, cardPart(older), "the agent "+diag.Quote(older.Name))
	default:
		facts.changes = Documents(before, after)
		if before.Path != after.Path {
			facts.tell("card-moved", where{}, source.NewText(before.Path), source.NewText(after.Path),
				"the card moved, so clients no longer find it")
		}
	}
	for i := range facts.changes {
		facts.changes[i].Agent = id
	}
	return Comparison{Agent: id, Old: older, New: newer, Changes: judged(facts.changes)}
}

// Owned returns the comparison with those who answer for its agents.
func (c Comparison) Owned(owner func(agent string) string) Comparison {
	c.Changes = slices.Clone(c.Changes)
	for i := range c.Changes {
		c.Changes[i].Owner = owner(c.Changes[i].Agent)
	}
	return c
}

// All returns the changes of all agents, the worst first.
func All(list []Comparison) []Change {
	var all []Change
	for _, c := range list {
		all = append(all, c.Changes...)
	}
	return judged(all)
}

// PublishedSkill is a skill that a tree publishes with its files.
type PublishedSkill struct {
	Name, Description string
	Agent             string   // whose it is, "" where no manifest tells
	Digest            string   // of its artifact, "" where no index tells
	Files             []string // paths below its directory
}

// Files are the files of a skill that become public, and those that are no longer.
type Files struct{ Added, Removed []string }

// Changed reports whether there are any.
func (f Files) Changed() bool { return len(f.Added)+len(f.Removed) > 0 }

// Published compares what two trees publish of skills, by where it is listed and
// its name.
func Published(older, newer map[string]PublishedSkill) Comparison {
	var c Comparison
	entries(older, newer, func(key string, was, is *PublishedSkill) {
		change := Change{Key: source.Pointer("/published", key), Part: source.NewObject(1)}
		var format string
		switch {
		case was == nil:
			change.Rule, change.New = "published-skill-added", source.NewText(is.Name)
			format, change.Files.Added = "the skill %s is published with its files", is.Files
			change.Part.SetText("description", is.Description)
			was = is
		case is == nil:
			change.Rule, change.Old = "published-skill-removed", source.NewText(was.Name)
			format, change.Files.Removed = "the skill %s is no longer published with its files", was.Files
			change.Part.SetText("description", was.Description)
		default:
			change.Rule, format = "published-skill-changed", "the files of the published skill %s changed"
			change.Files = Files{missing(is.Files, was.Files), missing(was.Files, is.Files)}
			if was.Digest != is.Digest {
				change.Old, change.New = source.NewText(was.Digest), source.NewText(is.Digest)
			} else if !change.Files.Changed() {
				return
			}
		}
		change.Agent = was.Agent
		if is != nil && is.Agent != "" {
			change.Agent = is.Agent
		}
		change.Skill, change.Message = was.Name, fmt.Sprintf(format, diag.Quote(was.Name))
		c.Changes = append(c.Changes, change)
	})
	c.Changes = judged(c.Changes)
	return c
}
