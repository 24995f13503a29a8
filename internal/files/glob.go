package files

import (
	"errors"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ErrPattern says what is wrong with a malformed pattern.
var ErrPattern = errors.New(`a [ without a ] in the same segment, an empty [], or a \ at the end`)

// CheckPattern returns an error when pattern is malformed. The syntax, by example:
//
//	a*      a, then any number of characters but slashes
//	a/**/b  a/b with any number of segments in between, none included
//	a?      a, then one character but a slash
//	[a-z]   one character of a class; [!a-z] or [^a-z]: one outside of it
//	\*      the character * itself
func CheckPattern(pattern string) error {
	if _, ok := parse(pattern); !ok {
		return ErrPattern
	}
	return nil
}

// MatchPattern reports whether pattern matches the whole of name. Letter case counts.
// A malformed pattern matches nothing.
func MatchPattern(pattern, name string) bool {
	p, ok := parse(pattern)
	return ok && doublestar.MatchUnvalidated(p, name)
}

// MaxWild is how many bytes of patterns with wildcards a [PatternSet] may hold: each
// name is compared with each of them, and strangers write both.
const MaxWild = 16 << 10

// PatternSet is a list of patterns that many names are matched against.
type PatternSet struct {
	names map[string][]int // patterns without wildcards, by the name they match
	wild  []wild
	size  int // bytes of the patterns with wildcards
}

// wild is a pattern with wildcards, or with what is escaped.
type wild struct {
	index   int
	pattern string // of doublestar
}

// NewPatternSet returns the set of some patterns. A malformed one matches nothing, and
// so do those behind [MaxWild].
func NewPatternSet(patterns []string) *PatternSet {
	s := &PatternSet{names: map[string][]int{}}
	for i, p := range patterns {
		if !strings.ContainsAny(p, `*?[\`) {
			s.names[p] = append(s.names[p], i)
			continue
		}
		parsed, ok := parse(p)
		if s.size += len(p); ok && s.size <= MaxWild {
			s.wild = append(s.wild, wild{i, parsed})
		}
	}
	return s
}

// Full reports whether the set was given more than [MaxWild].
func (s *PatternSet) Full() bool { return s.size > MaxWild }

// Match returns the indexes of the patterns that match the whole of name, in
// rising order.
func (s *PatternSet) Match(name string) []int {
	found := slices.Clone(s.names[name])
	for _, w := range s.wild {
		if doublestar.MatchUnvalidated(w.pattern, name) {
			found = append(found, w.index)
		}
	}
	slices.Sort(found)
	return found
}

// literal escapes braces, which have no meaning here, and joins stars, which doublestar
// does not accept where nothing is left to match.
var literal = strings.NewReplacer(`\\`, `\\`, `\{`, `\{`, `\}`, `\}`, `\*`, `\*`, "{", `\{`, "}", `\}`, "**", "*")

// parse returns the pattern as doublestar spells it. Several ** in a row are one.
func parse(pattern string) (parsed string, ok bool) {
	segments := strings.Split(pattern, "/")
	for i, s := range segments {
		if s != "**" {
			for strings.Contains(s, "***") {
				s = strings.ReplaceAll(s, "***", "**")
			}
			segments[i] = literal.Replace(s)
		}
		if !doublestar.ValidatePattern(segments[i]) {
			return "", false
		}
	}
	segments = slices.CompactFunc(segments, func(a, b string) bool { return a == "**" && b == "**" })
	return strings.Join(segments, "/"), true
}
