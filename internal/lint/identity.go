package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/schema"
)

func cardVersionNotSemver(c *card) {
	v := c.root.get("version")
	if _, ok := schema.ParseVersion(v.text()); !ok && v.text() != "" {
		c.report(finding{
			at:      v,
			message: fmt.Sprintf("the version %s is not MAJOR.MINOR.PATCH, so nobody can tell how much a change matters", quote(v.Text)),
			hint:    "the format is yours to choose; semver.org is what most tools understand",
		})
	}
}

// nameLimit is how many characters of a name lists and menus show.
const nameLimit = 60

func cardNameLong(c *card) {
	name := c.root.get("name")
	if n := utf8.RuneCountInString(name.text()); n > nameLimit {
		c.report(finding{
			at:      name,
			message: fmt.Sprintf("the name has %d characters, lists show %d at most", n, nameLimit),
			hint:    "say in the description what does not fit",
		})
	}
}

func cardDescriptionVague(c *card) {
	at := c.root.get("description")
	if why := vague(at.text(), c.root.get("name").text()); why != "" {
		c.report(finding{
			at:      at,
			message: "the description " + why,
			hint:    "say what the agent does, with what, and for whom: clients choose agents by it",
		})
	}
}

// fewWords is how many words a description needs to say anything.
const fewWords = 5

// vague tells why a description does not describe, "" when it does or is
// empty. Names are what it must not merely repeat.
func vague(description string, names ...string) string {
	plain := letters(description)
	if plain == "" {
		return ""
	}
	for _, name := range names {
		if plain == letters(name) {
			return "only repeats the name"
		}
	}
	words := strings.FieldsFunc(strings.ToLower(description), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
	if n := countWords(words); n < fewWords {
		return fmt.Sprintf("has %d %s, too few to choose by", n, plural(n, "word"))
	}
	if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(praise, w) }) {
		return "praises and does not say what is done"
	}
	return ""
}

// praise are the words of which a description can consist and say nothing.
var praise = strings.Fields(`
	a an the and or for of to in with that this is are it its can will do does you your our we us all any every most more very so ever
	ai agent agents assistant assistants tool tools bot helper solution platform system service services skill everything anything things stuff tasks task needs need
	best better great good awesome amazing powerful smart intelligent clever advanced ultimate super simple easy fast quick helpful useful modern
	innovative revolutionary seamless seamlessly robust comprehensive leading world class edge cutting next generation generic general purpose
	helps help assists assist provides provide make makes get gets done handle handles support supports enables enable`)

// letters reduces a text to its letters and digits, for comparing.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// countWords counts words, and two characters as one word where a script does
// not separate them.
func countWords(words []string) int {
	n := 0
	for _, w := range words {
		dense := 0
		for _, r := range w {
			if isDense(r) {
				dense++
			}
		}
		n += max(1, (dense+1)/2)
	}
	return n
}

// isDense tells whether r is of a script that puts no space between words.
func isDense(r rune) bool {
	const firstThai = '\u0E00' // the first of these scripts
	return r >= firstThai && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func providerMissing(c *card) {
	if c.root.lacks("provider") {
		c.report(finding{at: c.root.get("provider"), message: "the card does not say who provides the agent", hint: "add provider with organization and url"})
	}
}

func cardDocumentationMissing(c *card) {
	if c.root.lacks("documentationUrl") {
		c.report(finding{at: c.root.get("documentationUrl"), message: "the card does not say where the agent is documented", hint: "add documentationUrl"})
	}
}

func cardURLInvalid(c *card) {
	for _, at := range []place{c.root.get("documentationUrl"), c.root.get("iconUrl"), c.root.get("provider").get("url")} {
		if at.text() != "" && web(at.Text) == nil {
			c.report(finding{at: at, message: fmt.Sprintf("%s is not an absolute http or https URL", quote(at.Text)), hint: "write it whole: https://acme.com/page"})
		}
	}
}
