package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/schema"
)

func TestSentence(t *testing.T) {
	long := strings.Repeat("ä", valueShown+1)
	for _, tt := range []struct {
		change diff.Change
		want   string
	}{
		{diff.Change{Message: "m", Old: source.NewText("a"), New: source.NewText("b")}, `m: "a" → "b"`},
		{diff.Change{Message: "m is new", New: source.NewText("b")}, `m is new: "b"`},
		{diff.Change{Message: `"b" is new`, New: source.NewText("b")}, `"b" is new`},
		{diff.Change{Message: "m", New: source.NewText(long)}, `m: "` + strings.Repeat("ä", valueShown) + `…"`},
		{diff.Change{Message: "m", Old: source.NewBool(true), New: source.NewBool(false)}, "m"},
		{diff.Change{Message: "m", Declared: "2.0.0"}, "m (declared by 2.0.0)"},
	} {
		if got := sentence(tt.change); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestChangesColor(t *testing.T) {
	out := printChanges([]diff.Change{
		{Rule: diag.CardNull, Class: diff.Breaking, Agent: "a\x1b", Message: "m"},
		{Rule: diag.CardPair, Class: diff.None, Message: "n"},
	}, true)
	if want := "\x1b[31mbreaking\x1b[0m: a\\u001b: m \x1b[2m[card-null]\x1b[0m\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// change is a change of an agent.
func change(class diff.Class, rule diag.RuleID, declared string) diff.Comparison {
	return diff.Comparison{
		Agent: "a", Old: &schema.Card{Version: "1.0.0"}, New: &schema.Card{Version: "2.0.0"},
		Changes: []diff.Change{{Rule: rule, Class: class, Agent: "a", Message: "m", Declared: declared}},
	}
}

func TestSummary(t *testing.T) {
	declared, lost := change(diff.Breaking, diag.SkillRemoved, "2.0.0"), change(diff.Breaking, diag.SkillRemoved, "")
	const accepts = "; --fail-on none accepts what is not declared"
	for _, tt := range []struct {
		name   string
		agents []diff.Comparison
		failOn diff.Class
		fails  bool
		want   string
	}{
		{"nothing", nil, diff.Breaking, false, ""},
		{"declared", []diff.Comparison{declared}, diff.Breaking, false, "1 breaking; 1 breaking change declared by 2.0.0"},
		{
			"not declared",
			[]diff.Comparison{lost},
			diff.Breaking, true,
			"1 breaking; needs at least a major version" + accepts,
		},
		{
			"both",
			[]diff.Comparison{declared, change(diff.Breaking, diag.ClientMoved, "")},
			diff.Breaking, true,
			"2 breaking; 1 breaking change declared by 2.0.0; not declared: client-moved" + accepts,
		},
		{
			"for a person",
			[]diff.Comparison{declared, change(diff.Breaking, diag.RequirementDropped, "")},
			diff.Breaking, true,
			"2 breaking; 1 breaking change declared by 2.0.0; no version declares requirement-dropped" + accepts,
		},
		{
			"additive",
			[]diff.Comparison{change(diff.Additive, diag.SkillAdded, "")},
			diff.Breaking, false,
			"1 additive; needs at least a minor version",
		},
		{"accepted", []diff.Comparison{lost}, diff.Never, false, "1 breaking; needs at least a major version"},
	} {
		c := Comparison{Agents: tt.agents, FailOn: tt.failOn}
		if got := c.summary(); got != tt.want || c.Fails() != tt.fails {
			t.Errorf("%s: got %q (fails: %t), want %q", tt.name, got, c.Fails(), tt.want)
		}
	}
}

func TestSharedNames(t *testing.T) {
	for n, want := range map[int]string{1: "a", 6: "a, b, c, d, e, f", 7: "a, b, c, d, e and 2 more agents"} {
		if got := (&sharedChange{agents: strings.Split("abcdefg", "")[:n]}).names(); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

// A comment about many agents with the same change is short, and names the file of a
// change of one agent.
func TestComment(t *testing.T) {
	c := Comparison{Place: func(agent, _ string) diag.Span { return diag.Span{File: agent + ".json"} }}
	for i := range 40 {
		lost := change(diff.Breaking, diag.SkillRemoved, "")
		lost.Changes[0].Agent, lost.Changes[0].Message = fmt.Sprintf("agent-%d", i), "the skill `@all` is gone"
		c.Agents = append(c.Agents, lost)
	}
	for i := range bulletsShown + 2 {
		named := change(diff.Cosmetic, diag.NameChanged, "")
		named.Changes[0].Message = fmt.Sprint("m", i)
		c.Agents = append(c.Agents, named)
	}
	got := c.comment("cardwright diff")
	for _, want := range []string{
		"- **breaking** `agent-0, agent-1, agent-2, agent-3, agent-4 and 35 more agents` " +
			"``the skill `@all` is gone`` (`skill-removed`)\n\n",
		"<summary>22 cosmetic changes</summary>\n\n- **cosmetic** `a` `m0` (`name-changed`) in `a.json`\n",
		"- **cosmetic** `a` `m19` (`name-changed`) in `a.json`\n- and 2 more\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in:\n%s", want, got)
		}
	}
}

// Of many cards and files that differ, people see the first.
func TestDriftText(t *testing.T) {
	missing := func(n int) []Drifted {
		return slices.Repeat([]Drifted{{File: publish.Change{Path: "a", Kind: publish.Missing}}}, n)
	}
	for want, tt := range map[string]struct {
		drift Drift
		style Style
	}{
		strings.Repeat("missing: a\n", 5) + "and the diffs of 1 more card (--all shows them)\nand 2 derived files\n": {
			Drift{Cards: missing(6), Derived: missing(2)}, Style{},
		},
		strings.Repeat("missing: a\n", 8): {Drift{Cards: missing(6), Derived: missing(2)}, Style{All: true}},
		strings.Repeat("missing: a\n", 10) + "and 1 more file (--all shows them)\nmissing: a\n": {
			Drift{Derived: missing(11), Foreign: missing(1)}, Style{},
		},
		"and 1 derived file\n": {Drift{Cards: missing(6), Derived: missing(1)}, Style{Quiet: true}},
	} {
		if got := tt.drift.Text(tt.style); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestChecks(t *testing.T) {
	checks := []Check{
		{Name: "etag", Detail: "good"},
		{Name: "https://a.example", Document: true, Detail: "a card"},
		{Name: "cors", Severity: diag.Error, Detail: "none", Hint: "add it"},
		{Name: "cache", Severity: diag.Warning, Detail: "d"},
	}
	const failed = "fail    cors                none\n          hint: add it\nwarning cache               d\n"
	if got, want := Checks(checks, true), failed; got != want {
		t.Errorf("quiet: got %s, want %s", got, want)
	}
	const all = "https://a.example: a card\nok      etag                good\n" + failed
	if got, want := Checks(checks, false), all; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var ok []string
	for _, n := range CheckMembers(checks).Value.Elements() {
		ok = append(ok, schema.WriteCompact(n.Get("ok")))
	}
	if got := strings.Join(ok, " "); got != "true true false false" {
		t.Errorf("in JSON: %s", got)
	}
	const sum = "4 checks, 1 failed, 1 warning; 1 thing to fix; 1 thing to do"
	if got := CountChecks(checks) + "; " + SumUp(checks); got != sum {
		t.Errorf("got %s, want %s", got, sum)
	}
}

// No part of a finding shows a credential.
func TestPrepared(t *testing.T) {
	const url = "https://me:hunter2hunter2@acme.example"
	at := diag.Span{File: url}
	r := Report{Source: func(string) []byte { return nil }}
	found := r.Prepared(diag.List{{
		Message: url, Hint: url, Span: at, Pointer: source.Pointer("/a", url),
		Related: []diag.Related{{Span: at, Message: url}},
	}})
	if text := fmt.Sprintf("%+v", found); strings.Contains(text, "hunter2") || !strings.Contains(text, "acme.example") {
		t.Errorf("got %s", text)
	}
}

// A key is masked in the diff of a card, and the lines of no other file are printed.
func TestDriftShowsNoKey(t *testing.T) {
	const begin, end = "-----BEGIN PRIVATE " + "KEY-----", "-----END PRIVATE " + "KEY-----"
	body := strings.Repeat("aB3/", 16)
	changed := func(name string) publish.Change {
		return publish.Change{Path: name, Kind: publish.Changed, Diff: []string{
			"@@ -1,5 +1,5 @@", ` "name": "` + begin + `\n` + body + `\n` + end + `\n",`, "-" + body, "+" + body + "=",
		}}
	}
	for _, all := range []bool{false, true} {
		d := Drift{Derived: []Drifted{{File: changed("index.html")}}}
		if all {
			d.Cards = []Drifted{{File: changed("agent-card.json")}}
		}
		got := d.Text(Style{All: true})
		if strings.Contains(got, body[:16]) || strings.Contains(got, "@@") != all ||
			!strings.HasSuffix(got, "changed: index.html\n") {
			t.Errorf("got %s", got)
		}
	}
}
