package convert

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// ofCard is the owner of an unknown member at the top level.
const ofCard = "the card"

// unknownMember is a member that no version of A2A knows.
type unknownMember struct {
	owner string // as messages name it
	name  string
	at    place
}

// String names the member in a list of unknown ones.
func (u unknownMember) String() string {
	if u.depth() == 0 {
		return diag.Quote(u.name)
	}
	return diag.Quote(u.name) + " of " + u.owner
}

func (u unknownMember) depth() int {
	if u.owner == ofCard {
		return 0
	}
	return 1
}

// rest returns the members that were not read, and those that are set aside,
// sorted by name, nil when there are none.
func (m *members) rest(owner string) *source.Node {
	extra := source.NewObject(0)
	for i := range m.place.Node.Members {
		if m.read[i] {
			continue
		}
		e := &m.place.Node.Members[i]
		if kept := m.r.keep(owner, e.Key, m.place.Named(e)); kept != nil {
			extra.Members = append(extra.Members, source.Member{Key: e.Key, KeySpan: e.KeySpan, Value: kept})
		}
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
	slices.SortStableFunc(extra.Members, func(a, b source.Member) int { return cmp.Compare(a.Key, b.Key) })
	return extra
}

// keep records an unknown member, and returns its content, nil for nothing.
func (r *reader) keep(owner, name string, at place) *source.Node {
	r.empties(at)
	kept, _ := at.Node.Pruned()
	if kept != nil {
		r.unknown = append(r.unknown, unknownMember{owner, name, at})
	}
	return kept
}

// empties notes the empty values in one that is kept, and reports whether anything is in it.
func (r *reader) empties(p place) (full bool) {
	before := len(r.silent)
	full = p.Node.Scalar() && p.Node.Text != ""
	for v := range p.List() {
		full = r.empties(v) || full
	}
	for _, v := range p.Entries() {
		full = r.empties(v) || full
	}
	if !full {
		r.silent = append(r.silent[:before], p)
	}
	return full
}

// setAside keeps a member that has a meaning, but not in A2A, under a name that
// no version of A2A will ever know.
func (m *members) setAside(name string, value *source.Node) {
	if !m.r.Stated {
		name = "x-" + name
	}
	if kept, _ := value.Pruned(); kept != nil {
		m.aside = append(m.aside, source.Member{Key: name, Value: kept})
	}
}

// kept says what becomes of a value that is set aside.
func (r *reader) kept(name string, value *source.Node) string {
	if rest, _ := value.Pruned(); rest == nil || r.DropUnknown {
		return "it is left out"
	}
	return "it is kept as " + strconv.Quote("x-"+name)
}

// mostNames is how many members a finding names, each with its place.
const mostNames = 20

// reportUnknown names each unknown member once, however often it is there,
// and members of the card first.
func reportUnknown(r *reader) {
	slices.SortStableFunc(r.unknown, func(a, b unknownMember) int { return cmp.Compare(a.depth(), b.depth()) })
	var names []string
	var places []diag.Related
	seen := map[string]bool{}
	for _, u := range r.unknown {
		if name := u.String(); !seen[name] {
			seen[name] = true
			names = append(names, name)
			places = append(places, diag.Related{Span: u.at.Where(), Message: name})
		}
	}
	outcome := "kept as they are"
	if r.DropUnknown {
		outcome = "left out"
	}
	if places = places[:min(len(places), mostNames)]; len(places) == 1 {
		places = nil // the finding is there already
	}
	first := r.unknown[0].at
	r.Found = append(r.Found, diag.New(diag.CardMemberUnknown, first.Where(),
		"members that A2A does not define are %s: %s", outcome, strings.Join(firstFew(names), ", ")).
		WithPointer(first.Pointer()).
		WithRelated(places...))
}

// reportCredentials warns of unknown members that may say that a client needs
// credentials: clients that follow A2A do not read them.
func reportCredentials(r *reader) {
	outcome := "it is kept as it is"
	if r.DropUnknown {
		outcome = "it is left out"
	}
	for _, u := range r.unknown {
		if asksByName(u.name) && !AsksNothing(u.at.Node) {
			r.report(diag.SecurityLegacy, u.at, "declare a security scheme of A2A and require it",
				"%s of %s may require credentials, but A2A clients ignore it: %s", diag.Quote(u.name), u.owner, outcome)
		}
	}
}

// asksByName reports whether a member of that name may ask for credentials.
func asksByName(name string) bool {
	switch strings.TrimPrefix(strings.TrimSuffix(word(name), "required"), "requires") {
	case "auth", "authentication", "authorization", "authschemes", "apikey", "credentials", "oauth", "oauth2", "security",
		"securityschemes", "securityrequirements":
		return true
	}
	return false
}

// reportSilent names the members that are left out because there is nothing in
// them, or in part of them.
func reportSilent(r *reader) {
	var names []string
	for _, p := range r.silent {
		names = append(names, diag.Quote(p.Pointer()))
	}
	r.repair(r.silent[0], "empty values are left out: %s", strings.Join(firstFew(names), ", "))
}

// firstFew returns the first names of a list and how many more there are.
func firstFew(names []string) []string {
	if more := len(names) - mostNames; more > 1 {
		return append(names[:mostNames:mostNames], strconv.Itoa(more)+" more")
	}
	return names
}
