package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/source"
)

var sensitiveChecks = []check{
	{"skill-sensitive-public", both, skillSensitivePublic},
}

// skillSensitivePublic finds skills that can do harm on a card that everybody can
// read. Where clients have to authenticate, the extended card is the place for them.
func skillSensitivePublic(c *card) {
	secured := demanded(c.root)
	if secured && c.Extended {
		return
	}
	for _, s := range c.skills {
		at := s.At("description")
		act := harm(at.Word(), false)
		for _, key := range []string{"id", "name"} {
			if act == "" {
				at = s.At(key)
				act = harm(at.Word(), true)
			}
		}
		if act == "" {
			continue
		}
		f := fault(at, "say in auth or securitySchemes how clients authenticate, or put the skill on the extended card",
			"the skill %s is open to everybody: %s, and the card requires no authentication", quote(s.At("id").Word()),
			quote(act))
		if secured || demanded(s) {
			f.message = fmt.Sprintf("the public card tells everybody of the skill %s: %s", quote(s.At("id").Word()), quote(act))
			f.hint = "put it on the extended card with skills.extended, which only authenticated clients get"
		}
		c.report(f)
	}
}

// demanded reports whether a card or skill has a requirement, in either form.
func demanded(p place) bool {
	return p.Get("security").Is(source.Array) && len(p.Get("security").Items) > 0 ||
		p.Get("securityRequirements").Is(source.Array) && len(p.Get("securityRequirements").Items) > 0
}

// deed is something that must not be open to everyone: a verb, and behind it so many
// words later at most what it is done to, in one word or two.
type deed struct {
	verbs, objects []string
	within         int
}

var deeds = []deed{
	{
		strings.Fields("deploy redeploy ship restart terminate access query read write update modify connect run execute " +
			"change search release roll shut"),
		[]string{
			"production", "prod", "staging", "live system", "live systems", "live server", "live servers", "live cluster",
			"live database", "internal database", "internal databases", "internal db", "private database",
		},
		6,
	},
	{
		strings.Fields("delete drop wipe erase purge destroy truncate"),
		strings.Fields("database databases db table tables account accounts user users customer customers record records " +
			"bucket buckets cluster clusters backup backups tenant tenants production prod"), 4,
	},
	{
		strings.Fields("read show list return rotate retrieve fetch export reveal get dump"),
		[]string{"secret", "secrets", "credentials", "passwords", "api keys", "private keys", "access tokens"},
		3,
	},
	{
		strings.Fields("transfer send pay charge refund issue make process execute approve"),
		[]string{
			"payment", "payments", "money", "funds", "refunds", "payout", "payouts", "credit card", "credit cards",
			"wire transfer", "wire transfers",
		},
		3,
	},
}

// reach is what a skill that speaks of it at all gives access to.
var reach = deed{objects: []string{
	"internal database", "internal databases", "production database", "production databases", "prod db", "prod database",
}}

// actsOf has the deeds of each verb, in the forms "delete" and "deletes".
var actsOf = func() map[string][]*deed {
	acts := map[string][]*deed{}
	for i := range deeds {
		for _, verb := range deeds[i].verbs {
			third := verb + "s"
			switch {
			case strings.HasSuffix(verb, "sh") || strings.HasSuffix(verb, "ss") || strings.HasSuffix(verb, "ch"):
				third = verb + "es"
			case strings.HasSuffix(verb, "ry") || strings.HasSuffix(verb, "fy"):
				third = verb[:len(verb)-1] + "ies"
			}
			acts[verb] = append(acts[verb], &deeds[i])
			acts[third] = append(acts[third], &deeds[i])
		}
	}
	return acts
}()

// part is a word of a text or of an id, in lower case.
type part struct {
	word       string
	start, end int
	first      bool // of its clause
}

// parts splits a text at everything but letters and digits, and at the capitals of
// camelCase.
func parts(text string) []part {
	list := make([]part, 0, 1+len(text)/6)
	start, first, small := -1, true, false
	flush := func(end int) {
		if start >= 0 {
			list = append(list, part{strings.ToLower(text[start:end]), start, end, first})
			start, first = -1, false
		}
	}
	for i, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			first = first || strings.ContainsRune(".;:!?\n,(", r)
		case start < 0:
			start = i
		case unicode.IsUpper(r) && small:
			flush(i)
			start = i
		}
		small = unicode.IsLower(r)
	}
	flush(len(text))
	return list
}

// harm returns the words of a text that say that a skill does such a deed, "" for
// none. In a sentence the verb has to say what the skill does, and not what it is
// about; in an id or a name any word may, and what it is done to may come first.
func harm(text string, isName bool) string {
	words := parts(text)
	for i, w := range words {
		if n := reach.object(words[i:]); n > 0 {
			return text[w.start:words[i+n-1].end]
		}
		if !isName && !w.first && !says(words[:i]) {
			continue
		}
		for _, d := range actsOf[w.word] {
			from, to := i+1, min(len(words), i+1+d.within)
			if isName {
				from, to = 0, len(words)
			}
			for j := from; j < to; j++ {
				if j > i && !isName && (words[j].first || words[j].word == "and") {
					break
				}
				if n := d.object(words[j:]); n > 0 && j != i {
					return text[min(w.start, words[j].start):max(w.end, words[j+n-1].end)]
				}
			}
		}
	}
	return ""
}

// object returns how many words name what the deed is done to, 0 for none.
func (d *deed) object(words []part) int {
	first := words[0].word
	for _, o := range d.objects {
		rest, is := strings.CutPrefix(o, first)
		switch {
		case !is:
		case rest == "":
			return 1
		case len(words) > 1 && rest[0] == ' ' && rest[1:] == words[1].word:
			return 2
		}
	}
	return 0
}

// says reports whether a verb behind some words tells what a skill does: "and
// deletes", "can delete", "to delete", but not "how to delete".
func says(before []part) bool {
	n := len(before)
	switch before[n-1].word {
	case "and", "or", "can", "then", "will", "also", "automatically", "safely":
		return true
	case "to":
		return n < 2 || !slices.Contains([]string{"how", "ways", "way", "when", "steps", "best"}, before[n-2].word)
	}
	return false
}
