package lint

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
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
	words := make([]part, 0, 64) // of one text after the other
	for _, s := range c.skills {
		var act string
		var at place
		for _, key := range []string{"description", "id", "name"} {
			if act == "" {
				at = s.At(key)
				words = parts(words[:0], at.Word())
				act = harm(at.Word(), words, key != "description")
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
	return offered(p.At("security")) || offered(p.At("securityRequirements"))
}

// deed is something that must not be open to everyone: a verb, and behind it so many
// words later at most what it is done to, in one word or two.
type deed struct {
	verbs, objects []string
	within         int
}

var deeds = []*deed{
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
var reach = &deed{objects: []string{
	"internal database", "internal databases", "production database", "production databases", "prod db", "prod database",
}}

// meaning is what a word says of deeds.
type meaning struct {
	acts    []*deed // it is a verb of
	objects []object
}

// object is a word or the first of two that a deed is done to.
type object struct {
	of     *deed
	second string // "" for a single word
}

// meanings has what each word of [deeds] says, the verbs in the forms "delete" and
// "deletes".
var meanings = sync.OnceValue(func() map[string]*meaning {
	all := map[string]*meaning{}
	of := func(word string) *meaning {
		if all[word] == nil {
			all[word] = &meaning{}
		}
		return all[word]
	}
	for _, d := range append(deeds, reach) {
		for _, o := range d.objects {
			first, second, _ := strings.Cut(o, " ")
			of(first).objects = append(of(first).objects, object{d, second})
		}
		for _, verb := range d.verbs {
			third := verb + "s"
			switch {
			case strings.HasSuffix(verb, "sh") || strings.HasSuffix(verb, "ss") || strings.HasSuffix(verb, "ch"):
				third = verb + "es"
			case strings.HasSuffix(verb, "ry") || strings.HasSuffix(verb, "fy"):
				third = verb[:len(verb)-1] + "ies"
			}
			of(verb).acts = append(of(verb).acts, d)
			of(third).acts = append(of(third).acts, d)
		}
	}
	return all
})

// part is a word of a text or of an id, in lower case.
type part struct {
	word       string
	start, end int
	first      bool     // of its clause
	means      *meaning // nil for most words
}

// parts adds the words of a text to a list: it is split at everything but letters and
// digits, and at the capitals of camelCase.
func parts(list []part, text string) []part {
	all := meanings()
	start, first, small := -1, true, false
	flush := func(end int) {
		if start >= 0 {
			word := strings.ToLower(text[start:end])
			list = append(list, part{word, start, end, first, all[word]})
			start, first = -1, false
		}
	}
	for i, r := range text {
		lower := 'a' <= r && r <= 'z' || r >= utf8.RuneSelf && unicode.IsLower(r)
		switch {
		case lower && start >= 0: // as most are
		case !lower && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			first = first || strings.ContainsRune(".;:!?\n,(", r)
		case start < 0:
			start = i
		case small && unicode.IsUpper(r):
			flush(i)
			start = i
		}
		small = lower
	}
	flush(len(text))
	return list
}

// harm returns the words of a text that say that a skill does such a deed, "" for
// none. In a sentence the verb has to say what the skill does, and not what it is
// about; in an id or a name any word may, and what it is done to may come first.
func harm(text string, words []part, isName bool) string {
	for i, w := range words {
		if w.means == nil {
			continue
		}
		if n := reach.object(words[i:]); n > 0 {
			return text[w.start:words[i+n-1].end]
		}
		if !isName && !w.first && !says(words[:i]) {
			continue
		}
		for _, d := range w.means.acts {
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
	if words[0].means == nil {
		return 0
	}
	for _, o := range words[0].means.objects {
		switch {
		case o.of != d:
		case o.second == "":
			return 1
		case len(words) > 1 && o.second == words[1].word:
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
