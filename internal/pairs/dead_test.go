package pairs

import (
	"os"
	"slices"
	"strconv"
	"testing"
)

// deadKeys are the keys of a value without which a run writes, finds and returns the
// same, in a project with this value and in some with others too.
func (c *coverage) deadKeys(t *testing.T, f, v int) (dead [][]string) {
	t.Helper()
	r := make(row, len(c.features))
	if r[f] = v; !c.fits(r) {
		r = c.with(f, v)
	}
	dead = keysOf(build(c.features, r))
	r[f] = 0
	common := keysOf(build(c.features, r))
	dead = slices.DeleteFunc(dead, func(key []string) bool {
		return slices.ContainsFunc(common, func(k []string) bool { return slices.Equal(k, key) }) || slices.Contains(later(),
			key[len(key)-1])
	})
	r[f] = v
	for range 12 {
		if len(dead) == 0 {
			break
		}
		whole := c.made(t, r)
		dead = slices.DeleteFunc(dead, func(key []string) bool { return c.lives(t, whole, key) })
		_ = os.RemoveAll(whole.space)
		r = c.with(f, v)
	}
	return dead
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
	slices.SortFunc(keys, slices.Compare)
	return keys
}

// lives reports whether a project is another one without a key.
func (c *coverage) lives(t *testing.T, whole *trial, key []string) bool {
	t.Helper()
	p := build(c.features, whole.row)
	if !p.drop(key) {
		return false
	}
	without := c.run(t, p)
	defer os.RemoveAll(without.space)
	return whole.made.code != without.made.code || whole.tree.differ(without.tree) != "" ||
		!slices.Equal(whole.made.findings, without.made.findings)
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
	if *part == "" {
		c.share(t, "TestNoKeyIsDead")
		return
	}
	mine, of := c.begin(t)
	i := 0
	for f, v := range c.values() {
		if i++; v > 0 && i%of == mine {
			for _, key := range c.deadKeys(t, f, v) {
				t.Errorf("%s: nothing changes without the key %v", called(c.features[f], c.features[f].values[v]), key)
			}
		}
	}
}
