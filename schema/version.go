package schema

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Version is the version of an agent, or of anything else, that follows
// Semantic Versioning 2.0.0. Numbers may be of any length.
type Version struct {
	Major, Minor, Patch string   // decimal, without leading zeros
	Pre                 []string // identifiers of the pre-release, nil for a release
}

// semver is the pattern of semver.org.
var semver = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
		`(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
		`(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$`)
})

// ParseVersion reads a version. A card may have one of another format (4.4.1
// leaves it to the provider), for which it returns false.
func ParseVersion(s string) (Version, bool) {
	m := semver().FindStringSubmatch(s)
	if m == nil {
		return Version{}, false
	}
	v := Version{Major: m[1], Minor: m[2], Patch: m[3]}
	if m[4] != "" {
		v.Pre = strings.Split(m[4], ".")
	}
	return v, true
}

// Compare returns which of two versions has precedence (semver.org, item 11):
// -1, 0 or 1.
func (v Version) Compare(w Version) int {
	return cmp.Or(
		compareNumbers(v.Major, w.Major),
		compareNumbers(v.Minor, w.Minor),
		compareNumbers(v.Patch, w.Patch),
		comparePre(v.Pre, w.Pre),
	)
}

func compareNumbers(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// comparePre orders pre-releases: all come before the release.
func comparePre(a, b []string) int {
	if len(a) == 0 || len(b) == 0 {
		return cmp.Compare(len(b), len(a))
	}
	return slices.CompareFunc(a, b, func(a, b string) int {
		switch numberA, numberB := isNumeric(a), isNumeric(b); {
		case numberA && numberB:
			return compareNumbers(a, b)
		case numberA:
			return -1
		case numberB:
			return 1
		}
		return cmp.Compare(a, b)
	})
}

func isNumeric(s string) bool { return strings.Trim(s, "0123456789") == "" }
