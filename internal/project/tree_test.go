package project

import (
	"testing"

	"cardwright/internal/config"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// A run for one agent keeps what belongs to the other agents of the configuration, wherever
// it is, and nothing of agents that only a manifest has.
func TestLeftAlone(t *testing.T) {
	agents := []config.Agent{{ID: "review", Host: "review.example"}, {ID: "billing", Host: "billing.example"}}
	path := &config.Config{Layout: config.Path, Agents: agents}
	host := &config.Config{Layout: config.Host, Agents: agents}
	for name, c := range map[string]struct {
		config      *config.Config
		agent, file string
		want        bool
	}{
		"another agent":             {path, "billing", "billing/.well-known/agent-card.json", true},
		"this agent":                {path, "review", "review/.well-known/old.json", false},
		"an agent elsewhere":        {path, "billing", "support/.well-known/agent-card.json", true},
		"an unknown agent":          {path, "ghost", "ghost/.well-known/agent-card.json", false},
		"page":                      {path, "", "index.html", true},
		"catalog":                   {path, "", ".well-known/ai-catalog.json", true},
		"sidecar":                   {path, "", ".well-known/jwks.json.etag", true},
		"configuration of a server": {path, "", ".htaccess", true},
		"card of nobody":            {path, "", ".well-known/agent-card.json", false},
		"old card of nobody":        {path, "", ".well-known/agent.json", false},
		"file in a directory":       {path, "", "billing/index.html", false},
		"another host":              {host, "billing", "billing.example/.well-known/agent-card.json", true},
		"an agent on another host":  {host, "billing", "ghost.example/.well-known/agent-card.json", true},
		"page of a host":            {host, "", "billing.example/index.html", true},
		"page of an unknown host":   {host, "", "ghost.example/index.html", false},
		"card of no host":           {host, "", "billing.example/.well-known/agent-card.json", false},
		"file of no host":           {host, "", "index.html", false},
	} {
		t.Run(name, func(t *testing.T) {
			run := &Run{Agents: []string{"review"}, Config: c.config}
			if got := leftAlone(run)(c.agent, c.file); got != c.want {
				t.Errorf("%s of %q: %v, want %v", c.file, c.agent, got, c.want)
			}
		})
	}
	if leftAlone(&Run{Config: path}) != nil {
		t.Error("a run for all agents leaves something alone")
	}
}

// What the text of a manifest says of cards is what reading it says.
func TestUnmoved(t *testing.T) {
	c := &config.Config{Layout: config.Path, Agents: []config.Agent{{ID: "billing"}, {ID: "review"}}}
	listing := func(entries ...tree.Entry) []byte { return schema.Write(tree.Manifest{Files: entries}.Node()) }
	billing := tree.Entry{Path: "billing/.well-known/agent-card.json", Agent: "billing"}
	review := tree.Entry{Path: "review/.well-known/agent-card.json", Agent: "review"}
	moved, other := review, review
	moved.Path, other.Agent = "old/.well-known/agent-card.json", "billing"
	for name, tt := range map[string]struct {
		manifest []byte
		want     bool
	}{
		"where they go":    {listing(billing, tree.Entry{Path: "page"}, review), true},
		"another place":    {listing(billing, moved), false},
		"another agent":    {listing(billing, other), false},
		"none":             {listing(billing), false},
		"no manifest":      {nil, false},
		"words of a value": {listing(billing, tree.Entry{Path: string(listing(review))}), false},
	} {
		if got := unmoved(c, tt.manifest); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
