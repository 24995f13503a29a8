package mapping

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/schema"
)

func TestCard(t *testing.T) {
	skills, found := card(document(t, `{
  "name": "Old", "url": "https://old.example/a2a", "x-team": "none",
  "skills": [
    {"id": "write", "name": "Write", "description": "Writes.", "tags": ["text"], "examples": ["Write it"], "x-cost": 1},
    {"id": "read", "name": "Read", "description": "Reads.", "tags": ["text"], "inputModes": ["text/plain"]}
  ]
}`))
	want := []schema.Skill{
		{ID: "read", Name: "Read", Description: "Reads.", Tags: []string{"text"}, InputModes: []string{"text/plain"}},
		{ID: "write", Name: "Write", Description: "Writes.", Tags: []string{"text"}, Examples: []string{"Write it"}},
	}
	if d := cmp.Diff(want, bare(skills)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := skills[1].Origin.String(); got != "f:4:12" {
		t.Errorf("the second skill is at %s", got)
	}
	for _, d := range found {
		if d.Rule != diag.CardMemberUnknown {
			t.Errorf("found %s", shown(found))
		}
	}
}

func TestCardWithoutSkills(t *testing.T) {
	for _, in := range []string{`{"name": "x", "url": "https://x.example"}`, `{"openapi": "3.1.0"}`, `[]`} {
		if skills, found := card(document(t, in)); len(skills) > 0 || len(found) == 0 {
			t.Errorf("%s gives %v and %s", in, skills, shown(found))
		}
	}
}
