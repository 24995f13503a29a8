package generate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/nearest"
	"cardwright/mapping"
)

// ignores are the rules that the files of an agent's skills switch off for
// themselves, by file.
type ignores map[string][]mapping.Ignore

func (w *work) ignores() ignores {
	all := ignores{}
	for i := range w.skills {
		if s := &w.skills[i]; len(s.Ignore) > 0 {
			all[s.Origin.File] = s.Ignore
		}
	}
	return all
}

// find returns the entry that ignores a finding.
func (g ignores) find(d diag.Diagnostic) (mapping.Ignore, bool) {
	for _, e := range g[d.Span.File] {
		if e.Rule == d.Rule && lint.Ignorable(d.Rule) {
			return e, true
		}
	}
	return mapping.Ignore{}, false
}

// used tells which entries of a skill on a card ignore one of the findings, of
// any severity. A skill on no card is left out: not every rule has seen it.
func (g ignores) used(cards []draft, found ...diag.List) map[mapping.Ignore]bool {
	if len(g) == 0 {
		return nil
	}
	used := map[mapping.Ignore]bool{}
	for i := range cards {
		for _, s := range cards[i].skills {
			for _, e := range s.Ignore {
				used[e] = false
			}
		}
	}
	for _, list := range found {
		for _, d := range list {
			if e, ok := g.find(d); ok {
				used[e] = true
			}
		}
	}
	return used
}

// apply divides findings into those that remain and those that are ignored.
func (g ignores) apply(found diag.List) (remain, ignored diag.List) {
	if len(g) == 0 {
		return found, nil
	}
	remain = make(diag.List, 0, len(found))
	for _, d := range found {
		if _, ok := g.find(d); ok {
			ignored = append(ignored, d)
		} else {
			remain = append(remain, d)
		}
	}
	return remain, ignored
}

// reportIdleIgnores reports the entries of a2a-lint-ignore that have no effect. That no
// agent has a use for one shows only when all agents were judged in full.
func reportIdleIgnores(r *run) error {
	used := map[mapping.Ignore]bool{}
	whole := len(r.Agents) == 0
	for _, w := range r.agents {
		for e, u := range w.concluded.ignoring {
			used[e] = used[e] || u
		}
		whole = whole && w.concluded.found.Worst() < diag.Error
	}
	var found diag.List
	ids := nearest.Among(diag.RuleIDs())
	for _, e := range slices.SortedFunc(maps.Keys(used), compareIgnores) {
		d := diag.New("source-ignore", e.Span, "")
		switch rule, known := lint.Find(e.Rule); {
		case !known:
			d.Message, d.Hint = fmt.Sprintf("a2a-lint-ignore names %s, but there is no such rule", diag.Quote(e.Rule)),
				"run cardwright rules for a list"
			d.Hint = ids.Hint(e.Rule, d.Hint)
		case !lint.Ignorable(e.Rule):
			d.Message = fmt.Sprintf("a SKILL.md cannot switch off the rule %q, so the entry is ignored", e.Rule)
			d.Hint = fmt.Sprintf("fix what it finds; only the configuration can switch it off, with rules: {%s: off}", e.Rule)
			if rule.Fixed {
				d.Hint = "fix what it finds; it cannot be switched off"
			}
		case !used[e] && whole:
			d.Severity = diag.Info
			d.Message, d.Hint = fmt.Sprintf("a2a-lint-ignore names %q, but that rule finds nothing here", e.Rule), "remove it"
		default:
			continue
		}
		found = append(found, d)
	}
	r.report(lint.Switches{Rules: r.Config.Rules}.Apply(found)...)
	return nil
}

func compareIgnores(a, b mapping.Ignore) int {
	return cmp.Or(
		cmp.Compare(a.Span.File, b.Span.File), cmp.Compare(a.Span.Line, b.Span.Line),
		cmp.Compare(a.Span.Column, b.Span.Column), cmp.Compare(a.Rule, b.Rule),
	)
}
