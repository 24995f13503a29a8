package diff

import "cardwright/schema"

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
