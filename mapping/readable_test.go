package mapping_test

import (
	"strings"
	"testing"

	"cardwright/mapping"
)

func TestReadable(t *testing.T) {
	for _, c := range []struct{ id, name, description, want string }{
		{
			"chart-maker", "chart-maker", `Draws charts. Use when the user says "make a chart" or "plot this, please".`,
			"Chart Maker|chart,maker|make a chart;plot this, please",
		},
		// One phrase is a quotation.
		{"guide-to-sql", "The SQL guide", `Says "hello" and “plot this”.`, "The SQL guide|guide,sql|"},
		{"x", "x", `The 19" rack "of a" kind and 21" others.`, "X|x|"},
		{"a.b", "a.b", `Fills in "${NAME} of it" and "{{ the rest }} here" and "one two".`, "a.b|a.b|"},
	} {
		s := mapping.Skill{}
		s.ID, s.Name, s.Description = c.id, c.name, c.description
		s.SpellName()
		s.TagWords()
		s.QuoteExamples()
		if got := s.Name + "|" + strings.Join(s.Tags, ",") + "|" + strings.Join(s.Examples, ";"); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.id, got, c.want)
		}
	}
	given := mapping.Skill{}
	given.ID, given.Tags, given.Examples = "a-b", []string{"own"}, []string{"Do it"}
	given.Description = `Says "make a chart" and "plot this".`
	given.TagWords()
	given.QuoteExamples()
	if len(given.Tags) != 1 || len(given.Examples) != 1 {
		t.Errorf("what a skill has is replaced: %v", given.Skill)
	}
}
