package trials

import "math/rand/v2"

// triples are the triples of values that no row has, for a long trial: two million with
// two hundred values, of which a row closes twenty-six thousand. A nil one does nothing.
type triples struct {
	total     int // of values
	open      []bool
	all, left int
}

// newTriples wants each triple of good values that can stand in one project, but for
// those that the rows have.
func (c *coverage) newTriples(rows []row) *triples {
	t := &triples{total: c.total, open: make([]bool, c.total*c.total*c.total)}
	var good []int
	for f, v := range c.values() {
		if !c.features[f].values[v].bad {
			good = append(good, c.number(f, v))
		}
	}
	for i, a := range good {
		for j, b := range good[:i] {
			if !c.together(a, b) {
				continue
			}
			for _, d := range good[:j] {
				if c.together(a, d) && c.together(b, d) {
					t.open[t.at(a, b, d)] = true
					t.all++
				}
			}
		}
	}
	t.left = t.all
	for _, r := range rows {
		t.cover(c, r)
	}
	return t
}

// together reports whether two values are of two features and can stand in one project.
func (c *coverage) together(a, b int) bool {
	f, _ := c.which(a)
	g, _ := c.which(b)
	return f != g && !c.excluded[a*c.total+b]
}

// at is the place of three values, the largest number first.
func (t *triples) at(a, b, d int) int { return (a*t.total+b)*t.total + d }

// cover closes the triples of a row.
func (t *triples) cover(c *coverage, r row) {
	if t == nil {
		return
	}
	numbers := make([]int, len(r))
	for f, v := range r {
		numbers[f] = c.number(f, v)
	}
	for i, a := range numbers {
		for j, b := range numbers[:i] {
			for _, d := range numbers[:j] {
				t.close([]int{a, b, d})
			}
		}
	}
}

// close takes one triple from those that are open.
func (t *triples) close(numbers []int) {
	if t == nil || len(numbers) != 3 {
		return
	}
	if at := t.at(numbers[0], numbers[1], numbers[2]); t.open[at] {
		t.open[at] = false
		t.left--
	}
}

// anyOpen is the first open triple after a random place.
func (t *triples) anyOpen(random *rand.Rand) []int {
	if t.left == 0 {
		return nil
	}
	offset := random.IntN(len(t.open))
	for i := range t.open {
		if at := (i + offset) % len(t.open); t.open[at] {
			return []int{at / t.total / t.total, at / t.total % t.total, at % t.total}
		}
	}
	return nil
}
