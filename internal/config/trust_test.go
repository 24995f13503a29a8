package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/diag"
)

// Whichever rule the configuration sets in whichever place, and every rule that guards
// from the start, weighs no less for a team that lowers it in whichever place.
func TestEveryRuleIsAFloor(t *testing.T) {
	platform := map[string]string{ // where the configuration sets a rule
		"root":         "rules: {%s: error}\n",
		"defaults":     "defaults: {rules: {%s: error}}\n",
		"environments": "environments: {staging: {rules: {%s: error}}}\n",
		"an agent":     "environments: {staging: {agents: [{id: a, rules: {%s: error}}]}}\n",
		"nowhere":      "# %s\n",
	}
	team := map[string]string{ // and where a file of include lowers it
		"agent":    "agents: [{id: a, name: A, interfaces: [{url: https://a.example/}], rules: {%s: %q}}]\n",
		"defaults": "defaults: {rules: {%s: %q}}\nagents: [{id: a, name: A, interfaces: [{url: https://a.example/}]}]\n",
	}
	for _, id := range diag.RuleIDs() {
		rule, _ := diag.FindRule(id)
		for above, set := range platform {
			for below, lower := range team {
				for _, severity := range []string{"off", "warning"} {
					if !diag.Guards(id) && (above != "root" || severity != "off") {
						continue // they all go one way
					}
					files := fstest.MapFS{"teams/a.yaml": {Data: fmt.Appendf(nil, lower, id, severity)}}
					o := Options{
						File:  "cardwright.yaml",
						Files: &Files{FS: files, Name: "cardwright.yaml", Show: func(name string) string { return name }},
					}
					if strings.HasPrefix(set, "environments") {
						o.Environment = "staging"
					}
					c, found := Load(fmt.Appendf(nil, "version: 1\ninclude: [teams/a.yaml]\n"+set, id), o)
					least := diag.Error
					if above == "nowhere" {
						least = rule.Severity
					}
					wanted, _ := diag.ParseSeverity(severity)
					refused := slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
						return d.Rule == "config-authority" && d.Span.File == "teams/a.yaml"
					})
					if refused && wanted >= least {
						t.Errorf("%s in %s, %s in the %s of a team is refused", id, above, severity, below)
					}
					for i := range c.Agents { // none where the file of the team is broken by that
						if got, set := c.Agents[i].Rules[id]; !refused && wanted < least && (!set || got < least) {
							t.Errorf("%s in %s, %s in the %s of a team: it weighs %s", id, above, severity, below, got)
						}
					}
				}
			}
		}
	}
}
