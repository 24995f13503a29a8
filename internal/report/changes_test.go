package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

func TestChange(t *testing.T) {
	tests := []struct {
		name     string
		old, new *source.Node
		want     string
	}{
		{"short texts", source.NewText("a"), source.NewText("b"), `it changed: "a" → "b"`},
		{"as long as may be", source.NewText(strings.Repeat("ä", 60)), source.NewText("b"), `it changed: "` + strings.Repeat("ä", 60) + `" → "b"`},
		{"a long word", source.NewText(strings.Repeat("ä", 61)), source.NewText("b"), `it changed: "` + strings.Repeat("ä", 61) + `" → "b"`},
		{
			"a word of a long text", source.NewText("Books a meeting room for a team of up to twelve people, in any of the five houses."),
			source.NewText("Books a meeting room for a team of up to twenty people, in any of the five houses."),
			`it changed: "…team of up to twelve people, in any of…" → "…team of up to twenty people, in any of…"`,
		},
		{
			"the end of a long text", source.NewText("Books a meeting room for a team of up to twelve people, in any house"),
			source.NewText("Books a meeting room for a team of up to twelve people, in any house of\nours"),
			`it changed: "…twelve people, in any house" → "…twelve people, in any house of\nours"`,
		},
		{
			"long URLs", source.NewText("https://desk.acme.example/agents/europe/west/rooms/booking/a2a/v1/rpc"),
			source.NewText("https://desk.acme.example/agents/europe/west/rooms/booking/a2a/v2/rpc"),
			`it changed: "https://desk.acme.example/agents/europe/west/rooms/booking/a2a/v1/rpc" → "https://desk.acme.example/agents/europe/west/rooms/booking/a2a/v2/rpc"`,
		},
		{"gone", source.NewText("a"), nil, "it changed"},
		{"no texts", source.NewBool(true), source.NewBool(false), "it changed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Change(diff.Change{Message: "it changed", Old: tt.old, New: tt.new}); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestChangesColor(t *testing.T) {
	var out strings.Builder
	changes := []diff.Change{{Rule: "r", Class: diff.Breaking, Agent: "a\x1b", Message: "m"}, {Rule: "s", Class: diff.None, Message: "n"}}
	if err := Changes(&out, changes, true); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[31mbreaking\x1b[0m: a\\u001b: m \x1b[2m[r]\x1b[0m\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestChangesMarkdown(t *testing.T) {
	many := func(class diff.Class, n int) []diff.Change {
		var list []diff.Change
		for i := range n {
			list = append(list, diff.Change{Rule: "r", Class: class, Message: fmt.Sprintf("m%d", i)})
		}
		return list
	}
	tests := []struct {
		name    string
		changes []diff.Change
		asked   diff.Step
		found   diag.List
		want    string
	}{
		{"none", many(diff.None, 2), diff.NoStep, nil, "**no differences**\n"},
		{"breaking only", many(diff.Breaking, 1), diff.Major, nil, "**1 breaking; asks for a major version**\n\n- **breaking** `m0` (`r`)\n"},
		{
			"the rest is folded", append(many(diff.Additive, 1), many(diff.Cosmetic, 1)...), diff.Minor, nil,
			"**1 additive, 1 cosmetic; asks for a minor version**\n\n<details>\n<summary>1 additive, 1 cosmetic</summary>\n\n- **additive** `m0` (`r`)\n- **cosmetic** `m0` (`r`)\n\n</details>\n",
		},
		{
			"with a finding", many(diff.Breaking, 1), diff.Major,
			diag.List{{Rule: "version-bump", Severity: diag.Error, Message: "n"}},
			"**1 breaking; asks for a major version**\n\n**1 error**\n\n- **error** `n` (`version-bump`)\n\n- **breaking** `m0` (`r`)\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if err := ChangesMarkdown(&out, tt.changes, tt.asked, tt.found); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, out.String()); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// The worst that a card can make of it fits into a comment of GitHub.
func TestChangesMarkdownFits(t *testing.T) {
	worst := strings.Repeat("`", 1000)
	var changes []diff.Change
	for i := range 1000 {
		class := diff.Breaking
		if i%2 == 0 {
			class = diff.Cosmetic
		}
		changes = append(changes, diff.Change{Rule: "extension-required-changed", Class: class, Agent: worst, Message: worst})
	}
	var out strings.Builder
	if err := ChangesMarkdown(&out, changes, diff.Major, nil); err != nil {
		t.Fatal(err)
	}
	const comment = 65_536
	if n := len([]rune(out.String())); n > comment {
		t.Errorf("%d characters, a comment takes %d", n, comment)
	}
	if n := strings.Count(out.String(), "\n- and "); n != 2 {
		t.Errorf("%d lists say what they leave out, want 2", n)
	}
}

// What diff prints as JSON is what the schema describes.
func TestChangeMembers(t *testing.T) {
	object := &source.Node{Kind: source.Object}
	object.Set("a", source.NewInt(1))
	var out strings.Builder
	err := JSON(&out, nil, ChangeMembers([]diff.Change{
		{Rule: "a", Class: diff.Breaking, Agent: "billing", OldPointer: "/skills/3", NewPointer: "/skills", Old: source.NewText("pdf"), Message: "m"},
		{Rule: "b", Class: diff.None, OldPointer: "/a", NewPointer: "/b", Old: source.NewBool(true), New: object, Message: "n"},
	}, diff.Major)...)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "diagnostics": [],
  "changes": [
    {
      "rule": "a",
      "class": "breaking",
      "agent": "billing",
      "pointer": "/skills/3",
      "old": "pdf",
      "message": "m"
    },
    {
      "rule": "b",
      "class": "none",
      "pointer": "/b",
      "old": true,
      "new": {
        "a": 1
      },
      "message": "n"
    }
  ],
  "bump": "major",
  "summary": {
    "errors": 0,
    "warnings": 0,
    "infos": 0
  }
}
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	root, found := source.ParseJSON("out", []byte(out.String()), source.Limits{})
	if found != nil {
		t.Fatal(found)
	}
	if faults := schema.Validate("diagnostics", root); faults != nil {
		t.Errorf("the schema refuses it: %v", faults)
	}
}
