package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/schema"
)

var skillsChecks = []check{
	{diag.SkillDescriptionDuplicate, both, skillDescriptionDuplicate},
	{diag.SkillDescriptionVague, both, skillDescriptionVague},
	{diag.SkillExampleEmpty, both, skillExampleEmpty},
	{diag.SkillExamplesFew, both, skillExamplesFew},
	{diag.SkillExamplesTrivial, both, skillExamplesTrivial},
	{diag.SkillIDCase, both, skillIDCase},
	{diag.SkillIDDuplicate, both, skillIDDuplicate},
	{diag.SkillIDFormat, both, skillIDFormat},
	{diag.SkillModesRedundant, both, skillModesRedundant},
	{diag.SkillTagFormat, both, skillTagFormat},
	{diag.SkillsUnsorted, both, skillsUnsorted},
}

func skillIDDuplicate(c *card) {
	c.reportRepeated("id", "give each skill its own id")
}

func skillDescriptionDuplicate(c *card) {
	c.reportRepeated("description", "describe how they differ: clients choose skills by their description")
}

// reportRepeated reports every skill whose member of that name says the same
// as an earlier one's.
func (c *card) reportRepeated(name, hint string) {
	first := map[string]place{}
	for _, s := range c.skills {
		at := s.At(name)
		key := strings.TrimSpace(at.Node.Word())
		p, twice := first[key]
		switch {
		case key == "":
		case twice:
			c.report(fault(at, hint, "two skills have the %s %s", name, quote(key)).beside(also(p, "first used here")))
		default:
			first[key] = at
		}
	}
}

func skillIDFormat(c *card) {
	for _, s := range c.skills {
		id := s.At("id")
		if strings.ContainsFunc(id.Node.Word(), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-_.", r)
		}) {
			c.find(id, "ids are used in URLs, file names and logs",
				"the skill id %s has characters other than letters, digits, dots, hyphens and underscores", quote(id.Node.Text))
		}
	}
}

func skillIDCase(c *card) {
	for _, s := range c.skills {
		id := s.At("id")
		if kebab := schema.Slug(id.Node.Word()); kebab != id.Node.Word() && kebab != "" {
			c.find(id, "write "+kebab, "the skill id %s is not in kebab case", quote(id.Node.Text))
		}
	}
}

// tagLimit is how long a tag may be before it is a sentence, in characters.
const tagLimit = 40

func skillTagFormat(c *card) {
	for _, s := range c.skills {
		seen := map[string]bool{}
		for t := range texts(s.At("tags")) {
			if what := tagFault(t.Node.Text, seen); what != "" {
				c.find(t, "a tag is one keyword", "the tag %s %s", quote(t.Node.Text), what)
			}
		}
	}
}

// tagFault returns what is odd about a tag, and notes it among those seen.
func tagFault(tag string, seen map[string]bool) string {
	key := strings.ToLower(strings.TrimSpace(tag))
	switch {
	case key == "":
		return "is empty"
	case strings.TrimSpace(tag) != tag:
		return "has white space around it"
	case strings.ContainsAny(tag, ",;\n"):
		return "looks like several tags in one"
	case utf8.RuneCountInString(tag) > tagLimit:
		return fmt.Sprintf("has more than %d characters", tagLimit)
	case seen[key]:
		return "is listed twice"
	}
	seen[key] = true
	return ""
}

func skillDescriptionVague(c *card) {
	for _, s := range c.skills {
		at := s.At("description")
		if why := vague(at.Node.Word(), s.At("name").Node.Word(), s.At("id").Node.Word()); why != "" {
			c.find(at, "describe what the skill does and when to use it", "the description of the skill %s %s",
				quote(s.At("id").Node.Word()), why)
		}
	}
}

// exampleLimit is how many examples a client shows.
const exampleLimit = 5

func skillExamplesFew(c *card) {
	for _, s := range c.skills {
		examples := s.At("examples")
		switch n := countTexts(examples); {
		case n == 1:
			c.find(examples, "give two to five", "the skill %s has only one example", quote(s.At("id").Node.Word()))
		case n > exampleLimit:
			c.find(examples, "keep the two to five that differ most", "the skill %s has %d examples, too many to read",
				quote(s.At("id").Node.Word()), n)
		}
	}
}

func countTexts(list place) int {
	n := 0
	for range texts(list) {
		n++
	}
	return n
}

func skillExamplesTrivial(c *card) {
	trivial := []string{
		"hello", "hi", "hey", "helloworld", "test", "testing", "test1", "atest", "thisisatest", "example",
		"foo", "bar", "foobar", "asdf", "ping", "loremipsum",
	}
	c.eachExample(func(at place) {
		if slices.Contains(trivial, letters(at.Node.Text)) {
			c.find(at, "write a request as a user would", "the example %s is not a request", quote(at.Node.Text))
		}
	})
}

func skillExampleEmpty(c *card) {
	c.eachExample(func(at place) {
		if strings.TrimSpace(at.Node.Text) == "" {
			c.find(at, "delete it", "an example is empty")
		}
	})
}

func (c *card) eachExample(judge func(place)) {
	for _, s := range c.skills {
		for at := range texts(s.At("examples")) {
			judge(at)
		}
	}
}

func skillModesRedundant(c *card) {
	for _, pair := range [][2]string{{"inputModes", "defaultInputModes"}, {"outputModes", "defaultOutputModes"}} {
		defaults := c.root.At(pair[1])
		for _, s := range c.skills {
			if modes := s.At(pair[0]); offered(modes) && sameTexts(modes, defaults) {
				c.find(modes, "leave it out: the skill gets the defaults", "%s of the skill %s repeats %s", pair[0],
					quote(s.At("id").Node.Word()), pair[1])
			}
		}
	}
}

// sameTexts reports whether two lists hold the same strings, in whatever order.
func sameTexts(a, b place) bool {
	sorted := func(p place) []string { return slices.Sorted(slices.Values(p.Node.Words())) }
	return slices.Equal(sorted(a), sorted(b))
}

func skillsUnsorted(c *card) {
	last := ""
	for _, s := range c.skills {
		id := s.At("id")
		if id.Node.Word() < last {
			c.find(id, "sorted skills keep diffs small", "the skill %s is after %s, skills are not sorted by id",
				quote(id.Node.Word()), quote(last))
			return
		}
		last = id.Node.Word()
	}
}
