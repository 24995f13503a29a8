package diff

import (
	"fmt"
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// PublishedSkill is a skill that a tree publishes with its files.
type PublishedSkill struct {
	Name, Description string
	Digest            string // of its files
}

// Published compares what two trees publish of skills, by where it is listed and
// its name. The changes belong to no agent.
func Published(older, newer map[string]PublishedSkill) Comparison {
	var c Comparison
	tell := func(rule string, before, after *source.Node, about, format, name string) {
		c.Changes = append(c.Changes, Change{
			Rule: rule, Old: before, New: after, About: about,
			Message: fmt.Sprintf(format, diag.Quote(name)),
		})
	}
	keys := slices.Sorted(maps.Keys(older))
	for key := range newer {
		if _, both := older[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		was, before := older[key]
		is, after := newer[key]
		switch {
		case !before:
			tell("published-skill-added", nil, source.NewText(is.Name), is.Description,
				"the skill %s is published with its files", is.Name)
		case !after:
			tell("published-skill-removed", source.NewText(was.Name), nil, "",
				"the skill %s is no longer published with its files", was.Name)
		case was.Digest != is.Digest:
			tell("published-skill-changed", source.NewText(was.Digest), source.NewText(is.Digest), "",
				"the files of the published skill %s changed", is.Name)
		}
	}
	c.Changes = arranged(judged(c.Changes))
	return c
}
