package lint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/schema"
)

var identityChecks = checks{
	diag.CardDescriptionVague:     {both, cardDescriptionVague},
	diag.CardDocumentationMissing: {both, cardDocumentationMissing},
	diag.CardNameLong:             {both, cardNameLong},
	diag.CardURLInvalid:           {both, cardURLInvalid},
	diag.CardVersionNotSemVer:     {both, cardVersionNotSemver},
	diag.ProviderMissing:          {both, providerMissing},
}

func cardVersionNotSemver(c *card) {
	v := c.root.At("version")
	if _, ok := schema.ParseVersion(v.Node.Word()); !ok && v.Node.Word() != "" {
		c.find(v, "any format is valid, but most tools expect semver.org",
			"the version %s is not MAJOR.MINOR.PATCH, so clients cannot tell how much a change matters", diag.Quote(v.Node.Text))
	}
}

// nameLimit is how many characters of a name lists and menus show.
const nameLimit = 60

func cardNameLong(c *card) {
	name := c.root.At("name")
	if n := utf8.RuneCountInString(name.Node.Word()); n > nameLimit {
		c.find(name, "move the rest to the description", "the name has %d characters, lists show at most %d", n, nameLimit)
	}
}

func cardDescriptionVague(c *card) {
	at := c.root.At("description")
	if why := vague(at.Node.Word(), c.root.At("name").Node.Word()); why != "" {
		c.find(at, "describe what the agent does, with what, and for whom: clients choose agents by it",
			"the description %s", why)
	}
}

// fewWords is how many words a description needs to say anything.
const fewWords = 5

// vague returns why a description does not describe, "" when it does or is
// empty. Names are what it must not merely repeat.
func vague(description string, names ...string) string {
	for _, name := range names {
		if len(description) < 2*len(name) && letters(description) == letters(name) && letters(name) != "" {
			return "only repeats the name"
		}
	}
	n := 0
	for word := range strings.FieldsFuncSeq(description, endsWord) {
		if n += countWords(word); n >= fewWords {
			return ""
		}
	}
	if n == 0 {
		return ""
	}
	return "has only " + diag.Count(n, "word")
}

func endsWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }

// letters reduces a text to its letters and digits, for comparing.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// countWords returns for how many words a word counts: two characters are one
// where a script does not separate them.
func countWords(word string) int {
	dense := 0
	for _, r := range word {
		if isDense(r) {
			dense++
		}
	}
	return max(1, (dense+1)/2)
}

// isDense reports whether r is of a script that puts no space between words.
func isDense(r rune) bool {
	const firstThai = '\u0E00' // the first of these scripts
	return r >= firstThai && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar)
}

func providerMissing(c *card) {
	if lacks(c.root, "provider") {
		c.find(c.root.At("provider"), "add provider with organization and url",
			"the card does not say who provides the agent")
	}
}

func cardDocumentationMissing(c *card) {
	if lacks(c.root, "documentationUrl") {
		c.find(c.root.At("documentationUrl"), "add documentationUrl", "the card does not say where the agent is documented")
	}
}

func cardURLInvalid(c *card) {
	for _, at := range []location{c.root.At("documentationUrl"), c.root.At("iconUrl"), c.root.At("provider").At("url")} {
		if at.Token() == "iconUrl" && strings.HasPrefix(at.Node.Word(), "data:image/") {
			continue // an icon that needs no request
		}
		if at.Node.Word() != "" && web(at.Node.Text) == nil {
			c.find(at, "write the full URL: https://acme.com/page", "%s is not an absolute http or https URL",
				diag.Quote(at.Node.Text))
		}
	}
}
