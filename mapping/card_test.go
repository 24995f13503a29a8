package mapping

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Who is on a card stands in the same members as in a header.
func TestCard(t *testing.T) {
	skills, found := card(document(t, `{
  "name": "Old", "url": "https://old.example/a2a", "x-team": "none",
  "skills": [
    {"id": "write", "name": "Write", "description": "Writes.", "tags": ["text"], "examples": ["Write it"], "x-cost": 1},
    {"id": "read", "name": "Read", "description": "R", "tags": ["t"], "inputModes": ["t"], "a2a-visibility": "hidden"},
    {"id": "sort", "name": "Sort", "description": "Sorts.", "tags": ["t"], "metadata": {"a2a-visibility": "extended"}},
    {"id": "join", "name": "Join", "description": "Joins.", "tags": ["t"], "a2aVisibility": "public"}
  ]
}`))
	var got []string
	for _, s := range skills {
		got = append(got, strings.TrimPrefix(s.Origin.String(), "f:")+" "+string(s.Visibility)+" "+brief(s.Skill))
	}
	want := []string{
		"7:12 hidden join|Join|Joins.|t", "5:12 hidden read|Read|R|t||t",
		"6:12 extended sort|Sort|Sorts.|t", "4:12 public write|Write|Writes.|text|Write it",
	}
	if d := cmp.Diff(want, got); d != "" || !strings.Contains(ruled(found), "7:76 warning source-visibility") {
		t.Errorf("found %s (-want +got):\n%s", ruled(found), d)
	}
	for _, in := range []string{`{"name": "x", "url": "https://x.example"}`, `{"openapi": "3.1.0"}`, `[]`} {
		if skills, found := card(document(t, in)); len(skills) > 0 || len(found) == 0 {
			t.Errorf("%s gives %v and %s", in, skills, ruled(found))
		}
	}
}
