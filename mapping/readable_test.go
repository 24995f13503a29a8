package mapping_test

import (
	"os"
	"slices"
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

// The examples of the documentation, and what is left out of them.
func TestChooseSentences(t *testing.T) {
	doc, err := os.ReadFile("../docs/mapping.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "| description of the skill | description on the card |\n| --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if len(rows) < 4 {
		t.Errorf("docs/mapping.md has %d examples", len(rows))
	}
	const slow = "ALWAYS use this skill when a page is slow."
	rows = append(
		rows,
		"Run this before any commit. Checks the code style. | Checks the code style.",
		slow+" Finds slow queries. | Finds slow queries. "+slow,
		"Tunes models. Do not use for training. Covers LoRA. Reports costs. | "+
			"Tunes models. Reports costs. Do not use for training. Covers LoRA.",
		"Run SQL on a warehouse (use e.g. DuckDB. Use it first). | Run SQL on a warehouse (use e.g. DuckDB. Use it first).",
	)
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		s := mapping.Skill{}
		s.Description = cells[0]
		left := s.ChooseSentences()
		if s.Description != cells[1] {
			t.Errorf("%s\nbecomes %s\nwant    %s", cells[0], s.Description, cells[1])
		}
		if whole := len(s.Description) + len(strings.Join(left, " ")); whole < len(cells[0])-1 {
			t.Errorf("%s: %q is neither on the card nor reported", cells[0], left)
		}
	}
}

// Nothing of a description gets lost, whatever it is made of.
func TestChooseSentencesLosesNothing(t *testing.T) {
	for _, text := range []string{
		"Use when: - a - b. Draws \"it. Now\" (e.g. This). MUST use 2. <example>x. Y</example> Z.",
		"Never. Always do. A。B! C? “D.” *E* Draws (it. Use when F. Draws.",
		"<example> Draws it. Use it.", "Don't do. Prefer it over X. Not for Y. Also Z.", "", ". . .",
	} {
		s := mapping.Skill{}
		s.Description = text
		left := s.ChooseSentences()
		if after := sortedWords(s.Description + " " + strings.Join(left, " ")); after != sortedWords(text) {
			t.Errorf("%q becomes %q and %q", text, s.Description, left)
		}
	}
}

func sortedWords(text string) string {
	return strings.Join(slices.Sorted(strings.FieldsSeq(text)), " ")
}
