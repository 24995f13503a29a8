package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// ofCard says that an unknown member belongs to the card itself.
const ofCard = "the card"

// unknownMember is a member that no version of A2A knows.
type unknownMember struct {
	of   string // ofCard, skills, …
	name string
	at   place
}

// rest returns the members that nobody took, and those that are set aside,
// sorted by name, nil when there are none. of says whose they are.
func (m *members) rest(of string) *source.Node {
	extra := object(0)
	for i, e := range m.Members {
		if m.taken[i] {
			continue
		}
		named := m.named(e)
		kept, empties := prune(e.Value)
		if empties > 0 {
			m.r.silent = append(m.r.silent, named)
		}
		if kept == nil {
			continue
		}
		m.r.unknown = append(m.r.unknown, unknownMember{of, e.Key, named})
		extra.Set(e.Key, kept)
	}
	for _, e := range m.aside {
		key := e.Key
		for n := 2; extra.Get(key) != nil; n++ {
			key = e.Key + "-" + strconv.Itoa(n)
		}
		extra.Set(key, e.Value)
	}
	if len(extra.Members) == 0 || m.r.DropUnknown {
		return nil
	}
	slices.SortFunc(extra.Members, func(a, b source.Member) int { return cmp.Compare(a.Key, b.Key) })
	return extra
}

// ignore leaves out the members that nobody took.
func (m *members) ignore(of string) {
	for i, e := range m.Members {
		if !m.taken[i] && !e.Value.Empty() {
			m.r.report("card-member-unknown", diag.Info, m.named(e), "", "%s has no member %s, it is left out", of, diag.Quote(e.Key))
		}
	}
}

// setAside keeps a member that has a meaning, but not in A2A, under a name that
// no version of A2A will ever know.
func (m *members) setAside(name string, value *source.Node) {
	if kept, _ := prune(value); kept != nil {
		m.aside = append(m.aside, source.Member{Key: "x-" + name, Value: kept})
	}
}

// kept says what becomes of what is set aside.
func (r *reader) kept(name string) string {
	if r.DropUnknown {
		return "it is left out"
	}
	return "it is kept as " + strconv.Quote("x-"+name)
}

// mostNames is how many members a finding names, each with its place.
const mostNames = 20

// reportUnknown names each unknown member once, however often it is there.
func (r *reader) reportUnknown() {
	slices.SortStableFunc(r.unknown, func(a, b unknownMember) int { return cmp.Compare(rank(a.of), rank(b.of)) })
	var names []string
	var places []diag.Related
	seen := map[[2]string]bool{}
	for _, u := range r.unknown {
		if seen[[2]string{u.of, u.name}] {
			continue
		}
		seen[[2]string{u.of, u.name}] = true
		name := diag.Quote(u.name)
		if u.of != ofCard {
			name += " of " + u.of
		}
		names = append(names, name)
		if len(places) < mostNames {
			places = append(places, diag.Related{Span: u.at.span, Message: name})
		}
	}
	fate := "kept as they are"
	if r.DropUnknown {
		fate = "left out"
	}
	if len(places) == 1 {
		places = nil // the finding is there already
	}
	first := r.unknown[0].at
	r.Found = append(r.Found, diag.Diagnostic{
		Rule: "card-member-unknown", Severity: diag.Info, Span: first.span, Pointer: first.pointer(), Related: places,
		Message: fmt.Sprintf("members that A2A does not know are %s: %s", fate, strings.Join(firstFew(names), ", ")),
	})
}

// rank puts members of the card before those of what is in it.
func rank(of string) int {
	if of == ofCard {
		return 0
	}
	return 1
}

// reportSilent names the members that are left out because there is nothing in
// them, or in part of them.
func (r *reader) reportSilent() {
	var names []string
	for _, p := range r.silent {
		names = append(names, diag.Quote(p.pointer()))
	}
	r.repair(r.silent[0], "empty values say nothing and are left out: %s", strings.Join(firstFew(names), ", "))
}

// firstFew returns the first names of a list and how many more there are.
func firstFew(names []string) []string {
	if more := len(names) - mostNames; more > 1 {
		return append(names[:mostNames:mostNames], strconv.Itoa(more)+" more")
	}
	return names
}
