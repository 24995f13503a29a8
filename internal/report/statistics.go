package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Statistics are how many findings there are.
type Statistics struct{ rules, owners []tally }

// tally counts the findings of a rule or an owner, by severity and what is accepted of
// them.
type tally struct {
	name     string
	counts   map[diag.Severity]int
	accepted int
	owners   map[string]int // of a rule
}

// Statistics counts the findings by rule and owner, the rules with most of the worst
// first.
func (s *Sheet) Statistics() Statistics {
	rules, owners := map[string]*tally{}, map[string]*tally{}
	of := func(all map[string]*tally, name string) *tally {
		if all[name] == nil {
			all[name] = &tally{name: name, counts: map[diag.Severity]int{}, owners: map[string]int{}}
		}
		return all[name]
	}
	for _, d := range s.Found {
		rule := of(rules, d.Rule)
		rule.counts[d.Severity]++
		rule.owners[d.Owner]++
		of(owners, d.Owner).counts[d.Severity]++
	}
	for _, d := range s.Ignored {
		if d.Accepted {
			of(rules, d.Rule).accepted++
			of(owners, d.Owner).accepted++
		}
	}
	sorted := func(all map[string]*tally) (list []tally) {
		for _, t := range all {
			list = append(list, *t)
		}
		slices.SortFunc(list, func(a, b tally) int {
			for _, severity := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
				if order := cmp.Compare(b.counts[severity], a.counts[severity]); order != 0 {
					return order
				}
			}
			return cmp.Compare(a.name, b.name)
		})
		return list
	}
	return Statistics{sorted(rules), sorted(owners)}
}

// Print prints the statistics as tables, that of the owners where somebody is one.
func (s Statistics) Print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	row := func(first string, t *tally) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", first, t.counts[diag.Error], t.counts[diag.Warning], t.counts[diag.Info],
			t.accepted)
	}
	fmt.Fprintln(w, "RULE\tERRORS\tWARNINGS\tINFOS\tACCEPTED")
	for _, t := range s.rules {
		row(Escape(t.name), &t)
	}
	if slices.ContainsFunc(s.owners, func(t tally) bool { return t.name != "" }) {
		fmt.Fprintln(w, "\nOWNER\tERRORS\tWARNINGS\tINFOS\tACCEPTED")
		for _, t := range s.owners {
			row(Escape(cmp.Or(t.name, "(none)")), &t)
		}
	}
	return w.Flush()
}

// Members are the statistics for programs.
func (s Statistics) Members() []source.Member {
	list := func(tallies []tally, name string) *source.Node {
		return source.ListOf(tallies, func(t tally) *source.Node {
			var owners *source.Node
			for _, name := range slices.Sorted(maps.Keys(t.owners)) {
				if name != "" {
					owners = owners.With(name, source.NewInt(t.owners[name]))
				}
			}
			return source.ObjectOf(
				name, t.name,
				"errors", t.counts[diag.Error],
				"warnings", t.counts[diag.Warning],
				"infos", t.counts[diag.Info],
				"accepted", t.accepted,
				"owners", owners,
			)
		})
	}
	statistics := source.ObjectOf("rules", list(s.rules, "rule"), "owners", list(s.owners, "owner"))
	return []source.Member{{Key: "statistics", Value: statistics}}
}
