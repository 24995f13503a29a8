package report

import (
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

func TestChange(t *testing.T) {
	long := strings.Repeat("ä", valueShown+1)
	tests := []struct {
		name   string
		change diff.Change
		want   string
	}{
		{"texts", diff.Change{Message: "m", Old: source.NewText("a"), New: source.NewText("b")}, `m: "a" → "b"`},
		{"a new text", diff.Change{Message: "m is new", New: source.NewText("b")}, `m is new: "b"`},
		{"one that the message names", diff.Change{Message: `"b" is new`, New: source.NewText("b")}, `"b" is new`},
		{
			"a long text",
			diff.Change{Message: "m", New: source.NewText(long)},
			`m: "` + strings.Repeat("ä", valueShown) + `…"`,
		},
		{"no texts", diff.Change{Message: "m", Old: source.NewBool(true), New: source.NewBool(false)}, "m"},
		{"declared", diff.Change{Message: "m", Declared: "2.0.0"}, "m (declared by 2.0.0)"},
	}
	for _, tt := range tests {
		if got := Change(tt.change); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestChangesColor(t *testing.T) {
	var out strings.Builder
	changes := []diff.Change{
		{Rule: diag.CardNull, Class: diff.Breaking, Agent: "a\x1b", Message: "m"},
		{Rule: diag.CardPair, Class: diff.None, Message: "n"},
	}
	if err := Changes(&out, changes, true); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[31mbreaking\x1b[0m: a\\u001b: m \x1b[2m[card-null]\x1b[0m\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// change is a breaking change of an agent.
func change(rule diag.RuleID, declared string) diff.Comparison {
	return diff.Comparison{
		Agent: "a", Old: &schema.Card{Version: "1.0.0"}, New: &schema.Card{Version: "2.0.0"},
		Changes: []diff.Change{{Rule: rule, Class: diff.Breaking, Agent: "a", Message: "m", Declared: declared}},
	}
}

func TestSummary(t *testing.T) {
	additive := change(diag.SkillAdded, "")
	additive.Changes[0].Class = diff.Additive
	tests := []struct {
		name   string
		agents []diff.Comparison
		failOn diff.Class
		fails  bool
		want   string
	}{
		{"nothing", nil, diff.Breaking, false, ""},
		{
			"declared",
			[]diff.Comparison{change(diag.SkillRemoved, "2.0.0")},
			diff.Breaking, false,
			"1 breaking; 1 breaking change declared by 2.0.0",
		},
		{
			"not declared",
			[]diff.Comparison{change(diag.SkillRemoved, "")},
			diff.Breaking, true,
			"1 breaking; needs at least a major version; --fail-on none accepts what is not declared",
		},
		{
			"both",
			[]diff.Comparison{change(diag.SkillRemoved, "2.0.0"), change(diag.ClientMoved, "")},
			diff.Breaking, true,
			"2 breaking; 1 breaking change declared by 2.0.0; not declared: client-moved; " +
				"--fail-on none accepts what is not declared",
		},
		{
			"for a person",
			[]diff.Comparison{change(diag.SkillRemoved, "2.0.0"), change(diag.RequirementDropped, "")},
			diff.Breaking, true,
			"2 breaking; 1 breaking change declared by 2.0.0; no version declares requirement-dropped; " +
				"--fail-on none accepts what is not declared",
		},
		{
			"additive",
			[]diff.Comparison{additive},
			diff.Breaking, false,
			"1 additive; needs at least a minor version",
		},
		{
			"accepted by a person",
			[]diff.Comparison{change(diag.ClientMoved, "")},
			diff.Never, false,
			"1 breaking; needs at least a major version",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Comparison{Sheet: &Sheet{}, Agents: tt.agents, FailOn: tt.failOn}
			if got := c.summary(); got != tt.want || c.Fails() != tt.fails {
				t.Errorf("got %q (fails: %t), want %q", got, c.Fails(), tt.want)
			}
		})
	}
}

func TestSharedNames(t *testing.T) {
	for n, want := range map[int]string{
		1: "a", 6: "a, b, c, d, e, f", 7: "a, b, c, d, e and 2 more agents",
	} {
		if got := (&sharedChange{agents: strings.Split("abcdefg", "")[:n]}).names(); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

// A comment about many agents with the same change is short, and quotes nothing that
// GitHub makes something of.
func TestMarkdownOfDifferences(t *testing.T) {
	var agents []diff.Comparison
	for i := range 40 {
		c := change(diag.SkillRemoved, "")
		c.Changes[0].Agent, c.Changes[0].Message = fmt.Sprintf("agent-%d", i), "the skill `@all` is gone"
		agents = append(agents, c)
	}
	var out strings.Builder
	c := Comparison{Sheet: &Sheet{Title: "cardwright diff", Found: diag.List{}}, Agents: agents, FailOn: diff.Breaking}
	if err := c.Markdown(&out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines >= 60 {
		t.Errorf("%d lines:\n%s", lines, out.String())
	}
	const want = "- **breaking** `agent-0, agent-1, agent-2, agent-3, agent-4 and 35 more agents` " +
		"``the skill `@all` is gone`` (`skill-removed`)\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("no %s in:\n%s", want, out.String())
	}
}
