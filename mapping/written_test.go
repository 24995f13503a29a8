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

// Names are spelled by a table and by the brands of the card, and by nothing else.
func TestTitleByTable(t *testing.T) {
	for _, tt := range []struct{ id, want, brand string }{
		{"github-pr-review", "GitHub PR Review", ""},
		{"power-builder", "Power Builder", ""},
		{"never-stop", "Never Stop", ""},
		{"cicd", "CI/CD", ""},
		{"datarobot-predict", "DataRobot Predict", "DataRobot, Inc."},
		{"datarobot-predict", "Datarobot Predict", ""},
		{"Ahrefs Automation", "Ahrefs Automation", ""},
	} {
		if got := Title(tt.id, tt.brand); got != tt.want {
			t.Errorf("%q with %q: got %q, want %q", tt.id, tt.brand, got, tt.want)
		}
	}
}
