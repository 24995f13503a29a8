package discovery

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cardwright/schema"
)

// tags are the tags of all skills of a site, by their name in lower case.
type tags map[string]*tagView

// tagView is one tag in the filter.
type tagView struct {
	Number int // what the filter calls it
	Name   string
	Agents int // that have a skill with the tag
}

// commonTags is how many tags the filter shows before it is opened.
const commonTags = 16

// collectTags numbers the tags of the agents by name. Tags that differ by case
// are one, and show as the one that sorts first.
func collectTags(agents []Agent) tags {
	all := tags{}
	for _, a := range agents {
		for key, name := range tagsOf(a.Card) {
			t := all[key]
			if t == nil {
				t = &tagView{Name: name}
				all[key] = t
			}
			t.Agents++
			t.Name = min(t.Name, name)
		}
	}
	for i, key := range slices.Sorted(maps.Keys(all)) {
		all[key].Number = i
	}
	return all
}

// tagsOf returns the tags of a card by their name in lower case.
func tagsOf(c *schema.Card) map[string]string {
	found := map[string]string{}
	for _, s := range c.Skills {
		for _, t := range s.Tags {
			name := label(t)
			key := strings.ToLower(name)
			if before, ok := found[key]; !ok || name < before {
				found[key] = name
			}
		}
	}
	delete(found, "")
	return found
}

// views returns the tags that most agents have, and the rest, each by name.
func (t tags) views() (common, rest []tagView) {
	var all []tagView
	for _, v := range t {
		all = append(all, *v)
	}
	slices.SortFunc(all, func(a, b tagView) int {
		return cmp.Or(cmp.Compare(b.Agents, a.Agents), cmp.Compare(a.Number, b.Number))
	})
	n := min(len(all), commonTags)
	common, rest = all[:n], all[n:]
	byNumber := func(a, b tagView) int { return cmp.Compare(a.Number, b.Number) }
	slices.SortFunc(common, byNumber)
	slices.SortFunc(rest, byNumber)
	return common, rest
}

// numbers returns the numbers of the tags of a card, in order, with blanks
// between.
func (t tags) numbers(c *schema.Card) string {
	var numbers []int
	for key := range tagsOf(c) {
		numbers = append(numbers, t[key].Number)
	}
	slices.Sort(numbers)
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
