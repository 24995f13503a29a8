package trials

import (
	"crypto/elliptic"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"cardwright/internal/fixture"
)

var (
	seed    = flag.Uint64("seed", 1, "makes other projects")
	enough  = flag.Int("faults", 10, "stop after so many faults")
	count   = flag.Int("projects", fixture.Rounds(0, 10_000), "try so many projects, with triples where there are enough")
	eachOne = flag.Bool("all", false, "try each invariant on each project")
	part    = flag.String("part", "", "try the projects `I/N` of all, which tests give to their processes")
	next    = flag.String("beside", "", "FEATURE=VALUE of the neighbour of that project")
	treesIn = flag.String("trees", "", "write the trees of all projects to that directory")
	only    = flag.String("only", "", "try one project: FEATURE=VALUE and so on, as a fault names it")
)

// Every pair of values of two features occurs in a project for which all holds. A table
// has two to twelve values of each feature (pairstable_test.go), a generator the projects
// (pairscover_test.go), and the invariants stand in pairsinvariants_test.go.
// Commands work in the directory and the environment of their process, so that processes
// of their own share the projects, beside the other tests.
func TestPairs(t *testing.T) {
	c := newCoverage(features(), *seed)
	switch {
	case *only != "":
		c.tryAll(t, []row{c.named(t, *only)})
	case *part != "":
		c.tryAll(t, c.rows(t))
	default:
		share(t, runtime.GOMAXPROCS(0))
	}
}

// share has so many processes run the test, each a part of it.
func share(t *testing.T, workers int) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(filepath.Join("internal", "trials"))
	if err != nil {
		t.Fatal(err)
	}
	t.Parallel() // from here on the working directory may be that of another run
	outputs, errs := make([][]byte, workers), make([]error, workers)
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			args := slices.Concat(os.Args[1:], []string{
				"-test.run=^" + t.Name() + "$", "-test.v=false", "-test.testlogfile=", fmt.Sprintf("-part=%d/%d", i, workers),
			})
			command := exec.CommandContext(t.Context(), program, args...)
			command.Dir = dir
			command.Env = append(os.Environ(), "GOMAXPROCS=1")
			outputs[i], errs[i] = command.CombinedOutput()
		})
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			t.Errorf("%v\n%s", err, outputs[i])
		}
	}
}

// begin readies this process, and returns which of how many parts it is.
func (c *coverage) begin(t *testing.T) (mine, of int) {
	t.Helper()
	t.Setenv("PAIRS_KEY", ecKey(elliptic.P256()))
	t.Setenv("PAIRS_TOKEN", "1.2.3")
	if *part == "" {
		return 0, 1
	}
	if _, err := fmt.Sscanf(*part, "%d/%d", &mine, &of); err != nil {
		t.Fatal(err)
	}
	return mine, of
}

// rows are the projects to try: all pairs, and with more projects triples.
func (c *coverage) rows(t *testing.T) (rows []row) {
	t.Helper()
	for c.left > 0 {
		r := c.next()
		if r == nil {
			pair := c.hardest()
			f, v := c.which(pair[0])
			g, w := c.which(pair[1])
			t.Fatalf("no row has %s=%s with %s=%s, or another pair", c.features[f].name, c.features[f].values[v].name,
				c.features[g].name, c.features[g].values[w].name)
		}
		rows = append(rows, r)
	}
	c.spread(rows)
	if len(rows) < *count {
		c.triples = c.newTriples(rows)
	}
	for len(rows) < *count {
		if r := c.next(); r != nil {
			rows = append(rows, r)
		}
	}
	return append(rows, c.refusedRows()...)
}

// tryAll tries the projects of this process.
func (c *coverage) tryAll(t *testing.T, rows []row) {
	t.Helper()
	mine, of := c.begin(t)
	faults := map[string]bool{}
	for i := mine; i < len(rows) && len(faults) < *enough; i += of {
		c.index = i
		r := rows[i]
		c.random = rand.New(rand.NewPCG(*seed, uint64(i)))
		if c.move(r); *next != "" {
			c.moved = c.find(t, *next)
		}
		name, found := c.try(t, r, "")
		if found == nil {
			continue
		}
		r, found = c.shrink(t, r, name, found)
		fault := c.describe(r)
		if !faults[name+fault] {
			t.Errorf("%s: %s\n%s\ntry it again: go test ./internal/trials -run TestPairs -only '%s' -beside '%s'", fault, name,
				found[0],
				fault, called(c.features[c.moved[0]], c.features[c.moved[0]].values[c.moved[1]]))
		}
		faults[name+fault] = true
	}
}

// named is the row that a fault describes.
func (c *coverage) named(t *testing.T, description string) row {
	t.Helper()
	r := make(row, len(c.features))
	for word := range strings.FieldsSeq(description) {
		if word != nothing {
			at := c.find(t, word)
			r[at[0]] = at[1]
		}
	}
	return r
}

// find is the feature and the value that are called so.
func (c *coverage) find(t *testing.T, word string) [2]int {
	t.Helper()
	for f, v := range c.values() {
		if word == called(c.features[f], c.features[f].values[v]) {
			return [2]int{f, v}
		}
	}
	t.Fatalf("the table has no %s", word)
	return [2]int{}
}

// shrink takes away what a fault does not need.
func (c *coverage) shrink(t *testing.T, r row, name string, faults []string) (row, []string) {
	t.Helper()
	for f := range r {
		if r[f] == 0 || c.features[f].values[r[f]].bad {
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
