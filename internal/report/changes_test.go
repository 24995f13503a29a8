package report

import (
	"fmt"
	"regexp"
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
		{
			"as long as may be", source.NewText(strings.Repeat("ä", 60)), source.NewText("b"),
			`it changed: "` + strings.Repeat("ä", 60) + `" → "b"`,
		},
		{
			"a long word", source.NewText(strings.Repeat("ä", 61)), source.NewText("b"),
			`it changed: "` + strings.Repeat("ä", 61) + `" → "b"`,
		},
		{
			"a word of a long text",
			source.NewText("Books a meeting room for a team of up to twelve people, in any of the five houses."),
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
			`it changed: "https://desk.acme.example/agents/europe/west/rooms/booking/a2a/v1/rpc" → ` +
				`"https://desk.acme.example/agents/europe/west/rooms/booking/a2a/v2/rpc"`,
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
	changes := []diff.Change{
		{Rule: "r", Class: diff.Breaking, Agent: "a\x1b", Message: "m"},
		{Rule: "s", Class: diff.None, Message: "n"},
	}
	if err := Changes(&out, changes, true); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[31mbreaking\x1b[0m: a\\u001b: m \x1b[2m[r]\x1b[0m\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestDifferenceMarkdown(t *testing.T) {
	many := func(class diff.Class, n int) []diff.Change {
		var list []diff.Change
		for i := range n {
			list = append(list, diff.Change{Rule: ruleOf[class.String()], Class: class, Message: fmt.Sprintf("m%d", i)})
		}
		return list
	}
	one := func(changes ...diff.Change) []diff.Comparison { return []diff.Comparison{{Changes: changes}} }
	titled := func(title string, found ...diag.Diagnostic) *Sheet { return &Sheet{Title: title, Found: found} }
	card := func(version string) *schema.Card { return &schema.Card{Version: version} }
	long := "Books a meeting room for a team of up to twelve people, in any of the five houses that we have in this town."
	tests := []struct {
		name string
		d    Comparison
		want string
	}{
		{
			"none",
			Comparison{Sheet: titled("cardwright diff"), Agents: one(many(diff.None, 9)...)},
			"### cardwright diff: no differences\n",
		},
		{
			"breaking only",
			Comparison{Sheet: titled(""), Agents: one(many(diff.Breaking, 1)...)},
			"### 1 breaking; needs at least a major version\n\n- **breaking** `m0` (`r`)\n",
		},
		{
			"few changes are open",
			Comparison{Sheet: titled(""), Agents: one(append(many(diff.Cosmetic, 1), many(diff.Breaking, 1)...)...)},
			"### 1 breaking, 1 cosmetic; needs at least a major version\n\n- **breaking** `m0` (`r`)\n" +
				"- **cosmetic** `m0` (`r`)\n",
		},
		{
			"the rest of many is folded",
			Comparison{Sheet: titled(""), Agents: one(append(many(diff.Cosmetic, 6), many(diff.Additive, 1)...)...)},
			"### 1 additive, 6 cosmetic; needs at least a minor version\n\n- **additive** `m0` (`r`)\n\n<details>\n" +
				"<summary>6 cosmetic</summary>\n\n- **cosmetic** `m0` (`r`)\n- **cosmetic** `m1` (`r`)\n" +
				"- **cosmetic** `m2` (`r`)\n- **cosmetic** `m3` (`r`)\n- **cosmetic** `m4` (`r`)\n- **cosmetic** `m5` (`r`)\n\n" +
				"</details>\n",
		},
		{
			"of many of one class the first are open",
			Comparison{Sheet: titled(""), Agents: one(many(diff.Breaking, 8)...)},
			"### 8 breaking; needs at least a major version\n\n- **breaking** `m0` (`r`)\n- **breaking** `m1` (`r`)\n" +
				"- **breaking** `m2` (`r`)\n- **breaking** `m3` (`r`)\n- **breaking** `m4` (`r`)\n- **breaking** `m5` (`r`)\n\n" +
				"<details>\n<summary>2 breaking</summary>\n\n- **breaking** `m6` (`r`)\n- **breaking** `m7` (`r`)\n\n</details>\n",
		},
		{
			"with findings",
			Comparison{Agents: one(many(diff.Breaking, 1)...), Sheet: titled("",
				diag.Diagnostic{Rule: "skill-tags-missing", Severity: diag.Warning, Message: "w", Hint: "h"},
				diag.Diagnostic{Rule: "skill-tags-missing", Severity: diag.Warning, Message: "v", Hint: "h"},
				diag.Diagnostic{Rule: "version-bump", Severity: diag.Error, Message: "n"},
			)},
			"### 1 breaking; needs at least a major version\n\n- **error** `n` (`version-bump`)\n\n- **breaking** `m0` (`r`)\n" +
				"\n<details>\n<summary>2 warnings</summary>\n\n- **warning** `w` (`skill-tags-missing`)\n  - hint: `h`\n" +
				"- **warning** `v` (`skill-tags-missing`)\n\n</details>\n",
		},
		{
			"the words that changed",
			Comparison{Sheet: titled(""), Agents: one(diff.Change{
				Rule: ruleOf["cosmetic"], Class: diff.Cosmetic, Message: "it changed", Old: source.NewText(long),
				New: source.NewText(strings.NewReplacer("twelve", "``` twenty", "town", "city").Replace(long)),
			})},
			"### 1 cosmetic; needs at least a patch version\n\n- **cosmetic** `it changed` (`r`)\n  ```diff\n" +
				"  - …team of up to twelve people, in any of … we have in this town.\n" +
				"  + …team of up to ``` twenty people, in any of … we have in this city.\n  ```\n",
		},
		{
			"a new skill",
			Comparison{Sheet: titled(""), Agents: one(diff.Change{
				Rule: ruleOf["additive"], Class: diff.Additive, Message: `the skill "pdf" is new`,
				New: source.NewText("pdf"), Part: part("description", "Reads <b>PDF</b>."),
			})},
			"### 1 additive; needs at least a minor version\n\n- **additive** `the skill \"pdf\" is new` (`r`)\n  ```diff\n" +
				"  + description: \"Reads <b>PDF</b>.\"\n  ```\n",
		},
		{
			"several agents",
			Comparison{
				Sheet: titled("check"), Verdict: "2 cards are out of date", Advice: "Generate.", Files: []string{"a|b"},
				Agents: []diff.Comparison{
					{Agent: "a|b", Old: card("1.0.0"), New: card("1.0.0"), Changes: many(diff.Cosmetic, 1)},
					{Agent: "same", Old: card("1.0.0"), New: card("1.0.0")},
					{Agent: "new", New: card("2.0.0"), Changes: many(diff.Cosmetic, 1)},
					{
						Agent: "c", Old: card("1.0.0"), New: card("1.1.0"),
						Changes: append(many(diff.Breaking, 2), many(diff.Cosmetic, 1)...),
					},
				},
			},
			"### check: 2 cards are out of date: 2 breaking, 3 cosmetic; needs at least a major version\n\nGenerate.\n\n" +
				"| agent | breaking | additive | cosmetic | version |\n| --- | --- | --- | --- | --- |\n" +
				"| `c` | 2 |  | 1 | `1.0.0` → `1.1.0`, needs major |\n" +
				"| `a\\|b` |  |  | 1 | `1.0.0`, needs patch |\n" +
				"| `new` |  |  | 1 | `2.0.0` |\n\n" +
				"- **breaking** `c` `m0` (`r`)\n- **breaking** `c` `m1` (`r`)\n- **cosmetic** `a|b`, `new`, `c` `m0` (`r`)\n\n" +
				"<details>\n<summary>1 file differs</summary>\n\n- `a|b`\n\n</details>\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, a := range tt.d.Agents { // as diff does it
				for i := range a.Changes {
					a.Changes[i].Agent = a.Agent
				}
			}
			var out strings.Builder
			if err := tt.d.Markdown(&out); err != nil {
				t.Fatal(err)
			}
			want := changeOf.ReplaceAllStringFunc(tt.want, func(line string) string {
				return strings.Replace(line, "`r`", "`"+ruleOf[changeOf.FindStringSubmatch(line)[1]]+"`", 1)
			})
			if d := cmp.Diff(want, out.String()); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// ruleOf is a rule of each class, which stands for r in changeOf.
var (
	ruleOf = map[string]string{
		"breaking": "interface-removed", "additive": "skill-added", "cosmetic": "extension-changed", "none": "order-changed",
	}
	changeOf = regexp.MustCompile("\\*\\*([a-z]+)\\*\\*.*\\(`r`\\)")
)

// The worst that cards can make of it fits into a comment of GitHub.
func TestDifferenceMarkdownFits(t *testing.T) {
	worst := strings.Repeat("`", 1000)
	d := Comparison{Sheet: &Sheet{Title: "cardwright diff"}}
	for i := range 150 {
		class := diff.Breaking
		if i%2 == 0 {
			class = diff.Cosmetic
		}
		name := fmt.Sprint(i, worst)
		texts := [2]*source.Node{source.NewText(strings.Repeat("a ", 1100)), source.NewText(strings.Repeat("b ", 1100))}
		older, newer := &schema.Card{Version: worst}, &schema.Card{Version: worst + "1"}
		d.Agents = append(d.Agents, diff.Comparison{Agent: name, Old: older, New: newer, Changes: []diff.Change{
			{
				Rule: ruleOf[class.String()], Class: class, Agent: name, Message: name, Old: texts[0], New: texts[1],
				Part: part("description", worst),
			},
		}})
		d.Found = append(d.Found, diag.Diagnostic{
			Rule: "skill-tags-missing", Severity: diag.Severity(i%3 + 1), Message: name,
			Hint: name, Span: diag.Span{File: name},
		})
		d.Files = append(d.Files, name)
	}
	var out strings.Builder
	if err := d.Markdown(&out); err != nil {
		t.Fatal(err)
	}
	const comment = 60_000 // of which the Action uses no more
	if n := len(out.String()); n > comment {
		t.Errorf("%d bytes, a comment takes %d", n, comment)
	}
	if got, want := strings.Count(out.String(), "<details>"), strings.Count(out.String(), "</details>"); got != want ||
		got == 0 {
		t.Errorf("%d details, %d of them end", got, want)
	}
}

// Two texts that differ in many places are not compared for long.
func TestRewordingBound(t *testing.T) {
	long := strings.Repeat(" same", 600) // squared more than mostPairs
	a, b := "a"+long+" a", "b"+long+" b"
	older, newer := rewording(a, b)
	if older != a || newer != b {
		t.Errorf("got %d and %d bytes", len(older), len(newer))
	}
}

// What diff prints as JSON is what the schema describes.
func TestChangeMembers(t *testing.T) {
	object := &source.Node{Kind: source.Object}
	object.Set("a", source.NewInt(1))
	var out strings.Builder
	err := JSON(&out, nil, ChangeMembers([]diff.Change{
		{
			Rule: "a", Class: diff.Breaking, Agent: "billing", OldPointer: "/skills/3", NewPointer: "/skills",
			Old: source.NewText("pdf"), Message: "m",
		},
		{
			Rule: "b", Class: diff.None, OldPointer: "/a", NewPointer: "/b", Old: source.NewBool(true), New: object,
			Message: "n",
		},
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

func part(name, text string) *source.Node {
	n := source.NewObject(1)
	n.SetText(name, text)
	return n
}

// A new part is shown whole: only what identifies it, which the message says, is not.
func TestPartLines(t *testing.T) {
	skill := part("id", "pdf")
	skill.SetText("name", "pdf")
	skill.SetTexts("tags", []string{"pdf", "forms"})
	skill.Set("x-beta", source.NewBool(true))
	c := diff.Change{Message: `the skill "pdf" is new`, New: source.NewText("pdf"), Part: skill}
	want := []string{`name: "pdf"`, `tags: "pdf", "forms"`, "x-beta: true"}
	if d := cmp.Diff(want, partLines(c)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
