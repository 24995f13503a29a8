package mapping

import (
	"slices"
	"strings"

	"cardwright/internal/parallel"
)

// ChooseSentences orders the sentences of the description for an agent that decides
// whether to call: what the skill does, then when to use it. It returns what is left
// out, which speaks to the model that has the skill. A description that would say
// nothing of what the skill does stays as it is.
func (s *Skill) ChooseSentences() (left []string) {
	text, left := chosen(s.Description)
	s.Description = text
	return left
}

// aim is what a sentence of a description is for.
type aim uint8

const (
	says    aim = iota // what the skill does
	calls              // when to use it, and when not
	directs            // what the model has to do that has the skill
)

// chosen returns a description without what directs the model, and that.
func chosen(text string) (string, []string) {
	var by [directs + 1][]string
	last, ordered := says, true
	for _, part := range sentences(text) {
		to := aimOf(part)
		if to == says && last == calls && refersBack().MatchString(part) {
			to = calls
		}
		ordered = ordered && to >= last && to != directs
		last = to
		by[to] = append(by[to], part)
	}
	left := by[directs]
	if len(by[says]) == 0 && (len(by[calls]) == 0 || len(left) == 0) || ordered {
		return text, nil
	}
	var out strings.Builder
	for _, part := range slices.Concat(by[says], by[calls]) {
		if before := out.String(); before != "" && !strings.HasSuffix(before, "\n") && !strings.HasSuffix(before, " ") {
			out.WriteByte(' ') // what was the last one
		}
		out.WriteString(part)
	}
	for i := range left {
		left[i] = strings.TrimSpace(left[i])
	}
	return tidy(out.String()), left
}

// Does returns the first sentence of the description that says what the skill does, ""
// where none does.
func (s *Skill) Does() string {
	for _, part := range sentences(s.Description) {
		if aimOf(part) == says {
			return tidy(part)
		}
	}
	return ""
}

// sentences divides a text into sentences, each with the space behind it. One in
// brackets or quotes is not divided, nor is a list from what introduces it.
func sentences(text string) []string {
	var out []string
	start := 0
	for _, m := range sentenceEnd().FindAllStringSubmatchIndex(text, -1) {
		end := m[1]
		if m[2] >= 0 {
			end = m[2] // before an example
		}
		if end == len(text) || end <= start {
			continue
		}
		part, rest := text[start:end], text[end:]
		example := strings.HasPrefix(rest, "<example>") || strings.HasSuffix(strings.TrimSpace(part), "</example>")
		if !example && (!closed(part, text) || abbreviated().MatchString(part) || !opensSentence().MatchString(rest)) {
			continue
		}
		out = append(out, part)
		start = end
	}
	return append(out, text[start:])
}

// closed reports whether quotes and brackets end in a part of a text, as far as they do
// so in all of it.
func closed(part, text string) bool {
	even := func(s string) bool { return strings.Count(s, `"`)%2 == 0 }
	pairs := func(s, open, end string) bool { return strings.Count(s, open) <= strings.Count(s, end) }
	return (even(part) || !even(text)) && (pairs(part, "(", ")") || !pairs(text, "(", ")")) &&
		pairs(part, "<example>", "</example>")
}

// aimOf says what a sentence is for. Only English is understood: what is in another
// language says what the skill does.
func aimOf(sentence string) aim {
	sentence = strings.TrimLeft(sentence, "*_#`> \t\n")
	plain := leadIn().ReplaceAllString(sentence, "")
	switch {
	case example().MatchString(sentence), shouted().MatchString(sentence), firstStep().MatchString(plain):
		return directs
	case whenToUse().MatchString(plain) && !saysWhat().MatchString(plain):
		return calls
	case order().MatchString(sentence):
		return directs
	}
	return says
}

var (
	// sentenceEnd is where a sentence may end: behind a mark, an empty line, a line
	// before a heading or list, and around an example.
	sentenceEnd = parallel.Regexp("[.!?][\"')\\]*`”’]*\\s+|\\s*\n\\s*\n\\s*|\\s*\n|</example>\\s*|\\s+(<example>)")
	abbreviated = parallel.Regexp(`(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|incl|No|Dr|Mr|St|[A-Z])\.\s+$`)
	// opensSentence is what may begin a sentence: no small letter, and no item of a list.
	opensSentence = parallel.Regexp("^(?:[\"'(\\[`“‘*_#<]*[\\p{Lu}\\p{Lo}]|[a-z0-9]+[A-Z]|<)")
	// refersBack begins what belongs to the sentence before it.
	refersBack = parallel.Regexp(`^(?i:also|it|its|they|these|those|then|this (?:is|includes|covers|means|lets)|` +
		`additionally|furthermore|moreover|however|otherwise|instead|and|but|or|both|such|either|for example|` +
		`for instance|e\.g\.|including|includes|covers|examples? include|not for|optionally|specifically)\b`)
	// leadIn is what stands before the verb of a sentence about its use.
	leadIn = parallel.Regexp(`^(?i:(?:always|also|only|please|proactively|do not|don['’]t|never|` +
		`you (?:should|can|may|must))\s+)+`)
	// whenToUse begins a sentence about when to use the skill, and when another one.
	whenToUse = parallel.Regexp(`^(?i:` +
		`use(?:d|ful)?(?: proactively\b|:|,| (?:this|it|these|when|whenever|if|for|on|after|before|in|as|at|during|while|` +
		`only|cases?|instead|the [\w-]+ skill)\b)|` +
		`(?:invoke|trigger|activate|appl[yi]|load|call|run|execute|consult|select|choose|read|skip)(?:e?s|ed|ing)? ` +
		`(?:this|it|when|whenever|if|on|even|only|also|for|during)\b|refuse\b|route\b.* elsewhere\b|` +
		`(?:trigger|keyword|activation|skip)(?:s|ed)?\b(?: \w+)?[ ]?[:=(\-"'“]|` +
		`trigger(?:s|ed|ing)? (?:phrases?|keywords?|words?|terms?|by|with|include)\b|` +
		`(?:ideal|best|perfect|applicable|suitable|not) (?:for|when|used|to)\b|when(?:ever)?\b|if\b|even if\b|` +
		`for [^.]*(?:→|\b(?:use|see|prefer)\b)|[^.]*→ ?[a-z]+-[a-z-]+(?:[;,][^.]*)?\.?\s*$|` +
		`(?:this|the)(?: [\w-]+)? (?:skill|agent|command|tool) (?:` +
		`(?:should|is to|can|may) be (?:used|invoked|triggered|activated|applied)|` +
		`triggers|activates|applies|is (?:useful|used) (?:when|for|to))\b)`)
	// saysWhat begins as they do, and says what the skill does.
	saysWhat = parallel.Regexp(`^(?i:use (?:this|it|these)(?: [\w-]+)?(?: skill| agent| tool| command)? to\b)`)
	// example is a dialog that shows a model when to call a subagent.
	example = parallel.Regexp(`^(?i:<example>|(?:for )?examples?:\s*$)`)
	// shouted is an order in capital letters.
	shouted = parallel.Regexp(
		`\bMUST (?:ALWAYS |NOT )*(?i:be )?(?i:use|call|invoke|run|load|read|follow|trigger|activate)|` +
			`\b[Yy](?:ou|OU) MUST\b|` +
			`\b(?i:use|load|run|read|invoke|call) (?:this |it |the )?(?:skill )?(?:BEFORE|FIRST)\b|` +
			`^(?:IMPORTANT|CRITICAL|MANDATORY|REQUIRED|STOP|WARNING|NOTE)\b`)
	// firstStep tells the model what to do with the skill before or after something.
	firstStep = parallel.Regexp(`^(?i:(?:run|execute|call|load|read|consult|check|follow) (?:this|it|these)\b.*\b` +
		`(?:before|after|first|prior to|immediately|at the (?:start|beginning|end)|every)\b)`)
	// order is any other thing that the model is to do.
	order = parallel.Regexp(`^(?i:(?:always|never) \w*[^s\s]\s|` +
		`(?:do not|don['’]t|please|you (?:must|should|need to|have to))\b|` +
		`(?:make|be) sure\b|ensure (?:that )?you\b|remember (?:to|that)\b|important:|critical:|` +
		`follow (?:these|the) (?:steps|instructions)\b|prefer (?:this|it|over)\b|` +
		`before (?:[\w-]+ ){0,8}?(?:this skill|you)\b)`)
)
