package lint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/schema"
)

var identityChecks = []check{
	{diag.CardDescriptionVague, both, cardDescriptionVague},
	{diag.CardDocumentationMissing, both, cardDocumentationMissing},
	{diag.CardNameLong, both, cardNameLong},
	{diag.CardURLInvalid, both, cardURLInvalid},
	{diag.CardVersionNotSemVer, both, cardVersionNotSemver},
	{diag.ProviderMissing, both, providerMissing},
}

func cardVersionNotSemver(c *card) {
	v := c.root.At("version")
	if _, ok := schema.ParseVersion(v.Node.Word()); !ok && v.Node.Word() != "" {
		c.find(v, "any format is valid, but most tools expect semver.org",
			"the version %s is not MAJOR.MINOR.PATCH, so clients cannot tell how much a change matters", quote(v.Node.Text))
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
	if first, _ := nextLetter(description); first == 0 {
		return ""
	}
	for _, name := range names {
		if sameLetters(description, name) {
			return "only repeats the name"
		}
	}
	n := 0
	for word := range strings.FieldsFuncSeq(description, endsWord) {
		if n += countWords(word); n >= fewWords {
			return ""
		}
	}
	return "has only " + diag.Count(n, "word")
}

func endsWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }

// letters reduces a text to its letters and digits, for comparing.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if isLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// sameLetters reports whether two texts are the same when they are reduced to
// their letters and digits. As a rule the first ones differ.
func sameLetters(a, b string) bool {
	for {
		var x, y rune
		x, a = nextLetter(a)
		y, b = nextLetter(b)
		if x != y || x == 0 {
			return x == y
		}
	}
}

// nextLetter returns the first letter or digit of a text, in lower case, and
// what follows it; 0 when there is none.
func nextLetter(text string) (letter rune, rest string) {
	for i, r := range text {
		if isLetter(r) {
			return unicode.ToLower(r), text[i+utf8.RuneLen(r):]
		}
	}
	return 0, ""
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
	for _, at := range []place{c.root.At("documentationUrl"), c.root.At("iconUrl"), c.root.At("provider").At("url")} {
		if at.Token() == "iconUrl" && strings.HasPrefix(at.Node.Word(), "data:image/") {
			continue // an icon that needs no request
		}
		if at.Node.Word() != "" && web(at.Node.Text) == nil {
			c.find(at, "write the full URL: https://acme.com/page", "%s is not an absolute http or https URL", quote(at.Node.Text))
		}
	}
}
