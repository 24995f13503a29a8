package lint

import (
	"fmt"
	"slices"
	"strconv"
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
	words := make([]part, 0, 128) // of one text after the other, as many as most have
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

// deeds are what must not be open to everyone: within how many words, verbs, and what
// they are done to, in one word or two. A skill that speaks of the last at all gives
// access to it.
const deeds = `
6
access change connect deploy execute modify query read redeploy release restart roll run search ship shut
terminate update write
: production prod staging live-system live-systems live-server live-servers live-cluster live-database
: internal-database internal-databases internal-db private-database
4
delete drop wipe erase purge destroy truncate
: database databases db table tables account accounts user users customer customers record records bucket buckets
: cluster clusters backup backups tenant tenants production prod
3
read show list return rotate retrieve fetch export reveal get dump
: secret secrets credentials passwords api-keys private-keys access-tokens
3
transfer send pay charge refund issue make process execute approve
: payment payments money funds refunds payout payouts credit-card credit-cards wire-transfer wire-transfers
0
: internal-database internal-databases production-database production-databases prod-db prod-database`

// lexicon has what words say of deeds.
type lexicon struct {
	words  map[string]meaning // "delete" and "deletes", and objects of one word or two, with a hyphen
	pairs  pairs              // that they begin with
	within []int
}

// of returns what a word means. Looking most words up takes longer than seeing that no
// word begins so.
func (l *lexicon) of(word string) meaning {
	if len(word) < 2 || !l.pairs.has(word[0], word[1]) {
		return meaning{}
	}
	return l.words[word]
}

// meaning is what a word says: of which deeds, each a bit.
type meaning struct {
	verb, object uint8
	begins       bool // an object, of two words perhaps
}

var meanings = sync.OnceValue(func() *lexicon {
	all := &lexicon{words: map[string]meaning{}}
	add := func(word string, m meaning) {
		all.pairs.add(word)
		was := all.words[word]
		all.words[word] = meaning{was.verb | m.verb, was.object | m.object, was.begins || m.begins}
	}
	for line := range strings.Lines(deeds) {
		words := strings.Fields(line)
		deed := uint8(1) << max(len(all.within)-1, 0)
		switch n, err := strconv.Atoi(strings.TrimSpace(line)); {
		case err == nil:
			all.within = append(all.within, n)
		case len(words) > 0 && words[0] == ":":
			for _, object := range words[1:] {
				add(object, meaning{object: deed})
				first, _, _ := strings.Cut(object, "-")
				add(first, meaning{begins: true})
			}
		default:
			for _, verb := range words {
				add(verb, meaning{verb: deed})
				add(third(verb), meaning{verb: deed})
			}
		}
	}
	return all
})

// third returns the third person of a verb.
func third(verb string) string {
	switch {
	case strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ss"), strings.HasSuffix(verb, "ch"):
		return verb + "es"
	case strings.HasSuffix(verb, "ry"), strings.HasSuffix(verb, "fy"):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// part is a word of a text or of an id, in lower case.
type part struct {
	word       string
	start, end int
	first      bool // of its clause
	means      meaning
}

// parts adds the words of a text to a list: it is split at everything but letters and
// digits, and at the capitals of camelCase.
func parts(list []part, text string) []part {
	start, first, small := -1, true, false
	for i := 0; i < len(text); {
		if isSmall(text[i]) { // as most are
			if small = true; start < 0 {
				start = i
			}
			for i++; i < len(text) && isSmall(text[i]); i++ {
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if start >= 0 {
				list, first = append(list, newPart(text, start, i, first)), false
			}
			start, first = -1, first || r != ' ' && strings.ContainsRune(".;:!?\n,(", r)
		case start < 0:
			start = i
		case small && unicode.IsUpper(r):
			list, first = append(list, newPart(text, start, i, first)), false
			start = i
		}
		small = unicode.IsLower(r)
		i += size
	}
	if start >= 0 {
		list = append(list, newPart(text, start, len(text), first))
	}
	return list
}

func newPart(text string, start, end int, first bool) part {
	word := strings.ToLower(text[start:end])
	return part{word, start, end, first, meanings().of(word)}
}

func isSmall(b byte) bool { return 'a' <= b && b <= 'z' }

// harm returns the words of a text that say that a skill does such a deed, "" for
// none. In a sentence the verb has to say what the skill does, and not what it is
// about; in an id or a name any word may, and what it is done to may come first.
func harm(text string, words []part, isName bool) string {
	all := meanings()
	reach := len(all.within) - 1
	for i, w := range words {
		if n := all.object(words[i:], reach); n > 0 {
			return text[w.start:words[i+n-1].end]
		}
		verb := w.means.verb
		if verb == 0 || !isName && !w.first && !says(words[:i]) {
			continue
		}
		for d, within := range all.within {
			from, to := i+1, min(len(words), i+1+within)
			if isName {
				from, to = 0, len(words)
			}
			for j := from; verb>>d&1 == 1 && j < to; j++ {
				if j > i && !isName && (words[j].first || words[j].word == "and") {
					break
				}
				if n := all.object(words[j:], d); n > 0 && j != i {
					return text[min(w.start, words[j].start):max(w.end, words[j+n-1].end)]
				}
			}
		}
	}
	return ""
}

// object returns how many words name what a deed is done to, 0 for none.
func (l *lexicon) object(words []part, deed int) int {
	first := words[0]
	switch {
	case !first.means.begins:
	case first.means.object>>deed&1 == 1:
		return 1
	case len(words) > 1 && l.words[first.word+"-"+words[1].word].object>>deed&1 == 1:
		return 2
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
