package generate

import (
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/mapping"
)

// What is a copy of a private skill, and what only resembles one.
func TestMatch(t *testing.T) {
	const (
		text  = "Deploys the billing service to production, checks its health, and rolls it back when that fails."
		edit  = "Deploys the billing service to production, checks its hellth, and rolls it back when that fails."
		other = "Deploys the accounting service to production, checks its health, and rolls it back when that fails."
		home  = "skills/deploy/SKILL.md"
	)
	for name, tt := range map[string]struct {
		private  string // description of the skill deploy
		id, file string
		text     string
		want     bool
	}{
		"the same file":             {text, "deploy", home, "Other.", true},
		"another skill of its file": {text, "list", home, "Lists files.", false},
		"another place":             {text, "deploy", "x/y/SKILL.md", text, true},
		"the text alone":            {text, "x", "x/SKILL.md", strings.ToUpper(text) + "!", true},
		"another text":              {text, "deploy", "x/SKILL.md", "Ships parcels abroad.", false},
		"one letter":                {text, "deploy", "x/SKILL.md", edit, true},
		"one word":                  {text, "deploy", "x/SKILL.md", other, false},
		"one letter, other name":    {text, "x", "x/SKILL.md", edit, true},
		"one letter, its name":      {text, "Deploy", "x/SKILL.md", edit, true},
		"one letter, its directory": {text, "x", "x/deploy/SKILL.md", edit, true},
		"more text":                 {text, "deploy", "x/SKILL.md", text + " Also ships parcels.", true},
		"short, one letter":         {"Deploys it now.", "deploy", "x/SKILL.md", "Deploys it new.", true},
		"short, one word":           {"Deploys it now.", "deploy", "x/SKILL.md", "Deploys the site.", false},
		"no text":                   {"", "deploy", home, "", true},
		"no text, another file":     {"", "deploy", "x/SKILL.md", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			private := Trace{
				Origin: diag.Span{File: home}, ID: "deploy", Name: "deploy", Description: tt.private,
				Visibility: mapping.Extended, Agent: "one",
			}
			skill := Trace{Origin: diag.Span{File: tt.file}, ID: tt.id, Description: tt.text, Visibility: mapping.Public}
			var all Private
			all.Add(private)
			if got := all.Match(skill) != nil; got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
			skill.Visibility = mapping.Extended
			if all.Match(skill) != nil {
				t.Error("what is as private is left out")
			}
			skill.Visibility, skill.Agent, all.Others = mapping.Public, "one", true
			if all.Match(skill) != nil {
				t.Error("a skill is compared with those of its own agent")
			}
		})
	}
}

// Many private skills of one name make another one of that name private, rather than
// have each compared with each.
func TestMatchIsBounded(t *testing.T) {
	var all Private
	skill := Trace{ID: "x", Name: "deploy", Description: "Ships parcels.", Visibility: mapping.Public}
	for i := range mostAlike + 1 {
		if all.Match(skill) != nil {
			t.Errorf("the skill is private by %d others", i)
		}
		all.Add(Trace{ID: fmt.Sprint(i), Name: "deploy", Description: fmt.Sprint("text ", i), Visibility: mapping.Hidden})
	}
	if all.Match(skill) == nil {
		t.Error("the skill is public")
	}
}
