package mapping

import "testing"

// A description is what its author wrote, with two exceptions.
func TestDescriptionAsWritten(t *testing.T) {
	for in, want := range map[string]string{
		"Use when asked. Draws charts.":                "Use when asked. Draws charts.",
		"'Always search first. Automates mail. '":      "Always search first. Automates mail.",
		"|\n  One  \n  Two.\n":                         "One\nTwo.",
		`Plans releases.\nThen more.`:                  "Plans releases.\nThen more.",
		`'A literal \n stays'`:                         `A literal \n stays`,
		`"Real\nbreak"`:                                "Real\nbreak",
		`Plans.\n\n<example>user asks</example> Then.`: "Plans.",
		`Plans. <Example id="1">user asks</Example>`:   "Plans.",
		`Plans <examples> of <example.com> things.`:    "Plans <examples> of <example.com> things.",
		`Use when: asked\nfor more`:                    "Use when: asked\nfor more",
	} {
		skill := read("---\nname: x\ndescription: " + in + "\n---\n")
		if skill == nil || skill.Description != want {
			t.Errorf("%q: got %+v, want %q", in, skill, want)
		}
	}
	if skill := read("---\nname: x\ndescription: <example>user asks</example>\n---\n"); skill != nil {
		t.Errorf("got %q", skill.Description)
	}
}
