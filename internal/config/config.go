package config

import (
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

// Agent returns the agent with an id, nil where none has it.
func (c *Config) Agent(id string) *Agent {
	for i := range c.Agents {
		if c.Agents[i].ID == id {
			return &c.Agents[i]
		}
	}
	return nil
}

// NoLegacy reports whether no agent is to have an agent.json.
func (c *Config) NoLegacy() bool {
	return len(c.Agents) > 0 && !slices.ContainsFunc(c.Agents,
		func(a Agent) bool { return a.LegacyPath != LegacyNone })
}

// Layout says where in the output tree an agent's files go.
type Layout string

// The layouts. Auto has become one of the others when a Config is loaded.
const (
	Auto   Layout = "auto"
	Single Layout = "single" // at the root
	Path   Layout = "path"   // below the agent's id
	Host   Layout = "host"   // below the agent's host
)

// Legacy says what the file for clients before A2A 0.3 is.
type Legacy string

// What agent.json can be.
const (
	LegacyCopy  Legacy = "true"  // a copy of the card
	LegacySplit Legacy = "split" // the card for 0.3, beside one for 1.0
	LegacyNone  Legacy = "false" // not there
)

// Text is a text with the place it stands at.
type Text struct {
	Value string
	Span  diag.Span
}

// Split returns the directory of a pattern of paths, and the pattern below it.
func (t Text) Split() (dir, pattern string) {
	dir = t.Value
	if at := strings.IndexAny(dir, "*?["); at >= 0 {
		dir = dir[:at]
	}
	dir = dir[:strings.LastIndexByte(dir, '/')+1]
	return path.Clean(dir), t.Value[len(dir):]
}
