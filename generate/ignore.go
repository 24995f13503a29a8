package generate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// ignores are the rules that the files of an agent's skills switch off for
// themselves.
type ignores struct {
	files map[string][]mapping.Ignore
	rules map[string]diag.Severity // that the configuration sets
}

// use is what becomes of an entry of a2a-lint-ignore.
type use uint8

const (
	idle    use = iota // no finding needs it
	needed             // it ignores a finding
	refused            // the configuration decides about its rule
)

func (w *work) ignores() ignores {
	all := ignores{map[string][]mapping.Ignore{}, w.agent.Rules}
	for i := range w.skills {
		if s := &w.skills[i]; len(s.Ignore) > 0 {
			all.files[s.Origin.File] = s.Ignore
		}
	}
	return all
}

// may reports whether a skill may switch off a rule for itself.
func (g ignores) may(id string) bool {
	rule, known := lint.Find(id)
	return known && !rule.Fixed && g.rules[id] == 0 && !diag.Guards(id)
}

// find returns the entry that ignores a finding.
func (g ignores) find(d diag.Diagnostic) (mapping.Ignore, bool) {
	for _, e := range g.files[d.Span.File] {
		if e.Rule == d.Rule && g.may(d.Rule) {
			return e, true
		}
	}
	return mapping.Ignore{}, false
}

// used tells what becomes of the entries of skills on a card, with findings of any
// severity. A skill on no card is left out: not every rule has seen it.
func (g ignores) used(cards []draft, found ...diag.List) map[mapping.Ignore]use {
	if len(g.files) == 0 {
		return nil
	}
	used := map[mapping.Ignore]use{}
	for i := range cards {
		for _, s := range cards[i].skills {
			for _, e := range s.Ignore {
				if used[e] = idle; g.rules[e.Rule] > 0 {
					used[e] = refused
				}
			}
		}
	}
	for _, list := range found {
		for _, d := range list {
			if e, ok := g.find(d); ok {
				used[e] = needed
			}
		}
	}
	return used
}

// apply divides findings into those that remain and those that are ignored.
func (g ignores) apply(found diag.List) (remain, ignored diag.List) {
	if len(g.files) == 0 {
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
	used := map[mapping.Ignore]use{}
	whole := true
	for _, w := range r.agents {
		for e, u := range w.concluded.ignoring {
			used[e] = max(used[e], u)
		}
		whole = whole && w.concluded.found.Worst() < diag.Error
	}
	var found diag.List
	ids := diag.Among(diag.RuleIDs())
	for _, e := range slices.SortedFunc(maps.Keys(used), compareIgnores) {
		d := diag.New("source-ignore", e.Span, "")
		switch rule, known := lint.Find(e.Rule); {
		case !known:
			d.Message, d.Hint = fmt.Sprintf("a2a-lint-ignore names %s, but there is no such rule", diag.Quote(e.Rule)),
				"run cardwright rules for a list"
			d.Hint = ids.Hint(e.Rule, d.Hint)
		case used[e] == refused && !diag.Guards(e.Rule) && !rule.Fixed:
			d.Message = fmt.Sprintf("a SKILL.md cannot switch off the rule %q, which the configuration sets, "+
				"so the entry is ignored", e.Rule)
			d.Hint = "fix what it finds, or leave the rule out of rules"
		case diag.Guards(e.Rule) || rule.Fixed:
			d.Message = fmt.Sprintf("a SKILL.md cannot switch off the rule %q, so the entry is ignored", e.Rule)
			d.Hint = fmt.Sprintf("fix what it finds; only the configuration can switch it off, with rules: {%s: off}", e.Rule)
			if rule.Fixed {
				d.Hint = "fix what it finds; it cannot be switched off"
			}
		case used[e] == idle && whole:
			d.Severity = diag.Info
			d.Message, d.Hint = fmt.Sprintf("a2a-lint-ignore names %q, but that rule finds nothing here", e.Rule), "remove it"
		default:
			continue
		}
		found = append(found, d)
	}
	r.report(counted(r.Config.Rules, found)...)
	return nil
}

// reportGuards names the rules that guard what is published and that the configuration
// lowers.
func reportGuards(r *run) error {
	if !r.Notes {
		return nil
	}
	lists := []*source.Node{r.Config.Node.Get("rules")}
	for _, w := range r.agents {
		lists = append(lists, w.agent.Node.Get("rules"))
	}
	for _, rules := range lists {
		for _, m := range rules.Fields() {
			rule, _ := diag.FindRule(m.Key)
			severity, ok := diag.ParseSeverity(m.Value.ScalarText())
			if ok && diag.Guards(m.Key) && severity < rule.Severity {
				r.report(diag.New("config-guard", m.Value.Span, "the configuration lowers the rule %q to %s, from %s", m.Key,
					severity, rule.Severity))
			}
		}
	}
	return nil
}

func compareIgnores(a, b mapping.Ignore) int {
	return cmp.Or(a.Span.Compare(b.Span), cmp.Compare(a.Rule, b.Rule))
}
