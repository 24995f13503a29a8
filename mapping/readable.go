package mapping

import (
	"regexp"
	"slices"
	"strings"
)

// What can be made readable of skills, as the configuration spells it.
const (
	ReadableNames    = "names"
	ReadableTags     = "tags"
	ReadableExamples = "examples"

	ReadableDescriptions = "descriptions"
)

// SpellName spells the name of a skill for people where it is only its id.
func (s *Skill) SpellName() {
	s.Name = Title(s.Name, s.Description)
}

// TagWords tags a skill without tags by the words of its id.
func (s *Skill) TagWords() {
	if len(s.Tags) > 0 {
		return
	}
	for w := range strings.FieldsFuncSeq(s.ID, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if len(w) > 1 && !joins[w] && !slices.Contains(s.Tags, w) {
			s.Tags = append(s.Tags, w)
		}
	}
	if len(s.Tags) == 0 {
		s.Tags = []string{s.ID}
	}
	s.Places = append(s.Places, Place{Pointer: "/tags", Span: s.Origin})
}

// mostExamples is how many examples a skill has at most that are taken from its
// description.
const mostExamples = 5

// QuoteExamples takes the phrases that a description quotes as examples of a skill that
// has none, where there are two or more: ‘"make a chart", "plot this"’.
func (s *Skill) QuoteExamples() {
	if len(s.Examples) > 0 {
		return
	}
	var phrases []string
	for _, m := range quotedPhrase.FindAllStringSubmatch(s.Description, -1) {
		phrase := strings.Trim(m[1]+m[2], " ,.")
		if words := len(strings.Fields(phrase)); words > 1 && words < 20 && !slices.Contains(phrases, phrase) {
			phrases = append(phrases, phrase)
		}
	}
	if len(phrases) < 2 {
		return
	}
	s.Examples = phrases[:min(len(phrases), mostExamples)]
	for _, p := range s.Places {
		if p.Pointer == "/description" {
			s.Places = append(s.Places, Place{Pointer: "/examples", Span: p.Span})
			break
		}
	}
}

// quotedPhrase is a phrase in double quotes, straight or curly.
var quotedPhrase = regexp.MustCompile(`(?:^|[\s(,:/])"([^"\n{}<>$]+)"|“([^”\n{}<>$]+)”`)
