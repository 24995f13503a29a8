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
		got = append(got, fact{c.Rule, c.Agent, c.Message})
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

// A card at another path is that of the same agent, whatever its id is by now.
func TestAgentsMoved(t *testing.T) {
	older := map[string]Side{"billing": {Card: base(), Path: ".well-known"}, "chat": {Card: base(), Path: "c"}}
	newer := map[string]Side{"invoices": {Card: base(), Path: "invoices"}, "chat": {Card: base(), Path: "d"}}
	var got []string
	for _, c := range All(Agents(older, newer)) {
		got = append(got, c.Agent+" "+c.Rule+" "+c.Old.Text+" "+c.New.Text)
	}
	want := []string{
		"chat card-moved c d", "invoices card-moved .well-known invoices",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestSteps(t *testing.T) {
	breaking := func(c *schema.Card) { c.Skills = nil }
	additive := func(c *schema.Card) { c.Capabilities.PushNotifications = new(true) }
	cosmetic := func(c *schema.Card) { c.Name = "Invoices" }
	nothing := func(*schema.Card) {}
	tests := []struct {
		name     string
		old, new string
		change   func(c *schema.Card)
		asked    Step
		short    bool
	}{
		{"breaking, major", "1.2.3", "2.0.0", breaking, Major, false},
		{"breaking, pre-release of a major", "1.2.3", "2.0.0-rc.1", breaking, Major, false},
		{"breaking, minor", "1.2.3", "1.3.0", breaking, Major, true},
		{"additive, minor", "1.2.3", "1.3.0", additive, Minor, false},
		{"additive, patch", "1.2.3", "1.2.4", additive, Minor, true},
		{"additive, major", "1.2.3", "2.0.0", additive, Minor, false},
		{"cosmetic, patch", "1.2.3", "1.2.4", cosmetic, Patch, false},
		{"cosmetic, the same", "1.2.3", "1.2.3", cosmetic, Patch, true},
		{"cosmetic, build only", "1.2.3+a", "1.2.3+b", cosmetic, Patch, true},
		{"cosmetic, backwards", "1.2.3", "1.2.2", cosmetic, Patch, true},
		{"nothing, the same", "1.2.3", "1.2.3", nothing, NoStep, false},
		{"nothing, backwards", "1.2.3", "1.0.0", nothing, NoStep, false},
		{"breaking under 0.x, minor", "0.2.3", "0.3.0", breaking, Minor, false},
		{"breaking under 0.x, patch", "0.2.3", "0.2.4", breaking, Minor, true},
		{"additive under 0.x, patch", "0.2.3", "0.2.4", additive, Minor, true},
		{"breaking under 0.x, first release", "0.9.0", "1.0.0", breaking, Minor, false},
		{"breaking, after a pre-release", "2.0.0-rc.1", "2.0.0-rc.2", breaking, Major, false},
		{"breaking, before a pre-release", "2.0.0-rc.2", "2.0.0-rc.1", breaking, Major, true},
		{"breaking, no SemVer", "2026-01", "2026-02", breaking, Major, false},
		{"breaking, no SemVer, the same", "2026-01", "2026-01", breaking, Major, true},
		{"breaking, to SemVer", "r7", "1.0.0", breaking, Major, false},
		{"breaking, large numbers", "9999999999999999999.0.0", "10000000000000000000.0.0", breaking, Major, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			older, newer := base(), changed(tt.change)
			older.Version, newer.Version = tt.old, tt.new
			c := compare("billing", Side{Card: older}, Side{Card: newer})
			if got := c.Asked(); got != tt.asked {
				t.Errorf("asks for %s, want %s", got, tt.asked)
			}
			if got := c.Short(); got != tt.short {
				t.Errorf("short: %t, want %t", got, tt.short)
			}
		})
	}
}

func TestPublished(t *testing.T) {
	skill := func(name, digest string) PublishedSkill { return PublishedSkill{Name: name, Digest: digest} }
	older := map[string]PublishedSkill{"i a": skill("a", "1"), "i b": skill("b", "1"), "i same": skill("same", "1")}
	newer := map[string]PublishedSkill{"i b": skill("b", "2"), "i c": skill("c", "1"), "i same": skill("same", "1")}
	var got []string
	for _, c := range Published(older, newer).Changes {
		got = append(got, c.Rule+": "+c.Message)
	}
	want := []string{
		`published-skill-removed: the skill "a" is no longer published with its files`,
		`published-skill-added: the skill "c" is published with its files`,
		`published-skill-changed: the files of the published skill "b" changed`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
