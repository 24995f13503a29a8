package lint

import (
	"regexp"
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
const (
	lookalikes = "АВЕЗКМНОРСТУХЅІЈԌԚԜаеорсухѕіјһԁԛԝүӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιυρα" + "օոսցհ" + "ᴀᴄᴇᴏᴜᴠᴡᴢ"
	latin      = "ABE3KMHOPCTYXSIJGQWaeopcyxsijhdqwyl" + "ABEZHIKMNOPTYXoviupa" + "onugh" + "aceouvwz"
)

// Latin returns the Latin letter that another one looks like, or the letter itself.
func Latin(r rune) rune {
	if i := strings.IndexRune(lookalikes, r); isLookalike(r) {
		return rune(latin[utf8.RuneCountInString(lookalikes[:i])])
	}
	return r
}

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
				c.findText(t, "write each word in one alphabet: people cannot see the difference, "+
					"and programs treat them as different names",
					"%s imitates another name: its %c is not a Latin letter, but U+%04X", quote(t.text), r, r)
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
			c.findText(t, "describe what the agent does; if the text only quotes such an order, "+
				"switch the rule off with rules: {text-instruction: off}",
				"the text gives orders to the model that reads it: %s", quote(strings.TrimSpace(order)))
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

// mayInstruct reports whether a text has one of the signs without which there is no
// order. Half of all descriptions speak of the user, and few forbid anything.
func mayInstruct(text string) bool {
	return orderSigns.in(text) || forbidSigns.in(text) && userSigns.in(text)
}

var (
	orderSigns = newSigns("ignore", "disregard", "forget", "override", "system prompt", "hidden prompt", "initial prompt",
		"<|", "<s", "<<", "</", "<a", "inst]")
	forbidSigns = newSigns("do not", "don't", "never", "without", "hide ", "conceal ", "keep ")
	userSigns   = newSigns("user")
)
