// Package pairs tries every feature with every other. It has tests only: a table of
// features with two to six values each (table_test.go), a generator of projects in
// which each pair of values occurs (cover_test.go), what a project is
// (project_test.go), and what must hold for every one of them (invariants_test.go).
package pairs

import (
	"flag"
	"testing"
)

var (
	seed = flag.Uint64("seed", 1, "makes other projects")
	most = flag.Int("faults", 10, "stop after so many faults")
)

// Every pair of values of two features occurs in a project for which all holds.
func TestPairs(t *testing.T) {
	t.Setenv("PAIRS_KEY", ecKey())
	t.Setenv("PAIRS_TOKEN", "1.2.3")
	c := newCoverage(features(), *seed)
	pairs, projects, faults := c.left, 0, map[string]bool{}
	for c.left > 0 && len(faults) < *most {
		r := c.next()
		projects++
		if name, found := c.try(t, r, ""); found != nil {
			r, found = c.shrink(t, r, name, found)
			fault := c.describe(r) + ": " + name
			if !faults[fault] {
				t.Errorf("%s\n%s", fault, found[0])
			}
			faults[fault] = true
		}
	}
	t.Logf("%d projects, %d pairs", projects, pairs)
}

// shrink takes away what a fault does not need.
func (c *coverage) shrink(t *testing.T, r row, name string, faults []string) (row, []string) {
	t.Helper()
	for f := range r {
		if r[f] == 0 {
			continue
		}
		was := r[f]
		r[f] = 0
		again, found := "", []string(nil)
		if c.fits(r) {
			again, found = c.try(t, r, name)
		}
		if again == name {
			faults = found
		} else {
			r[f] = was
		}
	}
	return r, faults
}
