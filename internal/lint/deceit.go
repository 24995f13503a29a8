package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

var deceitChecks = []check{
	{"text-instruction", both, textInstruction},
	{"text-lookalike", both, textLookalike},
}

// lookalikes are the letters of other alphabets that many fonts show as Latin
// ones (Unicode Technical Standard 39, confusables).
const lookalikes = "АВЕЗКМНОРСТУХЅІЈԌԚԜаеорсухѕіјһԁԛԝүӏ" +
	"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιυρα" +
	"օոսցհ" +
	"ᴀᴄᴇᴏᴜᴠᴡᴢ"

func isLookalike(r rune) bool {
	return r >= utf8.RuneSelf && strings.ContainsRune(lookalikes, r)
}

// textLookalike finds names and addresses that pass for others.
func textLookalike(c *card) {
	c.eachText(func(t textAt) {
		if isPlain(t.text) {
			return
		}
		id := t.name == "id"
		if !id && t.name != "name" && t.name != "organization" && t.name != "tags" && !strings.Contains(t.text, "://") {
			return
		}
		for word := range strings.FieldsFuncSeq(t.text, func(r rune) bool {
			return !unicode.IsLetter(r) &&
				!unicode.IsMark(r)
		}) {
			if r, ok := passesForLatin(word, id); ok {
				c.report(finding{
					at:   t.place(),
					name: t.key,
					message: fmt.Sprintf("%s imitates another name: its %c is not a Latin letter, but U+%04X",
						quote(t.text), r, r),
					hint: "write each word in one alphabet: people cannot see the difference, " +
						"and programs treat them as different names",
				})
				return
			}
		}
	})
}

// passesForLatin returns the first letter of a word that is not the Latin one
// which it looks like: one beside Latin letters, or, where the whole word has to
// look so, one among nothing else.
func passesForLatin(word string, whole bool) (rune, bool) {
	var first rune
	latin, other := false, false
	for _, r := range word {
		switch {
		case isLookalike(r):
			if first == 0 {
				first = r
			}
		case unicode.Is(unicode.Latin, r):
			latin = true
		default:
			other = true
		}
	}
	return first, first != 0 && (latin || whole && !other)
}

// textInstruction finds text that gives orders to the model that reads it
// instead of saying what the agent does.
func textInstruction(c *card) {
	c.eachText(func(t textAt) {
		if t.name != "name" && t.name != "description" && t.name != "tags" || !mayInstruct(t.text) {
			return
		}
		if order := orders().FindString(t.text); order != "" {
			c.report(finding{
				at:      t.place(),
				name:    t.key,
				message: fmt.Sprintf("the text gives orders to the model that reads it: %s", quote(strings.TrimSpace(order))),
				hint: "describe what the agent does; if the text only quotes such an order, " +
					"switch the rule off with rules: {text-instruction: off}",
			})
		}
	})
}

// orders finds what injected prompts are made of: marks of chat templates, and
// sentences that set aside what the model was told or keep something from the
// user. It cannot know all of them.
var orders = sync.OnceValue(func() *regexp.Regexp {
	const gap = `[^.!?\n]{0,40}`
	return regexp.MustCompile(`(?i)` + strings.Join([]string{
		`<\|(im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>`,
		`\[/?INST\]`, `<</?SYS>>`, `</?(system|system-reminder|system_prompt|assistant)>`,
		`\b(ignore|disregard|forget|override)\b` + gap + `\b(previous|prior|above|earlier|preceding|your|other|all|any)\b` +
			gap + `\b(instructions?|prompts?|guidelines?|directives?|safety rules)\b`,
		`\b(do not|don't|never|without)\b[^.!?\n]{0,20}` +
			`\b(tell|telling|inform|informing|mention|mentioning|alert|alerting|reveal|revealing)\b[^.!?\n]{0,40}` +
			`\b(the|to|your|any|end) (end )?users?\b`,
		`\b(hide|conceal|keep) (this|it|that)( skill| tool)?( secret| hidden)? from (the )?users?\b`,
		`\b(reveal|print|output|repeat|send|leak|exfiltrate)\b` + gap + `\b(your|the) (system|hidden|initial) prompt\b`,
	}, "|"))
})

// beginsSign tells of a byte whether one of the signs of mayInstruct begins with it.
var beginsSign = [256]bool{
	'<': true, '[': true, 'i': true, 'I': true, 'd': true, 'D': true, 'f': true, 'F': true,
	'o': true, 'O': true, 'p': true, 'P': true, 'u': true, 'U': true,
}

// mayInstruct tells whether a text has one of the signs without which there is no
// order. Half of all descriptions speak of the user, and few forbid anything in
// the same sentence.
func mayInstruct(text string) bool {
	for i := range len(text) {
		if !beginsSign[text[i]] {
			continue
		}
		rest := text[i:]
		sign := false
		switch text[i] {
		case '<':
			sign = len(rest) > 1 && strings.IndexByte("|</sSaA", rest[1]) >= 0
		case '[':
			sign = hasFold(rest, "[inst]") || hasFold(rest, "[/inst]")
		case 'i', 'I':
			sign = hasFold(rest, "ignore")
		case 'd', 'D':
			sign = hasFold(rest, "disregard")
		case 'f', 'F':
			sign = hasFold(rest, "forget")
		case 'o', 'O':
			sign = hasFold(rest, "override")
		case 'p', 'P':
			sign = hasFold(rest, "prompt") && endsFold(text[:i], "system ", "hidden ", "initial ")
		case 'u', 'U':
			sign = hasFold(rest, "user") && endsFold(text[:i], "the ", "to ", "your ", "any ", "end ", "from ") &&
				forbids(text[:i])
		}
		if sign {
			return true
		}
	}
	return false
}

// forbids tells whether the sentence that a text ends with says what not to do.
func forbids(text string) bool {
	sentence := strings.ToLower(text[strings.LastIndexAny(text, ".!?\n")+1:])
	return slices.ContainsFunc([]string{"do not", "don't", "never", "without", "hide ", "conceal ", "keep "},
		func(word string) bool { return strings.Contains(sentence, word) })
}

// hasFold tells whether a text begins with a prefix, which is in lower case. The
// second letter tells most of them apart.
func hasFold(text, prefix string) bool {
	const small = 'a' - 'A'
	return len(text) >= len(prefix) && text[1]|small == prefix[1] && strings.EqualFold(text[:len(prefix)], prefix)
}

func endsFold(text string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool {
		return len(text) >= len(end) && strings.EqualFold(text[len(text)-len(end):], end)
	})
}
