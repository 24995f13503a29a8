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

var skillChecks = checks{
	diag.SkillDescriptionDuplicate: {both, skillDescriptionDuplicate},
	diag.SkillDescriptionVague:     {both, eachSkill(skillDescriptionVague)},
	diag.SkillExampleEmpty:         {both, eachSkill(skillExampleEmpty)},
	diag.SkillExamplesFew:          {both, eachSkill(skillExamplesFew)},
	diag.SkillExamplesTrivial:      {both, eachSkill(skillExamplesTrivial)},
	diag.SkillIDCase:               {both, eachSkill(skillIDCase)},
	diag.SkillIDDuplicate:          {both, skillIDDuplicate},
	diag.SkillIDFormat:             {both, eachSkill(skillIDFormat)},
	diag.SkillModesRedundant:       {both, eachSkill(skillModesRedundant)},
	diag.SkillTagFormat:            {both, eachSkill(skillTagFormat)},
	diag.SkillsUnsorted:            {both, skillsUnsorted},
}

// eachSkill returns a check of every skill.
func eachSkill(check func(c *card, skill location)) func(*card) {
	return func(c *card) {
		for _, s := range c.skills {
			check(c, s)
		}
	}
}

func skillIDDuplicate(c *card) {
	reportRepeated(c, "id", "give each skill its own id")
}

func skillDescriptionDuplicate(c *card) {
	reportRepeated(c, "description", "describe how they differ: clients choose skills by their description")
}

// reportRepeated reports every skill whose member of that name says the same
// as an earlier one's.
func reportRepeated(c *card, name, hint string) {
	first := map[string]location{}
	for _, s := range c.skills {
		at := s.At(name)
		key := strings.TrimSpace(at.Node.Word())
		p, twice := first[key]
		switch {
		case key == "":
		case twice:
			c.find(at, hint, "two skills have the %s %s", name, diag.Quote(key)).Related = also(p, "first used here")
		default:
			first[key] = at
		}
	}
}

func skillIDFormat(c *card, s location) {
	id := s.At("id")
	if strings.ContainsFunc(id.Node.Word(), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-_.", r)
	}) {
		c.find(id, "ids are used in URLs, file names and logs",
			"the skill id %s has characters other than letters, digits, dots, hyphens and underscores", diag.Quote(id.Node.Text))
	}
}

func skillIDCase(c *card, s location) {
	id := s.At("id")
	if kebab := schema.Slug(id.Node.Word()); kebab != id.Node.Word() && kebab != "" {
		c.find(id, "write "+kebab, "the skill id %s is not in kebab case", diag.Quote(id.Node.Text))
	}
}

// tagLimit is how long a tag may be before it is a sentence, in characters.
const tagLimit = 40

func skillTagFormat(c *card, s location) {
	seen := map[string]bool{}
	for t := range texts(s.At("tags")) {
		if what := tagFault(t.Node.Text, seen); what != "" {
			c.find(t, "a tag is one keyword", "the tag %s %s", diag.Quote(t.Node.Text), what)
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

func skillDescriptionVague(c *card, s location) {
	at := s.At("description")
	if why := vague(at.Node.Word(), s.At("name").Node.Word(), s.At("id").Node.Word()); why != "" {
		c.find(at, "describe what the skill does and when to use it", "the description of the skill %s %s",
			diag.Quote(s.At("id").Node.Word()), why)
	}
}

// exampleLimit is how many examples a client shows.
const exampleLimit = 5

func skillExamplesFew(c *card, s location) {
	examples := s.At("examples")
	switch n := len(examples.Node.Words()); {
	case n == 1:
		c.find(examples, "give two to five", "the skill %s has only one example", diag.Quote(s.At("id").Node.Word()))
	case n > exampleLimit:
		c.find(examples, "keep the two to five that differ most", "the skill %s has %d examples, too many to read",
			diag.Quote(s.At("id").Node.Word()), n)
	}
}

func skillExamplesTrivial(c *card, s location) {
	trivial := []string{
		"hello", "hi", "hey", "helloworld", "test", "testing", "test1", "atest", "thisisatest", "example",
		"foo", "bar", "foobar", "asdf", "ping", "loremipsum",
	}
	for at := range texts(s.At("examples")) {
		if slices.Contains(trivial, letters(at.Node.Text)) {
			c.find(at, "write a request as a user would", "the example %s is not a request", diag.Quote(at.Node.Text))
		}
	}
}

func skillExampleEmpty(c *card, s location) {
	for at := range texts(s.At("examples")) {
		if strings.TrimSpace(at.Node.Text) == "" {
			c.find(at, "delete it", "an example is empty")
		}
	}
}

func skillModesRedundant(c *card, s location) {
	for _, name := range []string{"inputModes", "outputModes"} {
		modes, defaults := s.At(name), "default"+strings.ToUpper(name[:1])+name[1:]
		if offered(modes) && slices.Equal(sorted(modes), sorted(c.root.At(defaults))) {
			c.find(modes, "leave it out: the skill gets the defaults", "%s of the skill %s repeats %s", name,
				diag.Quote(s.At("id").Node.Word()), defaults)
		}
	}
}

func sorted(list location) []string { return slices.Sorted(slices.Values(list.Node.Words())) }

func skillsUnsorted(c *card) {
	last := ""
	for _, s := range c.skills {
		id := s.At("id")
		if id.Node.Word() < last {
			c.find(id, "sorted skills keep diffs small", "the skill %s is after %s, skills are not sorted by id",
				diag.Quote(id.Node.Word()), diag.Quote(last))
			return
		}
		last = id.Node.Word()
	}
}
