package trials

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// TestPairs tries a project for every pair of values of two features that can stand in one
// project: pairstable_test.go has the features, pairsinvariants_test.go what holds for all.
func TestPairs(t *testing.T) {
	t.Setenv("PAIRS_KEY", ecKey())
	features := features()
	for i, r := range cover(t, features) {
		if i%3 == 0 || fixture.Long() { // .ci/run nightly tries them all
			tryProject(t, features, r, i)
		}
	}
}

// TestRefused tries a project for each value that is refused: it writes nothing.
func TestRefused(t *testing.T) {
	features := features()
	for f, v := range values(features) {
		if features[f].values[v].rule != "" {
			r := make(row, len(features))
			r[f] = v
			tryProject(t, features, r, 0)
		}
	}
}

// row chooses a value of each feature, by index.
type row []int

const unset = -1

// pair is two values, each a feature and the index of its value, the larger feature first.
type pair struct{ f, v, g, w int }

// values yields every value of every feature, by index.
func values(features []feature) func(yield func(f, v int) bool) {
	return func(yield func(f, v int) bool) {
		for f := range features {
			for v := range features[f].values {
				if !yield(f, v) {
					return
				}
			}
		}
	}
}

// coverage is what a series of rows has still to try.
type coverage struct {
	features []feature
	random   *rand.Rand
	open     map[pair]bool // pairs that can stand in one project: whether none has them so far
}

// cover returns rows in which every pair of accepted values occurs.
func cover(t *testing.T, features []feature) (rows []row) {
	t.Helper()
	c := coverage{features, rand.New(rand.NewPCG(1, 26)), map[pair]bool{}}
	eachPair := func(use func(p pair)) {
		for f, v := range values(features) {
			for g, w := range values(features[:f]) {
				use(pair{f, v, g, w})
			}
		}
	}
	eachPair(func(p pair) {
		a, b := &features[p.f], &features[p.g]
		if a.values[p.v].rule+b.values[p.w].rule == "" && !a.excludes(p.v, b, p.w) && !b.excludes(p.w, a, p.v) {
			c.open[p] = true
		}
	})
	eachPair(func(p pair) {
		if !c.open[p] {
			return
		}
		var best row // of some that have the pair
		most := -1
		for range 10 {
			r := slices.Repeat(row{unset}, len(features))
			r[p.f], r[p.g] = p.v, p.w
			if n := c.fill(r); n > most {
				best, most = r, n
			}
		}
		if best == nil {
			t.Fatalf("no project has %s and %s: exclude one by the other", features[p.f].label(p.v), features[p.g].label(p.w))
		}
		for f, v := range best {
			for g, w := range best[:f] {
				c.open[pair{f, v, g, w}] = false
			}
		}
		rows = append(rows, best)
	})
	return rows
}

// fill chooses the values that are unset in random order and returns how many open pairs
// the row has, -1 when a feature has no value that goes with the others.
func (c *coverage) fill(r row) (gained int) {
	for _, f := range c.random.Perm(len(r)) {
		if r[f] != unset {
			continue
		}
		best, most := unset, -1
		for _, v := range c.random.Perm(len(c.features[f].values)) {
			if n := c.gain(r, f, v); n > most {
				best, most = v, n
			}
		}
		if r[f] = best; best == unset {
			return -1
		}
		gained += most
	}
	return gained
}

// gain is how many open pairs a value makes with the values of a row, -1 when it does not go
// with one of them.
func (c *coverage) gain(r row, f, v int) (n int) {
	for g, w := range r {
		if w == unset || g == f {
			continue
		}
		p := pair{f, v, g, w}
		if g > f {
			p = pair{g, w, f, v}
		}
		open, goes := c.open[p]
		if !goes {
			return -1
		}
		if open {
			n++
		}
	}
	return n
}

// describe names the values of a row that are not the first.
func describe(features []feature, r row) string {
	var words []string
	for f, v := range r {
		if v > 0 {
			words = append(words, features[f].label(v))
		}
	}
	return strings.Join(words, " ")
}

// tryProject tries the project of a row in a directory of its own.
func tryProject(t *testing.T, features []feature, r row, index int) {
	t.Helper()
	t.Run(describe(features, r), func(t *testing.T) {
		space, err := os.MkdirTemp("", "pairs") //nolint:usetesting // the name of the test is too long for a path
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(space)
		tr := newTrial(t, build(features, r), space)
		for f, v := range r {
			if rule := features[f].values[v].rule; rule != "" {
				tr.refused(rule)
				return
			}
		}
		tr.accepted(index)
	})
}
