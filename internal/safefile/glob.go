package safefile

import (
	"errors"
	"slices"
	"strings"
)

// What [CheckPattern] can find.
var (
	ErrClass  = errors.New("a [ without a closing ] in the same segment, or with nothing in between")
	ErrRange  = errors.New("a range in [ ] that runs backwards")
	ErrEscape = errors.New(`a \ with nothing behind it`)
)

// CheckPattern returns an error when pattern is malformed. The syntax, by example:
//
//	a*      a, then any number of characters but slashes
//	a/**/b  a/b with any number of segments in between, none included
//	a?      a, then one character but a slash
//	[a-z]   one character of a class; [!a-z] or [^a-z]: one outside of it
//	\*      the character * itself
func CheckPattern(pattern string) error {
	_, err := parse(pattern)
	return err
}

// MatchPattern reports whether pattern matches the whole of name. Letter case counts.
// A malformed pattern matches nothing.
func MatchPattern(pattern, name string) bool {
	segments, err := parse(pattern)
	if err != nil {
		return false
	}
	return match(segments, elements(name), segment.deep, segment.matches)
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
	segments []segment
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
		segments, err := parse(p)
		if s.size += len(p); err == nil && s.size <= MaxWild {
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
	split := elements(name)
	for _, w := range s.wild {
		if match(w.segments, split, segment.deep, segment.matches) {
			found = append(found, w.index)
		}
	}
	slices.Sort(found)
	return found
}

// elements are the characters of each element of a path.
func elements(name string) [][]rune {
	var out [][]rune
	for element := range strings.SplitSeq(name, "/") {
		out = append(out, []rune(element))
	}
	return out
}

// segment is what stands between two slashes of a pattern. That of ** is nil.
type segment []atom

func (s segment) deep() bool { return s == nil }

func (s segment) matches(name []rune) bool { return match(s, name, atom.star, atom.matches) }

// atom matches one character, or any number of them when it is a star. An
// ordinary character is a class of one; ? is all that is not in an empty class.
type atom struct {
	any    bool
	negate bool
	ranges []runes
}

type runes struct{ first, last rune }

func (a atom) star() bool { return a.any }

func (a atom) matches(r rune) bool {
	in := slices.ContainsFunc(a.ranges, func(c runes) bool { return c.first <= r && r <= c.last })
	return in != a.negate
}

// match reports whether the pattern covers the whole name. Only the last star
// that was passed is ever tried again, which suffices: whatever an earlier one
// could take, the later one can take as well.
func match[P, N any](pattern []P, name []N, star func(P) bool, one func(P, N) bool) bool {
	p, n := 0, 0
	retry, from := -1, 0 // where pattern and name go on when the last star takes one more
	for n < len(name) {
		switch {
		case p < len(pattern) && star(pattern[p]):
			p++
			retry, from = p, n
		case p < len(pattern) && one(pattern[p], name[n]):
			p++
			n++
		case retry >= 0:
			from++
			p, n = retry, from
		default:
			return false
		}
	}
	return !slices.ContainsFunc(pattern[p:], func(e P) bool { return !star(e) })
}

func parse(pattern string) ([]segment, error) {
	var out []segment
	for text := range strings.SplitSeq(pattern, "/") {
		s, err := parseSegment([]rune(text))
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func parseSegment(text []rune) (segment, error) {
	if string(text) == "**" {
		return nil, nil
	}
	out := segment{}
	for len(text) > 0 {
		a, n := atom{}, 1
		switch text[0] {
		case '*':
			a.any = true
			for n < len(text) && text[n] == '*' {
				n++
			}
		case '?':
			a.negate = true
		case '[':
			var err error
			if a, n, err = parseClass(text); err != nil {
				return nil, err
			}
		default:
			r, size, err := char(text)
			if err != nil {
				return nil, err
			}
			a.ranges, n = []runes{{r, r}}, size
		}
		out, text = append(out, a), text[n:]
	}
	return out, nil
}

// parseClass reads a class at the start of text and returns how many
// characters it takes up.
func parseClass(text []rune) (atom, int, error) {
	var a atom
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		a.negate = true
		i++
	}
	for i < len(text) && text[i] != ']' {
		first, n, err := char(text[i:])
		if err != nil {
			return a, 0, err
		}
		i += n
		last := first
		if i+1 < len(text) && text[i] == '-' && text[i+1] != ']' {
			if last, n, err = char(text[i+1:]); err != nil {
				return a, 0, err
			}
			i += 1 + n
		}
		if last < first {
			return a, 0, ErrRange
		}
		a.ranges = append(a.ranges, runes{first, last})
	}
	if i == len(text) || len(a.ranges) == 0 {
		return a, 0, ErrClass
	}
	return a, i + 1, nil
}

// char reads one character, escaped or not, and how many it takes up.
func char(text []rune) (r rune, size int, err error) {
	if text[0] != '\\' {
		return text[0], 1, nil
	}
	if len(text) == 1 {
		return 0, 0, ErrEscape
	}
	return text[1], 2, nil
}
