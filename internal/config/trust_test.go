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
	platform := map[string]string{ // where the configuration sets rules
		"root":         "rules: {%s}\n",
		"defaults":     "defaults: {rules: {%s}}\n",
		"environments": "environments: {staging: {rules: {%s}}}\n",
		"an agent":     "environments: {staging: {agents: [{id: a, rules: {%s}}]}}\n",
		"nowhere":      "# %s\n",
	}
	team := map[string]string{ // and where a file of include lowers them
		"agent":    "agents: [{id: a, name: A, interfaces: [{url: https://a.example/}], rules: {%s}}]\n",
		"defaults": "defaults: {rules: {%s}}\nagents: [{id: a, name: A, interfaces: [{url: https://a.example/}]}]\n",
	}
	guards, others := divided(diag.RuleIDs(), diag.Guards)
	for below, lower := range team {
		floorsHold(t, others, "root", platform["root"], below, lower, "off") // they all go one way
		for _, id := range guards {
			for above, set := range platform {
				for _, severity := range []string{"off", "warning"} {
					floorsHold(t, []string{id}, above, set, below, lower, severity)
				}
			}
		}
	}
}

// divided divides a list into what is so and what is not.
func divided(list []string, is func(string) bool) (yes, no []string) {
	for _, s := range list {
		if is(s) {
			yes = append(yes, s)
		} else {
			no = append(no, s)
		}
	}
	return yes, no
}

// floorsHold demands that rules which the configuration makes errors weigh no less where a
// team lowers them, or that each of these attempts is refused.
func floorsHold(t *testing.T, ids []string, above, set, below, lower, severity string) {
	t.Helper()
	all := func(severity string) (list []byte) {
		for _, id := range ids {
			list = fmt.Appendf(list, "%s: %q, ", id, severity)
		}
		return list
	}
	files := fstest.MapFS{"teams/a.yaml": {Data: fmt.Appendf(nil, lower, all(severity))}}
	o := Options{
		File:  "cardwright.yaml",
		Files: &Files{FS: files, Name: "cardwright.yaml", Show: func(name string) string { return name }},
	}
	if strings.HasPrefix(set, "environments") {
		o.Environment = "staging"
	}
	c, found := Load(fmt.Appendf(nil, "version: 1\ninclude: [teams/a.yaml]\n"+set, all("error")), o)
	wanted, _ := diag.ParseSeverity(severity)
	refused := len(slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return d.Rule != "config-authority" || d.Span.File != "teams/a.yaml"
	}))
	if refused > 0 && refused < len(ids) {
		t.Errorf("%d of %d rules in %s, %s in the %s of a team are refused", refused, len(ids), above, severity, below)
	}
	for _, id := range ids {
		rule, _ := diag.FindRule(id)
		least := diag.Error
		if above == "nowhere" {
			least = rule.Severity
		}
		if refused > 0 && wanted >= least {
			t.Errorf("%s in %s, %s in the %s of a team is refused", id, above, severity, below)
		}
		for i := range c.Agents { // none where the file of the team is broken by that
			if got, set := c.Agents[i].Rules[id]; refused == 0 && wanted < least && (!set || got < least) {
				t.Errorf("%s in %s, %s in the %s of a team: it weighs %s", id, above, severity, below, got)
			}
		}
	}
}
