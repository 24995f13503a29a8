package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/nearest"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Accepted is a difference that somebody decided to make.
type Accepted struct {
	Rule, Agent, Pointer string
	Until                time.Time // the last day
	Reason               string
	Span                 diag.Span
}

// day is how dates are written.
const day = time.DateOnly

// ParseAccepted reads a list of accepted differences; file is what findings call it.
// There are no entries where there are errors among the findings.
func ParseAccepted(file string, data []byte, limits source.Limits) ([]Accepted, diag.List) {
	root, found := source.ParseYAML(file, data, "config-value", limits)
	if found.Worst() == diag.Error || root == nil || root.Kind == source.Null {
		return nil, found
	}
	if root.Kind != source.Array {
		return nil, append(found, diag.New("config-value", root.Span, "the accepted differences are not a list").
			WithHint("begin each entry with a dash: - {rule: …, agent: …, pointer: …, until: 2027-01-31, reason: …}"))
	}
	var entries []Accepted
	for _, item := range root.Items {
		entry, faults := parseAccepted(item)
		found = append(found, faults...)
		entries = append(entries, entry)
	}
	if found.Worst() == diag.Error {
		return nil, found
	}
	return entries, found
}

func parseAccepted(n *source.Node) (a Accepted, found diag.List) {
	fault := func(at diag.Span, hint, format string, args ...any) {
		found = append(found, diag.New("config-value", at, format, args...).WithHint(hint))
	}
	known := []string{"agent", "pointer", "reason", "rule", "until"}
	if n.Kind != source.Object {
		fault(n.Span, "known keys: "+strings.Join(known, ", "), "an accepted difference is a map of keys")
		return a, found
	}
	text := map[string]string{}
	for _, m := range n.Members {
		switch {
		case !slices.Contains(known, m.Key):
			found = append(found, diag.New("config-key-unknown", m.KeySpan,
				"unknown key %s in an accepted difference", diag.Quote(m.Key)).
				WithHint(nearest.Hint(m.Key, known, "known keys: "+strings.Join(known, ", "))))
		case !m.Value.Scalar():
			fault(m.Value.Span, "", "%q must be a text", m.Key)
		default:
			text[m.Key] = m.Value.Text
		}
	}
	a = Accepted{Rule: text["rule"], Agent: text["agent"], Pointer: text["pointer"], Reason: text["reason"], Span: n.Span}
	var ids []string
	for _, r := range Rules() {
		ids = append(ids, r.ID)
	}
	if a.Rule == "" {
		fault(n.Span, "cardwright diff names the rule of each difference", "an accepted difference has no %q", "rule")
	} else if !slices.Contains(ids, a.Rule) {
		fault(n.Get("rule").Span, nearest.Hint(a.Rule, ids, "run cardwright rules for a list"),
			"no difference is named %q", a.Rule)
	}
	until, err := time.Parse(day, text["until"])
	if err != nil {
		at := n.Get("until")
		if at == nil {
			at = n
		}
		fault(at.Span, "until: 2027-01-31, for example",
			"an accepted difference needs %q, the last day on which it is accepted, as YYYY-MM-DD", "until")
	}
	a.Until = until
	return a, found
}

// Accept takes the accepted changes out of comparisons. Each is an info finding,
// and each entry that is past its date, or that nothing matches, a warning.
func Accept(list []Comparison, entries []Accepted, today time.Time) ([]Comparison, diag.List) {
	type key struct{ rule, agent, pointer string }
	byKey := map[key]int{}
	for i, a := range entries {
		byKey[key{a.Rule, a.Agent, a.Pointer}] = i + 1
	}
	var found diag.List
	used := make([]bool, len(entries))
	out := slices.Clone(list)
	for i := range out {
		out[i].Changes = slices.DeleteFunc(slices.Clone(out[i].Changes), func(c Change) bool {
			at := byKey[key{c.Rule, c.Agent, c.Pointer()}] - 1
			if at < 0 {
				return false
			}
			used[at] = true
			a := entries[at]
			if !a.current(today) {
				return false
			}
			found = append(found, a.finding("diff-accepted", "%s is accepted until %s: %s", named(c), a.Until.Format(day),
				c.Message).WithHint(strings.TrimSuffix("reason: "+a.Reason, "reason: ")))
			return true
		})
	}
	for i, a := range entries {
		switch {
		case !a.current(today):
			found = append(found, a.finding("diff-accept-expired", "the difference %q was accepted until %s and counts again",
				a.Rule, a.Until.Format(day)).WithHint("delete the entry, or decide on a later date"))
		case !used[i]:
			found = append(found, a.finding("diff-accept-unmatched", "no difference matches the entry: %q of %q at %q", a.Rule,
				a.Agent, a.Pointer).WithHint("delete the entry, if the difference is released by now"))
		}
	}
	return out, found
}

func (a Accepted) finding(rule, format string, args ...any) diag.Diagnostic {
	return diag.New(rule, a.Span, format, args...).WithPointer(a.Pointer)
}

// current tells whether the entry counts on a day.
func (a Accepted) current(today time.Time) bool {
	return !today.UTC().Truncate(24 * time.Hour).After(a.Until)
}

func named(c Change) string {
	if c.Agent == "" {
		return fmt.Sprintf("%q", c.Rule)
	}
	return fmt.Sprintf("%q of %q", c.Rule, c.Agent)
}

// AcceptEntries are entries for changes, as YAML, which are accepted until a day.
func AcceptEntries(changes []Change, until time.Time) []byte {
	var b strings.Builder
	for _, c := range changes {
		entry := source.NewObject(5)
		entry.SetText("rule", c.Rule)
		entry.SetText("agent", c.Agent)
		entry.SetText("pointer", c.Pointer())
		entry.SetText("until", until.Format(day))
		entry.SetText("reason", "to be reviewed: "+c.Message)
		b.Write(schema.WriteYAML(&source.Node{Kind: source.Array, Items: []*source.Node{entry}}, nil))
	}
	return []byte(b.String())
}

// acceptDays is how long a difference without a date is accepted.
const acceptDays = 90

// AcceptInto adds entries for changes to a list of accepted differences, behind those
// that it has, and returns how many.
func AcceptInto(name string, list []byte, changes []Change, now time.Time) ([]byte, int, error) {
	entries, found := ParseAccepted(name, list, source.Limits{}.WithDefaults())
	if found.Worst() == diag.Error {
		return nil, 0, diag.UsageError("name a file with a list of accepted differences, or none", "%s: %s", found[0].Span,
			found[0].Message)
	}
	added := slices.DeleteFunc(slices.Clone(changes), func(c Change) bool {
		return slices.ContainsFunc(entries, func(e Accepted) bool {
			return e.Rule == c.Rule && e.Agent == c.Agent && e.Pointer == c.Pointer()
		})
	})
	if list = bytes.TrimRight(list, "\n"); len(list) > 0 {
		list = append(list, '\n')
	}
	return append(list, AcceptEntries(added, now.UTC().AddDate(0, 0, acceptDays))...), len(added), nil
}
