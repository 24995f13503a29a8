package config

import (
	"slices"

	"cardwright/internal/source"
)

// Effective returns the configuration that a run uses: without the keys that
// are applied, and with the resulting agents. For a named agent, it returns
// only that agent.
func (c *Config) Effective(agent string) *source.Node {
	for i := range c.Agents {
		if c.Agents[i].ID == agent {
			return c.Agents[i].Node
		}
	}
	applied := []string{"agents", "defaults", "environments", "extends", "include", "vars"}
	var members []source.Member
	for _, m := range c.Node.Members {
		if !slices.Contains(applied, m.Key) {
			members = append(members, m)
		}
	}
	agents := &source.Node{Kind: source.Array}
	for i := range c.Agents {
		agents.Items = append(agents.Items, c.Agents[i].Node)
	}
	return c.Node.WithMembers(append(members, source.Member{Key: "agents", Value: agents}))
}

// NoLegacy reports whether no agent is to have an agent.json.
func (c *Config) NoLegacy() bool {
	return len(c.Agents) > 0 && !slices.ContainsFunc(c.Agents,
		func(a Agent) bool { return a.LegacyPath != LegacyNone })
}
