package diff

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// direction is a way that media types go.
type direction struct {
	member         string
	added, removed diag.RuleID
	does           string
}

var (
	input  = direction{"defaultInputModes", diag.InputModeAdded, diag.InputModeRemoved, "takes"}
	output = direction{"defaultOutputModes", diag.OutputModeAdded, diag.OutputModeRemoved, "answers in"}
)

// modes compares the media types of the card, or those that are in effect for
// a skill, which is named. A range covers the types in it.
func (c *comparison) modes(d direction, at where, older, newer []string, skill string) {
	who, by := skill, ""
	if skill == "" {
		who, by = "the agent", " by default"
	}
	gone, added := uncoveredModes(older, newer), uncoveredModes(newer, older)
	if len(gone)+len(added) == 0 {
		c.sameSet(at, older, newer, "the media types that "+who+" "+d.does)
	}
	for _, i := range gone {
		mode := source.NewText(older[i])
		c.add(d.removed, at.item(i, none, mode.Text), mode, nil, "%s no longer %s %s%s", who, d.does,
			diag.Quote(mode.Text), by)
	}
	for _, i := range added {
		mode := source.NewText(newer[i])
		c.add(d.added, at.item(none, i, mode.Text), nil, mode, "%s %s %s%s", who, d.does, diag.Quote(mode.Text), by)
	}
}

// uncoveredModes returns the indexes of the media types that none of a list is or
// has in its range, each once.
func uncoveredModes(modes, list []string) []int {
	known := map[string]bool{}
	for _, mode := range list {
		known[schema.PlainMode(mode)] = true
	}
	var out []int
	for i, mode := range modes {
		plain := schema.PlainMode(mode)
		kind, _, _ := strings.Cut(plain, "/")
		if !known[plain] && !known["*/*"] && !known[kind+"/*"] {
			known[plain] = true
			out = append(out, i)
		}
	}
	return out
}

// sameSet reports that two lists of the same content differ.
func (f *facts) sameSet(at where, older, newer []string, what string) {
	if !slices.Equal(once(older), once(newer)) {
		f.form(at, list(older), list(newer), what+" are")
	}
}

// missing returns the texts that the other list does not have, each once.
func missing(texts, other []string) []string {
	known := make(map[string]bool, len(other))
	for _, s := range other {
		known[s] = true
	}
	var out []string
	for _, s := range texts {
		if !known[s] {
			known[s] = true
			out = append(out, s)
		}
	}
	return out
}

// once returns the texts of a list without repetitions.
func once(texts []string) []string { return missing(texts, nil) }

// words compares a list of texts as one change, in which neither order nor
// repetition matters.
func (f *facts) words(rule diag.RuleID, at where, older, newer []string, what string) {
	changed := delta(older, newer)
	if changed == "" {
		f.sameSet(at, older, newer, what)
		return
	}
	f.add(rule, at, list(older), list(newer), "%s changed%s", what, changed)
}

// delta says which texts are new in a list and which are gone, "" for none.
func delta(older, newer []string) string {
	var parts []string
	if added := missing(newer, older); len(added) > 0 {
		parts = append(parts, "added "+few(added))
	}
	if gone := missing(older, newer); len(gone) > 0 {
		parts = append(parts, "removed "+few(gone))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// few quotes texts, or the first of them.
func few(texts []string) string {
	const most = 3
	var quoted []string
	for n, text := range texts {
		if n == most && len(texts) > most+1 {
			quoted = append(quoted, fmt.Sprintf("%d more", len(texts)-most))
			break
		}
		quoted = append(quoted, diag.Quote(text))
	}
	return strings.Join(quoted, ", ")
}

// inEffect returns a list, or what holds where it is empty.
func inEffect[T any](own, card []T) []T {
	if len(own) > 0 {
		return own
	}
	return card
}
