package discovery

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// tagLabel is one tag of a skill.
type tagLabel struct {
	Number int // what the filter calls it
	Name   string
}

// How many tags the filter shows before it is opened, and how many characters
// these have at most: they are to fit on a line.
const (
	commonTags       = 16
	commonTagsLength = 84
)

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
	keys := slices.SortedFunc(maps.Keys(all), natural)
	for i, key := range keys {
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

// labels are the tags of a skill.
func (t tags) labels(names []string) []tagLabel {
	all := make([]tagLabel, 0, len(names))
	for _, name := range labels(names) {
		if v := t[strings.ToLower(name)]; v != nil {
			all = append(all, tagLabel{Number: v.Number, Name: name})
		}
	}
	return all
}

// views returns the tags that most agents have, and the rest, each by name. A
// tag that one agent alone has is found by the search, and on its skill; one that
// all of them have divides nothing.
func (t tags) views(agents int) (common, rest []tagView) {
	var shared []tagView
	for _, v := range t {
		if v.Agents > 1 && v.Agents < agents {
			shared = append(shared, *v)
		}
	}
	slices.SortFunc(shared, func(a, b tagView) int {
		return cmp.Or(cmp.Compare(b.Agents, a.Agents), cmp.Compare(a.Number, b.Number))
	})
	n, length := 0, 0
	for n < min(len(shared), commonTags) {
		length += utf8.RuneCountInString(shared[n].Name) + 4 // its number and the gap
		if length > commonTagsLength && n > 0 {
			break
		}
		n++
	}
	common, rest = shared[:n], shared[n:]
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
