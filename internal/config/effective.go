package config

import (
	"slices"

	"cardwright/internal/source"
)

// Effective returns the configuration that a run for some agents uses, or for all:
// without the keys that are applied, and with the resulting agents.
func (c *Config) Effective(ids []string) *source.Node {
	applied := []string{"agents", "defaults", "environments", "extends", "include", "vars"}
	var members []source.Member
	for _, m := range c.Node.Members {
		if !slices.Contains(applied, m.Key) {
			members = append(members, m)
		}
	}
	agents := &source.Node{Kind: source.Array}
	for i := range c.Agents {
		if len(ids) == 0 || slices.Contains(ids, c.Agents[i].ID) {
			agents.Items = append(agents.Items, c.Agents[i].Node)
		}
	}
	return c.Node.WithMembers(append(members, source.Member{Key: "agents", Value: agents}))
}

// NoLegacy reports whether no agent is to have an agent.json.
func (c *Config) NoLegacy() bool {
	return len(c.Agents) > 0 && !slices.ContainsFunc(c.Agents,
		func(a Agent) bool { return a.LegacyPath != LegacyNone })
}
