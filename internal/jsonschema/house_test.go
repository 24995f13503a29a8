package jsonschema

import (
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

// What a policy takes on a card is bounded: the product of both may be large
// where each of them is small.
func TestPolicyIsBounded(t *testing.T) {
	each := func(n int, format string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(parts, ",")
	}
	runs := fixture.Rounds(mostRuns/20, mostRuns)
	inSkills := func(schema string) string { return `{"properties": {"skills": {"items": ` + schema + `}}}` }
	for name, c := range map[string]struct {
		policy string
		skills int
		want   string // the last fault
		most   int
	}{
		"as people write them": {inSkills(`{"required": ["id"], "properties": {"id": {"pattern": "^s"}}}`), 2100, "", 0},
		"many faults": {
			inSkills(`{"required": ["a"]}`), 2100, "at least 1001 more faults are not shown",
			mostJudged + 1,
		},
		"many runs": {
			inSkills(`{"properties": {"id": {"allOf": [` + each(490, `{"maximum": %d}`) + `]}}}`), runs / 480,
			fmt.Sprintf("would be used more than %d times", runs), 1,
		},
		"runs that find nothing": {
			inSkills(`{"not": {"anyOf": [` + each(490, `{"required": ["m%d"]}`) + `]}}`), 20000, "values, times 1", 1,
		},
		"many values": {
			inSkills(`{"properties": {"id": {"enum": [` + each(6000, `"m%d"`) + `]}}}`), 5000,
			"values, times 6", 1,
		},
		"many patterns": {
			inSkills(`{"properties": {"id": {"allOf": [` + each(490, `{"pattern": "(x|y)*s%d"}`) + `]}}}`),
			40000, "times 490 patterns", 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			schema, found := source.ParseJSON("policy", []byte(c.policy), source.Limits{})
			policy, faults := Policy(schema, "the card", new(Work))
			if len(found) > 0 || faults != nil {
				t.Fatal(found, faults)
			}
			if name == "many runs" {
				policy.effort.runs.most = runs
			}
			card, found := source.ParseJSON("card", []byte(`{"skills": [`+each(c.skills, `{"id": "s%d"}`)+`]}`), source.Limits{})
			if len(found) > 0 {
				t.Fatal(found)
			}
			for range 2 { // one run leaves nothing to the next, which the quick ones show
				got, err := policy.Judge(t.Context(), card)
				if err != nil {
					t.Fatal(err)
				}
				last := ""
				if len(got) > 0 {
					last = got[len(got)-1].Message
				}
				if len(got) != c.most || !strings.Contains(last, c.want) {
					t.Errorf("%d faults, the last: %s", len(got), last)
				}
				if c.most == 1 {
					break
				}
			}
		})
	}
}
