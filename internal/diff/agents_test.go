package diff

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/schema"
)

func TestAgents(t *testing.T) {
	older := map[string]Side{
		"billing": {Card: base()}, "support": {Card: &schema.Card{Name: "Support"}},
		"same": {Card: base()},
	}
	renamed := changed(func(c *schema.Card) { c.Name = "Invoices" })
	newer := map[string]Side{
		"billing": {Card: renamed}, "chat": {Card: &schema.Card{Name: "Chat"}},
		"same": {Card: base()},
	}
	comparisons := Agents(older, newer)
	var agents []string
	for _, c := range comparisons {
		agents = append(agents, c.Agent)
	}
	if diff := cmp.Diff([]string{"billing", "chat", "same", "support"}, agents); diff != "" {
		t.Errorf("agents (-want +got):\n%s", diff)
	}
	type fact struct{ Rule, Agent, Message string }
	var got []fact
	for _, c := range All(comparisons) {
		got = append(got, fact{c.Rule.String(), c.Agent, c.Message})
	}
	want := []fact{
		{"agent-removed", "support", `the agent "Support" is gone`},
		{"agent-added", "chat", `the agent "Chat" is new`},
		{"name-changed", "billing", "the name of the agent changed"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if got := Asked(comparisons); got != Major {
		t.Errorf("asks for %s, want major", got)
	}
}

// A card at another path belongs to the same agent, whatever its id is by now.
func TestAgentsMoved(t *testing.T) {
	older := map[string]Side{"": {Card: base(), Path: ".well-known"}, "chat": {Card: base(), Path: "c"}}
	newer := map[string]Side{"invoices": {Card: base(), Path: "invoices"}, "chat": {Card: base(), Path: "d"}}
	var got []string
	for _, c := range All(Agents(older, newer)) {
		got = append(got, c.Agent+" "+c.Rule.String()+" "+c.Old.Text+" "+c.New.Text)
	}
	want := []string{
		"chat card-moved c d", "invoices card-moved .well-known invoices",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A version declares breaking changes where it moves as far as they ask, but not those
// that a person has to accept.
func TestDeclared(t *testing.T) {
	breaking := func(c *schema.Card) { c.Skills = nil }
	open := func(c *schema.Card) { c.Security = nil }
	moved := func(c *schema.Card) { c.Interfaces[0].URL = "https://evil.example/a2a" }
	tests := []struct {
		name     string
		old, new string
		change   func(c *schema.Card)
		asked    Step
		declared bool
	}{
		{"major", "1.2.3", "2.0.0", breaking, Major, true},
		{"pre-release of a major", "1.2.3", "2.0.0-rc.1", breaking, Major, true},
		{"minor", "1.2.3", "1.3.0", breaking, Major, false},
		{"the same", "1.2.3", "1.2.3", breaking, Major, false},
		{"backwards", "2.2.3", "1.0.0", breaking, Major, false},
		{"build only", "1.2.3+a", "1.2.3+b", breaking, Major, false},
		{"under 0.x, minor", "0.2.3", "0.3.0", breaking, Minor, true},
		{"under 0.x, patch", "0.2.3", "0.2.4", breaking, Minor, false},
		{"under 0.x, first release", "0.9.0", "1.0.0", breaking, Minor, true},
		{"after a pre-release", "2.0.0-rc.1", "2.0.0-rc.2", breaking, Major, false},
		{"no SemVer", "2026-01", "2026-02", breaking, Major, false},
		{"to SemVer", "r7", "1.0.0", breaking, Major, false},
		{"large numbers", "9999999999999999999.0.0", "10000000000000000000.0.0", breaking, Major, true},
		{"a requirement that is dropped", "1.2.3", "2.0.0", open, Major, false},
		{"an interface that moved", "1.2.3", "2.0.0", moved, Major, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			older, newer := base(), changed(tt.change)
			older.Version, newer.Version = tt.old, tt.new
			c := compare("billing", Side{Card: older}, Side{Card: newer})
			if got := c.Asked(); got != tt.asked {
				t.Errorf("asks for %s, want %s", got, tt.asked)
			}
			if got := c.Changes[0].Declared != ""; got != tt.declared {
				t.Errorf("declared: %t, want %t: %+v", got, tt.declared, c.Changes[0])
			}
		})
	}
}

func TestListings(t *testing.T) {
	older := map[string]Listing{
		"jwks.json": {[]string{"a"}, "1"}, "index.json": {[]string{"x"}, "1"}, "same.json": {nil, "1"},
	}
	newer := map[string]Listing{
		"jwks.json": {[]string{"b"}, "2"}, "index.json": {[]string{"x", "y"}, "2"}, "same.json": {nil, "1"},
	}
	var got []string
	for _, c := range Listings(older, newer).Changes {
		got = append(got, c.Class.String()+" "+c.Message)
	}
	want := []string{`breaking jwks.json changed: added "b", removed "a"`, `additive index.json changed: added "y"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
