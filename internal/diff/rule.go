package diff

import (
	"cmp"
	"slices"
	"strings"

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
	ID    string
	Class Class
	Title string // one line: what has changed
	// Mirror is the ID of the rule for the same change the other way round. It
	// is that of the rule itself where the two directions are one kind.
	Mirror string
}

// Rules returns all rules, sorted by ID.
func Rules() []Rule { return slices.Clone(rules) }

// find returns the rule with the given ID, which has to exist.
func find(id string) Rule {
	i, _ := slices.BinarySearchFunc(rules, id, func(r Rule, id string) int { return strings.Compare(r.ID, id) })
	return rules[i]
}

// rules are all rules, sorted by ID: those of the table below, and one for each
// member that the table of members gives a rule of its own.
var rules = func() []Rule {
	all := slices.Clone(shared)
	for _, message := range schema.Messages() {
		for _, m := range schema.Members(message) {
			known := func(r Rule) bool { return r.ID == m.Change.ID }
			if m.Change.ID == "" || slices.ContainsFunc(all, known) {
				continue
			}
			title := m.Change.What
			if message != schema.CardMessage {
				title += " of " + schema.Noun(message)
			}
			all = append(all, Rule{m.Change.ID, m.Change.Class, title + " changed", cmp.Or(m.Change.Mirror, m.Change.ID)})
		}
	}
	slices.SortFunc(all, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}()

// shared are the rules about more than one member, and about what is there at
// all.
var shared = []Rule{
	{"agent-added", Additive, "an agent is new", "agent-removed"},
	{"agent-removed", Breaking, "an agent is gone", "agent-added"},
	{"card-moved", Breaking, "the card of an agent is at another path", "card-moved"},
	{"card-readable", Additive, "clients can use a card that they could not use", "card-unreadable"},
	{"card-unreadable", Breaking, "clients can no longer use the card", "card-readable"},
	{"capability-gained", Additive, "a capability is new", "capability-lost"},
	{"capability-lost", Breaking, "a capability is gone", "capability-gained"},
	{"extension-added", Additive, "an optional extension is new", "extension-removed"},
	{"extension-changed", Cosmetic, "the description or the parameters of an extension changed", "extension-changed"},
	{"extension-optional", Additive, "an extension is no longer required", "extension-required"},
	{"extension-removed", Breaking, "an extension is gone", "extension-added"},
	{"extension-required", Breaking, "an extension is now required", "extension-optional"},
	{"form-changed", None, "a part of the card has another form with the same meaning", "form-changed"},
	{"input-mode-added", Additive, "the agent or a skill accepts another media type", "input-mode-removed"},
	{"input-mode-removed", Breaking, "the agent or a skill no longer accepts a media type", "input-mode-added"},
	{"interface-added", Additive, "an interface is new", "interface-removed"},
	{"interface-preferred-changed", Additive, "another interface comes first", "interface-preferred-changed"},
	{"interface-removed", Breaking, "an interface is gone", "interface-added"},
	{"interface-url-changed", Breaking, "an interface has another URL or tenant", "interface-url-changed"},
	{"interface-version-added", Additive, "an interface supports another version of A2A", "interface-version-removed"},
	{"interface-version-removed", Breaking, "an interface no longer supports a version of A2A", "interface-version-added"},
	{"order-changed", None, "a list has the same content in another order", "order-changed"},
	{"output-mode-added", Additive, "the agent or a skill answers in another media type", "output-mode-removed"},
	{"output-mode-removed", Breaking, "the agent or a skill no longer answers in a media type", "output-mode-added"},
	{"protocol-version-changed", Cosmetic, "a card for 0.3 states another version", "protocol-version-changed"},
	{"provider-changed", Cosmetic, "the provider changed", "provider-changed"},
	{"published-skill-added", Additive, "a skill is published with its files", "published-skill-removed"},
	{"published-skill-changed", Cosmetic, "the files of a published skill changed", "published-skill-changed"},
	{"published-skill-removed", Breaking, "a skill is no longer published with its files", "published-skill-added"},
	{"requirement-loosened", Additive, "clients get access that had none", "requirement-tightened"},
	{"requirement-tightened", Breaking, "clients lose access", "requirement-loosened"},
	{"scheme-added", Additive, "a security scheme is new", "scheme-removed"},
	{"scheme-changed", Breaking, "a security scheme changed, or lost a flow or a scope", "scheme-changed"},
	{"scheme-description-changed", Cosmetic, "a scheme or a scope is described differently", "scheme-description-changed"},
	{"scheme-extended", Additive, "a security scheme has another flow or scope", "scheme-changed"},
	{"scheme-removed", Breaking, "a security scheme is gone", "scheme-added"},
	{"signature-changed", None, "the signatures changed", "signature-changed"},
	{"skill-added", Additive, "a skill is new", "skill-removed"},
	{"skill-id-added", Additive, "a skill that had no id has one", "skill-id-removed"},
	{"skill-id-changed", Breaking, "a skill has another id and the same content", "skill-id-changed"},
	{"skill-id-removed", Breaking, "a skill has no id any more", "skill-id-added"},
	{"skill-removed", Breaking, "a skill is gone", "skill-added"},
	{"unknown-member-changed", Cosmetic, "a member that A2A does not define changed", "unknown-member-changed"},
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

// Asked returns the step that the changes ask of the agent's version: breaking
// ones for a major version, additive ones for a minor, cosmetic ones for a
// patch. While the version is 0.x, nothing asks for more than a minor
// (semver.org, item 4).
func (c Comparison) Asked() Step {
	asked := [...]Step{None: NoStep, Cosmetic: Patch, Additive: Minor, Breaking: Major}[Worst(c.Changes)]
	if c.Old != nil {
		if v, ok := schema.ParseVersion(c.Old.Version); ok && v.Major == "0" {
			return min(asked, Minor)
		}
	}
	return asked
}

// Asked returns the largest step that any of the agents is asked for.
func Asked(list []Comparison) Step {
	asked := NoStep
	for _, c := range list {
		asked = max(asked, c.Asked())
	}
	return asked
}

// Short reports whether the agent's version moves less than the changes ask for.
// A version that does not follow semver.org has only to change. A pre-release
// has only to rise: it promised nothing.
func (c Comparison) Short() bool {
	asked := c.Asked()
	if asked == NoStep || c.Old == nil || c.New == nil {
		return false
	}
	was, okOld := schema.ParseVersion(c.Old.Version)
	is, okNew := schema.ParseVersion(c.New.Version)
	if !okOld || !okNew {
		return c.Old.Version == c.New.Version
	}
	return made(was, is) < asked
}

// made returns the step from one version to another, none if it is not later.
func made(was, is schema.Version) Step {
	switch {
	case is.Compare(was) <= 0:
		return NoStep
	case len(was.Pre) > 0 || is.Major != was.Major:
		return Major
	case is.Minor != was.Minor:
		return Minor
	}
	return Patch
}
