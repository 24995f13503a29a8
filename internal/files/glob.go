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
	segments, ok := parse(pattern)
	return ok && match(segments, strings.Split(name, "/"))
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
	index    int
	segments []string
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
		segments, ok := parse(p)
		if s.size += len(p); ok && s.size <= MaxWild {
			s.wild = append(s.wild, wild{i, segments})
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
	if len(s.wild) == 0 {
		return found
	}
	split := strings.Split(name, "/")
	for _, w := range s.wild {
		if match(w.segments, split) {
			found = append(found, w.index)
		}
	}
	slices.Sort(found)
	return found
}

// deep stands for **, any number of segments. No segment looks like it.
const deep = "/"

// literal escapes braces, which have no meaning here, and joins stars, which doublestar
// does not take where nothing is left to match.
var literal = strings.NewReplacer(`\\`, `\\`, `\{`, `\{`, `\}`, `\}`, `\*`, `\*`, "{", `\{`, "}", `\}`, "**", "*")

// parse splits a pattern into segments, so that no class reaches across a slash.
func parse(pattern string) (segments []string, ok bool) {
	segments = strings.Split(pattern, "/")
	for i, s := range segments {
		if segments[i] = literal.Replace(s); s == "**" {
			segments[i] = deep
		}
		if !doublestar.ValidatePattern(segments[i]) {
			return nil, false
		}
	}
	return segments, true
}

// match reports whether the pattern covers the whole name. Only the last ** that was
// passed is ever tried again, which suffices: whatever an earlier one could take, the
// later one can take as well.
func match(pattern, name []string) bool {
	p, n := 0, 0
	retry, from := -1, 0 // where pattern and name go on when the last ** takes one more
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == deep:
			p++
			retry, from = p, n
		case p < len(pattern) && doublestar.MatchUnvalidated(pattern[p], name[n]):
			p++
			n++
		case retry >= 0:
			from++
			p, n = retry, from
		default:
			return false
		}
	}
	return !slices.ContainsFunc(pattern[p:], func(s string) bool { return s != deep })
}
