package trials

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// suspects are keys of a value without which no run was another one yet.
type suspects struct {
	feature, value int
	keys           [][]string
}

// suspect returns the keys that this value has and the first one of its feature has not.
func (c *coverage) suspect(t *testing.T, f, v int) *suspects {
	t.Helper()
	r := c.alone(t, f, v)
	keys := keysOf(build(c.features, r))
	r[f] = 0
	common := keysOf(build(c.features, r))
	return &suspects{f, v, slices.DeleteFunc(keys, func(key []string) bool {
		return slices.ContainsFunc(common, func(k []string) bool { return slices.Equal(k, key) }) ||
			slices.Contains(later(), key[len(key)-1])
	})}
}

// alone is a row with that value and the first ones, or any where those do not go with
// it. Files for servers show what a tree does not have.
func (c *coverage) alone(t *testing.T, f, v int) row {
	t.Helper()
	r := c.named(t, "server=files")
	if r[f] = v; !c.fits(r) {
		r = c.with(f, v)
	}
	return r
}

// clear takes away the keys without which a project is another one. Without a long trial
// a key that another value cleared is not tried again.
func (s *suspects) clear(t *testing.T, c *coverage, r row, cleared map[string]bool) {
	t.Helper()
	s.keys = slices.DeleteFunc(s.keys, func(key []string) bool {
		if !fixture.Long() && cleared[inAnyList(key)] {
			return true
		}
		lives := c.lives(t, r, key)
		for n := range key {
			above := inAnyList(key[:n+1]) // without which this key is not there either
			cleared[above] = cleared[above] || lives
		}
		return lives
	})
}

// inAnyList is a key without the places in lists on the way to it.
func inAnyList(key []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(key), func(k string) bool {
		_, err := strconv.Atoi(k)
		return err == nil
	}), ".")
}

// later are the keys that change nothing in the first run of a project: how many former
// cards stay.
func later() []string { return []string{"keep"} }

// keysOf are the keys of the site and of the agent, with the way to them.
func keysOf(p *project) (keys [][]string) {
	var walk func(way []string, v any)
	walk = func(way []string, v any) {
		switch v := v.(type) {
		case object:
			for k, e := range v {
				below := append(slices.Clone(way), k)
				keys = append(keys, below)
				walk(below, e)
			}
		case list:
			for i, e := range v {
				walk(append(slices.Clone(way), strconv.Itoa(i)), e)
			}
		}
	}
	walk([]string{"site"}, p.site)
	walk([]string{"agent"}, p.agent)
	slices.SortFunc(keys, func(a, b []string) int { return slices.Compare(b, a) }) // those below others first
	return keys
}

// lives reports whether a project is another one without a key.
func (c *coverage) lives(t *testing.T, r row, key []string) bool {
	t.Helper()
	p := build(c.features, r)
	if !p.drop(key) {
		return false
	}
	whole, without := c.once(t, build(c.features, r)), c.once(t, p)
	return whole.made.code != without.made.code || whole.tree.differ(without.tree) != "" ||
		!reflect.DeepEqual(whole.made.findings, without.made.findings)
}

// once runs a project, unless one with the same files was run before: without its only
// key a value is what its feature has otherwise.
func (c *coverage) once(t *testing.T, p *project) *trial {
	t.Helper()
	files, links := p.tree(t)
	all := fmt.Sprint(files, links, p.flags)
	tr := c.tried[all]
	if tr == nil {
		tr = c.run(t, p)
		if err := os.RemoveAll(tr.space); err != nil {
			t.Fatal(err)
		}
		c.tried[all] = tr
	}
	return tr
}

// drop takes a key away, and reports whether there is one.
func (p *project) drop(key []string) bool {
	p.site, p.agent = rebase(p.site, "").(object), rebase(p.agent, "").(object) //nolint:errcheck // copies
	var at any = p.agent
	if key[0] == "site" {
		at = p.site
	}
	for _, k := range key[1 : len(key)-1] {
		switch v := at.(type) {
		case object:
			at = v[k]
		case list:
			i, err := strconv.Atoi(k)
			if err != nil || i >= len(v) {
				return false
			}
			at = v[i]
		}
	}
	o, is := at.(object)
	last := key[len(key)-1]
	if _, has := o[last]; !is || !has {
		return false
	}
	delete(o, last)
	return true
}

// Every key changes something: a byte, a finding or the exit code.
func TestNoKeyIsDead(t *testing.T) {
	c := newCoverage(features(), *seed)
	if *part == "" && fixture.Long() {
		c.share(t, "TestNoKeyIsDead")
		return
	}
	mine, of := c.begin(t)
	cleared := map[string]bool{}
	var all []*suspects
	for f, v := range c.values() {
		if v > 0 && f%of == mine && (fixture.Long() || v == 1 && !c.features[f].values[v].bad) {
			s := c.suspect(t, f, v)
			s.clear(t, c, c.alone(t, f, v), cleared)
			all = append(all, s)
		}
	}
	for range 12 {
		for _, s := range all {
			s.clear(t, c, c.with(s.feature, s.value), cleared)
		}
	}
	for _, s := range all {
		of := c.features[s.feature]
		for _, key := range s.keys {
			t.Errorf("%s: nothing changes without the key %v", called(of, of.values[s.value]), key)
		}
	}
}
