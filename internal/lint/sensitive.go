package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/diag"
)

var sensitiveChecks = checks{
	diag.SkillSensitivePublic: {both, eachSkill(skillSensitivePublic)},
}

// deed is what can be done to something.
type deed struct{ verbs, objects []string }

// deeds are what must not be open to everybody: verbs, and what they are done to.
var deeds = []deed{
	{
		strings.Fields("access change connect deploy execute modify query redeploy release restart terminate update write"),
		strings.Fields("production prod staging"),
	},
	{
		strings.Fields("delete drop wipe erase purge destroy truncate"),
		strings.Fields("database databases account accounts user users customer customers backup backups tenant tenants " +
			"cluster clusters production prod"),
	},
	{
		strings.Fields("read show list return rotate retrieve fetch export reveal dump"),
		strings.Fields("secret secrets credentials passwords"),
	},
	{
		strings.Fields("transfer send pay charge refund issue execute approve"),
		strings.Fields("payment payments money funds refunds payout payouts"),
	},
}

// skillSensitivePublic finds skills that can do harm on a card that everybody can
// read. Where clients have to authenticate, the extended card is the place for them.
func skillSensitivePublic(c *card, s location) {
	secured := demanded(c.root)
	if secured && c.Extended {
		return
	}
	for _, key := range []string{"description", "id", "name"} {
		act := harm(s.At(key).Node.Word(), key != "description")
		if act == "" {
			continue
		}
		id := diag.Quote(s.At("id").Node.Word())
		d := c.find(s.At(key),
			"say in auth or securitySchemes how clients authenticate, or put the skill on the extended card",
			"the skill %s is open to everybody: %s, and the card requires no authentication", id, diag.Quote(act))
		if secured || demanded(s) {
			d.Message = fmt.Sprintf("the public card tells everybody of the skill %s: %s", id, diag.Quote(act))
			d.Hint = "put it on the extended card with skills.extended, which only authenticated clients get"
		}
		return
	}
}

// demanded reports whether a card or skill has a requirement, in either form.
func demanded(p location) bool {
	return offered(p.At("security")) || offered(p.At("securityRequirements"))
}

// harm returns the words of a text that name a deed, "" for none. In a sentence the verb
// begins it or follows "and", "or" or "can", and its object is at most six words on.
func harm(text string, isName bool) string {
	const between = 6
	text = strings.ToLower(text)
	possible := slices.DeleteFunc(slices.Clone(deeds), func(d deed) bool { // most texts hold no object
		return !slices.ContainsFunc(d.objects, func(object string) bool { return strings.Contains(text, object) })
	})
	if len(possible) == 0 {
		return ""
	}
	words := strings.FieldsFunc(text,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		if !isName && i > 0 && !slices.Contains([]string{"and", "or", "can", "then", "also"}, words[i-1]) {
			continue
		}
		for _, d := range possible {
			if !slices.ContainsFunc(d.verbs, func(verb string) bool { return word == verb || isThirdPerson(word, verb) }) {
				continue
			}
			for j := i + 1; j < min(len(words), i+1+between); j++ {
				if slices.Contains(d.objects, words[j]) {
					return strings.Join(words[i:j+1], " ")
				}
			}
		}
	}
	return ""
}

// isThirdPerson reports whether a word is a verb with the ending of "deletes".
func isThirdPerson(word, verb string) bool {
	stem, ok := strings.CutSuffix(word, "s")
	return ok && (stem == verb || strings.TrimSuffix(stem, "e") == verb ||
		strings.TrimSuffix(stem, "ie") == strings.TrimSuffix(verb, "y"))
}
