package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diff"
)

func TestAgents(t *testing.T) {
	at := func(path, name string) diff.Side {
		side := read(t, "base", "/name", `"`+name+`"`)
		side.Path = path
		return side
	}
	older := map[string]diff.Side{
		"billing": at("b", "Billing"), "support": at("s", "Support"), "same": at("m", "Same"), "": at(".well-known", "Moved"),
		"chat": at("c", "Chat"),
	}
	newer := map[string]diff.Side{
		"billing": at("b", "Invoices"), "orders": at("o", "Orders"), "same": at("m", "Same"), "moved": at("moved", "Moved"),
		"chat": at("d", "Chat"),
	}
	comparisons := diff.Agents(older, newer)
	var got []string
	for _, c := range diff.All(comparisons) {
		got = append(got, c.Agent+" "+c.Rule.String()+" "+diff.Compact(c.Old)+" "+diff.Compact(c.New))
	}
	want := []string{
		`chat card-moved "c" "d"`, `moved card-moved ".well-known" "moved"`, `support agent-removed "Support" `,
		`orders agent-added  "Orders"`, `billing name-changed "Billing" "Invoices"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if got := diff.Asked(comparisons); got != diff.Major {
		t.Errorf("asks for %s, want major", got)
	}
}

// A version declares breaking changes where it moves as far as they ask, but not those
// that a person has to accept.
func TestDeclared(t *testing.T) {
	lost := []string{"/skills/0", ""}
	for _, tt := range []struct {
		name     string
		old, new string
		change   []string
		asked    diff.Step
		declared bool
	}{
		{"major", "1.2.3", "2.0.0", lost, diff.Major, true},
		{"pre-release of a major", "1.2.3", "2.0.0-rc.1", lost, diff.Major, true},
		{"minor", "1.2.3", "1.3.0", lost, diff.Major, false},
		{"the same", "1.2.3", "1.2.3", lost, diff.Major, false},
		{"backwards", "2.2.3", "1.0.0", lost, diff.Major, false},
		{"build only", "1.2.3+a", "1.2.3+b", lost, diff.Major, false},
		{"under 0.x, minor", "0.2.3", "0.3.0", lost, diff.Minor, true},
		{"under 0.x, patch", "0.2.3", "0.2.4", lost, diff.Minor, false},
		{"under 0.x, first release", "0.9.0", "1.0.0", lost, diff.Minor, true},
		{"after a pre-release", "2.0.0-rc.1", "2.0.0-rc.2", lost, diff.Major, false},
		{"no SemVer", "2026-01", "2026-02", lost, diff.Major, false},
		{"to SemVer", "r7", "1.0.0", lost, diff.Major, false},
		{"large numbers", "9999999999999999999.0.0", "10000000000000000000.0.0", lost, diff.Major, true},
		{"a requirement that is dropped", "1.2.3", "2.0.0", []string{"/securityRequirements", ""}, diff.Major, false},
		{
			"an interface that moved", "1.2.3", "2.0.0",
			[]string{"/supportedInterfaces/0/url", `"https://evil.example/a2a"`},
			diff.Major, true,
		},
		{"a cosmetic change", "1.2.3", "1.2.4", []string{"/description", `"Bills."`}, diff.Patch, false},
	} {
		older := map[string]diff.Side{"a": read(t, "base", "/version", `"`+tt.old+`"`)}
		newer := map[string]diff.Side{"a": read(t, "base", append(tt.change, "/version", `"`+tt.new+`"`)...)}
		list := diff.Agents(older, newer)
		if got := diff.Asked(list); got != tt.asked {
			t.Errorf("%s: asks for %s, want %s", tt.name, got, tt.asked)
		}
		if c := list[0].Changes[0]; (c.Declared != "") != tt.declared {
			t.Errorf("%s: %+v, want declared: %t", tt.name, c, tt.declared)
		}
	}
}

func TestListings(t *testing.T) {
	older := map[string]diff.Listing{
		"jwks.json": {[]string{"a"}, "1"}, "index.json": {[]string{"x"}, "1"}, "same.json": {nil, "1"}, "gone.json": {},
		"form.json": {nil, "1"},
	}
	newer := map[string]diff.Listing{
		"jwks.json": {[]string{"b"}, "2"}, "index.json": {[]string{"x", "y"}, "2"}, "same.json": {nil, "1"},
		"form.json": {nil, "2"}, "new.json": {[]string{"z"}, "1"},
	}
	var got []string
	for _, c := range diff.Listings(older, newer).Changes {
		got = append(got, c.Class.String()+" "+c.Message)
	}
	want := []string{
		`breaking jwks.json changed: added "b", removed "a"`, `additive index.json changed: added "y"`,
		`additive new.json is new: added "z"`, "cosmetic form.json changed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
