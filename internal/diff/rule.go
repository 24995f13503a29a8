package diff

import (
	"cmp"
	_ "embed" // for the rules
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// Class is what a change means to the clients of an agent.
type Class = schema.Class

// The classes, in rising order.
const (
	None     = schema.None
	Cosmetic = schema.Cosmetic
	Additive = schema.Additive
	Breaking = schema.Breaking

	Never = Breaking + 1 // above every class, as a threshold
)

// ParseClass reads the name of a class.
func ParseClass(name string) (Class, bool) {
	for c := None; c <= Breaking; c++ {
		if c.String() == name {
			return c, true
		}
	}
	return None, false
}

// Rule is a kind of change.
type Rule struct {
	ID    diag.RuleID
	Class Class
	Title string // one line: what has changed
	// Mirror is the ID of the rule for the same change the other way round. It
	// is the rule itself where the two directions are one kind.
	Mirror diag.RuleID
}

// Rules returns all rules, sorted by ID.
func Rules() []Rule { return slices.Clone(rules) }

// find returns the rule with the given ID, which has to exist.
func find(id diag.RuleID) Rule {
	i, _ := slices.BinarySearchFunc(rules, id, func(r Rule, id diag.RuleID) int { return cmp.Compare(r.ID, id) })
	return rules[i]
}

// rules are all rules, sorted by ID: the table below, and one for each
// member that the table of members gives a rule of its own.
var rules = func() []Rule {
	all := shared()
	for _, message := range schema.Messages() {
		for _, m := range schema.Members(message) {
			known := func(r Rule) bool { return r.ID == m.Change.Rule() }
			if m.Change.ID == "" || slices.ContainsFunc(all, known) {
				continue
			}
			title := m.Change.What
			if message != schema.CardMessage {
				title += " of " + schema.Noun(message)
			}
			all = append(all, Rule{m.Change.Rule(), m.Change.Class, title + " changed", m.Change.Reverse()})
		}
	}
	slices.SortStableFunc(all, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}()

// rows are the rules about more than one member, and about what is there at all: id,
// class, mirror and title.
//
//go:embed rules.txt
var rows string

// shared are the rules of the rows.
func shared() (all []Rule) {
	for line := range strings.Lines(rows) {
		words := strings.Fields(line)
		class, _ := ParseClass(words[1])
		id, _ := diag.ParseRuleID(words[0])
		mirror, _ := diag.ParseRuleID(words[2])
		all = append(all, Rule{id, class, strings.Join(words[3:], " "), mirror})
	}
	return all
}

// Step is how far a version moves.
type Step uint8

// The steps, in rising order.
const (
	NoStep Step = iota
	Patch
	Minor
	Major
)

// String returns the name that every output format uses.
func (s Step) String() string { return [...]string{"none", "patch", "minor", "major"}[s] }

// Worst returns the highest class among the changes.
func Worst(changes []Change) Class {
	worst := None
	for _, c := range changes {
		worst = max(worst, c.Class)
	}
	return worst
}

// Asked returns the largest step that the changes ask of the version of an agent: breaking
// ones for a major version, additive ones for a minor, cosmetic ones for a patch. While the
// version is 0.x, nothing asks for more than a minor (semver.org, item 4).
func Asked(list []Comparison) Step {
	asked := NoStep
	for _, c := range list {
		most := Major
		if c.Old != nil {
			if v, ok := schema.ParseVersion(c.Old.Version); ok && v.Major == "0" {
				most = Minor
			}
		}
		steps := [...]Step{None: NoStep, Cosmetic: Patch, Additive: Minor, Breaking: Major}
		asked = max(asked, min(most, steps[Worst(c.Changes)]))
	}
	return asked
}

// declares returns the new version where it declares breaking changes: its major
// version is higher, or under 0.x the minor one. Else it returns "", also for a version
// that does not follow semver.org.
func (c Comparison) declares() string {
	if c.Old == nil || c.New == nil {
		return ""
	}
	was, okOld := schema.ParseVersion(c.Old.Version)
	is, okNew := schema.ParseVersion(c.New.Version)
	bumped := is.Major != was.Major || was.Major == "0" && is.Minor != was.Minor
	if okOld && okNew && bumped && is.Compare(was) > 0 {
		return c.New.Version
	}
	return ""
}
