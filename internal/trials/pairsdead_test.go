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
	r := c.among(t, f, v, "server=files")
	keys := keysOf(build(c.features, r))
	r[f] = 0
	common := keysOf(build(c.features, r))
	return &suspects{f, v, slices.DeleteFunc(keys, func(key []string) bool {
		return slices.ContainsFunc(common, func(k []string) bool { return slices.Equal(k, key) }) ||
			unseen(key)
	})}
}

// among is a row with that value among those of a description, or among any where those do
// not go with it.
func (c *coverage) among(t *testing.T, f, v int, description string) row {
	t.Helper()
	r := c.named(t, description)
	if r[f] = v; !c.fits(r) {
		r = c.with(f, v)
	}
	return r
}

// clear takes away the keys without which a project is another one, and those of which
// another value showed that.
func (s *suspects) clear(t *testing.T, c *coverage, r row, command string, alive map[string]bool) {
	t.Helper()
	s.keys = slices.DeleteFunc(s.keys, func(key []string) bool {
		if !alive[inAnyList(key)] && c.lives(t, r, key, command) {
			for n := range key { // without those above this key is not there either
				alive[inAnyList(key[:n+1])] = true
			}
		}
		return alive[inAnyList(key)]
	})
}

// inAnyList is a key without the places in lists on the way to it.
func inAnyList(key []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(key), func(k string) bool {
		_, err := strconv.Atoi(k)
		return err == nil
	}), ".")
}

// unseen reports whether a key changes nothing in the first run of a small project.
func unseen(key []string) bool {
	return key[1] == "limits" || slices.Contains([]string{
		"site.keep",                                                                         // how many former cards stay
		"agent.signing.alg",                                                                 // has to be that of the key
		"agent.auth.providers.settings.audience", "agent.auth.providers.settings.token_env", // no card has them
		"agent.skills.overlay.room.name",                     // there is no such skill
		"agent.skills.overlay.rooms.visibility",              // is what it is anyway
		"site.rules.secret-value", "site.rules.source-empty", // find nothing
	}, inAnyList(key))
}

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

// lives reports whether a command does something else without a key.
func (c *coverage) lives(t *testing.T, r row, key []string, command string) bool {
	t.Helper()
	p := build(c.features, r)
	if !p.drop(key) {
		return false
	}
	whole, without := c.once(t, build(c.features, r), command), c.once(t, p, command)
	if whole.made.code != 0 && c.bad(r) == nil {
		t.Fatalf("%s: %s", c.describe(r), whole.made)
	}
	return whole.made.code != without.made.code || whole.tree.differ(without.tree) != "" ||
		!reflect.DeepEqual(whole.made.said(), without.made.said())
}

// said are the findings without their lines, which a key above them moves.
func (r result) said() []finding {
	findings := slices.Clone(r.findings)
	for i := range findings {
		findings[i].Line, findings[i].Column = 0, 0
	}
	return findings
}

// once runs a command in a project, unless it ran in one with the same files before:
// without its only key a value is what its feature has otherwise.
func (c *coverage) once(t *testing.T, p *project, command string) *trial {
	t.Helper()
	files, links := p.tree(t)
	all := fmt.Sprint(command, files, links, p.flags)
	tr := c.tried[all]
	if tr == nil {
		tr = c.run(t, p, command)
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

// Every key changes something: a byte, a finding or the exit code. Without a long trial
// these are the keys of the first value of each feature that is not the plain one; other
// values that have them are tried where that one is what is taken for granted.
func TestNoKeyIsDead(t *testing.T) {
	if *part == "" {
		share(t, 1)
		return
	}
	c := newCoverage(features(), *seed)
	_, _ = c.begin(t)
	alive, wanted := map[string]bool{}, map[string]bool{}
	var all []*suspects
	for f, v := range c.values() {
		if v > 0 && (fixture.Long() || !c.features[f].values[v].bad) {
			s := c.suspect(t, f, v)
			all = append(all, s)
			for _, key := range s.keys {
				wanted[inAnyList(key)] = wanted[inAnyList(key)] || v == 1 || fixture.Long()
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *suspects) int { return min(a.value, 2) - min(b.value, 2) })
	for key := range wanted {
		alive[key] = !wanted[key]
	}
	for _, try := range []struct{ command, where string }{
		{"generate", "server=files"},
		{"generate", "server=all page=html catalog=true ard=true published_skills=tar.gz signing=file include=include " +
			"security=key_or_bearer"},
		{"lint", "findings=--all"},
	} {
		for _, s := range all {
			s.clear(t, c, c.among(t, s.feature, s.value, try.where), try.command, alive)
		}
	}
	for _, s := range all {
		of := c.features[s.feature]
		for _, key := range s.keys {
			t.Errorf("%s: nothing changes without the key %v", called(of, of.values[s.value]), key)
		}
	}
}
