package trials

import (
	"iter"
	"math/rand/v2"
	"slices"
)

// row chooses a value of each feature, by index.
type row []int

// coverage is what a series of rows has still to try.
type coverage struct {
	features []feature
	random   *rand.Rand
	start    []int // of each feature's values in one numbering of all values
	total    int
	excluded []bool // of pairs of values
	open     []bool // pairs of values that no row has
	left     int
	triples  *triples          // nil as long as there are open pairs
	index    int               // of the row that is tried
	moved    [2]int            // feature and value in which a neighbour differs
	tried    map[string]*trial // by all that the project has, for what tries one twice
}

// newCoverage wants every pair of good values of two features that can stand in one
// project. The first values alone are tried by the first row.
func newCoverage(features []feature, seed uint64) *coverage {
	c := &coverage{features: features, random: rand.New(rand.NewPCG(seed, 26)), tried: map[string]*trial{}}
	for _, f := range features {
		c.start = append(c.start, c.total)
		c.total += len(f.values)
	}
	c.excluded, c.open = make([]bool, c.total*c.total), make([]bool, c.total*c.total)
	c.eachPair(func(f, v, g, w int) {
		a, b := c.number(f, v), c.number(g, w)
		switch {
		case exclude(features[f], v, features[g], w):
			c.excluded[a*c.total+b], c.excluded[b*c.total+a] = true, true
		case !features[f].values[v].bad && !features[g].values[w].bad:
			c.open[a*c.total+b], c.open[b*c.total+a] = true, true
			c.left++
		}
	})
	return c
}

func (c *coverage) number(feature, value int) int { return c.start[feature] + value }

// values are all values, as the number of their feature and their own.
func (c *coverage) values() iter.Seq2[int, int] {
	return func(yield func(f, v int) bool) {
		for f := range c.features {
			for v := range c.features[f].values {
				if !yield(f, v) {
					return
				}
			}
		}
	}
}

func (c *coverage) eachPair(do func(f, v, g, w int)) {
	for f := range c.features {
		for g := range f {
			for v := range c.features[f].values {
				for w := range c.features[g].values {
					do(f, v, g, w)
				}
			}
		}
	}
}

// next returns a row with as many open pairs as a greedy choice finds, nil when none
// is found for the pair, or the triple when all pairs are closed, that it begins with.
func (c *coverage) next() row {
	begin, tries := c.hardest(), 5
	if begin == nil && c.triples != nil {
		begin, tries = c.triples.anyOpen(c.random), 1
	}
	r := c.best(begin, tries)
	if r == nil {
		c.triples.close(begin) // no project has it
		return nil
	}
	c.cover(r)
	return r
}

// best returns the row with the most open pairs of some with the values that it begins
// with, nil when there is none.
func (c *coverage) best(begin []int, tries int) (best row) {
	most := -1
	for range 20 {
		r := c.empty()
		for _, number := range begin {
			f, v := c.which(number)
			r[f] = v
		}
		if c.fill(r); !c.fits(r) {
			continue
		}
		if n := c.gains(r); n > most {
			best, most = r, n
		}
		if tries--; tries == 0 {
			break
		}
	}
	return best
}

// with returns a row with one value that is given, and any others.
func (c *coverage) with(feature, value int) row {
	r := c.empty()
	r[feature] = value
	c.fill(r)
	return r
}

const unset = -1

func (c *coverage) empty() row { return row(slices.Repeat([]int{unset}, len(c.features))) }

// hardest is the open pair of the values that have the most open pairs, as two numbers.
func (c *coverage) hardest() (pair []int) {
	left := make([]int, c.total)
	for at, open := range c.open {
		if open {
			left[at/c.total]++
		}
	}
	most := 0
	offset := c.random.IntN(len(c.open))
	for i := range c.open {
		at := (i + offset) % len(c.open)
		a, b := at/c.total, at%c.total
		if c.open[at] && left[a]+left[b] > most {
			pair, most = []int{a, b}, left[a]+left[b]
		}
	}
	return pair
}

func (c *coverage) which(number int) (feature, value int) {
	for f := len(c.start) - 1; ; f-- {
		if number >= c.start[f] {
			return f, number - c.start[f]
		}
	}
}

// fill chooses the values that are unset, those of the features with most values first,
// in random order. Where no other value goes with those that are chosen, the first does.
func (c *coverage) fill(r row) {
	order := c.random.Perm(len(r))
	slices.SortStableFunc(order, func(f, g int) int { return len(c.features[g].values) - len(c.features[f].values) })
	for _, f := range order {
		if r[f] != unset {
			continue
		}
		best, most := 0, -1
		for _, v := range c.random.Perm(len(c.features[f].values)) {
			if n := c.gain(r, f, v); n > most && !c.features[f].values[v].bad {
				best, most = v, n
			}
		}
		r[f] = best
	}
}

// gain is how many open pairs a value makes with those of a row, -1 when it does not
// go with one of them.
func (c *coverage) gain(r row, f, v int) (n int) {
	a := c.number(f, v)
	for g, w := range r {
		if w == unset || g == f {
			continue
		}
		switch at := a*c.total + c.number(g, w); {
		case c.excluded[at]:
			return -1
		case c.open[at]:
			n++
		}
	}
	return n
}

// gains is how many open pairs a row has, each twice.
func (c *coverage) gains(r row) (n int) {
	for f, v := range r {
		n += c.gain(r, f, v)
	}
	return n
}

// fits reports whether all values of a row can stand in one project.
func (c *coverage) fits(r row) bool {
	for f, v := range r {
		if c.gain(r, f, v) < 0 {
			return false
		}
	}
	return true
}

// spread orders rows so that the first ones have as many values as so few can have, those
// after them again, and so on: a dozen rows have every value.
func (c *coverage) spread(rows []row) {
	seen := make([]bool, c.total)
	unseen := func(r row) (n int) {
		for f, v := range r {
			if !seen[c.number(f, v)] {
				n++
			}
		}
		return n
	}
	for len(rows) > 0 {
		slices.SortStableFunc(rows, func(a, b row) int { return unseen(b) - unseen(a) })
		if unseen(rows[0]) == 0 {
			clear(seen)
			continue
		}
		for f, v := range rows[0] {
			seen[c.number(f, v)] = true
		}
		rows = rows[1:]
	}
}

// cover closes the pairs of a row.
func (c *coverage) cover(r row) {
	for f, v := range r {
		for g, w := range r[:f] {
			a, b := c.number(f, v), c.number(g, w)
			if c.open[a*c.total+b] {
				c.open[a*c.total+b], c.open[b*c.total+a] = false, false
				c.left--
			}
		}
	}
	c.triples.cover(c, r)
}

// move chooses a value for the neighbour of a row. Most have other cards, and of these
// many by what stands in another file than the agent.
func (c *coverage) move(r row) {
	for range 100 {
		f := c.random.IntN(len(r))
		v := c.random.IntN(len(c.features[f].values))
		if c.random.IntN(3) == 0 {
			f, v = c.ofAll()
		}
		if c.features[f].shows == "" && c.random.IntN(3) > 0 {
			continue
		}
		c.moved = [2]int{f, v}
		if other, _ := c.beside(r); other != nil {
			return
		}
	}
}

// ofAll is one of the values that stand in the defaults of all agents.
func (c *coverage) ofAll() (feature, value int) {
	var all [][2]int
	for f, v := range c.values() {
		if c.features[f].values[v].name == "of all" {
			all = append(all, [2]int{f, v})
		}
	}
	one := all[c.random.IntN(len(all))]
	return one[0], one[1]
}

// beside is the neighbour of a row, with the value that was chosen for it, and in which
// feature it differs. It is nil when that can be no project, or is the same one.
func (c *coverage) beside(r row) (other row, feature int) {
	f, v := c.moved[0], c.moved[1]
	other = slices.Clone(r)
	other[f] = v
	if v == r[f] || c.features[f].values[v].bad || !c.fits(other) {
		return nil, 0
	}
	return other, f
}
