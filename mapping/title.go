package mapping

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/schema"
)

// Title spells an id for people: "aws-cost-report" as "AWS Cost Report". A word that
// brands, such as the name of the agent, spell with capital letters inside keeps that
// spelling. A name that is no id stays unchanged.
func Title(id string, brands ...string) string {
	if !validID(strings.Trim(strings.ReplaceAll(id, "_", "-"), "-")) {
		return id
	}
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '-' || r == '_' })
	for i, w := range words {
		switch known := spelling(w, brands); {
		case known != "":
			words[i] = known
		case i > 0 && i < len(words)-1 && slices.Contains(joins, w):
		default:
			r, n := utf8.DecodeRuneInString(w)
			words[i] = string(unicode.ToUpper(r)) + w[n:]
		}
	}
	return strings.Join(words, " ")
}

// spelling returns how brands, or else the table, spell a word, "" for most words.
func spelling(word string, brands []string) string {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, brand := range brands {
		for t := range strings.FieldsFuncSeq(brand, between) {
			if strings.ToLower(t) == word && strings.ToLower(t[1:]) != t[1:] {
				return t
			}
		}
	}
	return spelled[word]
}

// joins are the words that stay small between others.
var joins = strings.Fields("a an and as at by for from in into of on or per the to via vs with")

// spelled are the words that have a spelling of their own.
var spelled = func() map[string]string {
	words := map[string]string{}
	for w := range strings.FieldsSeq(`
A2A AI API APIs AWS CI/CD CLI CSS CSV DOCX GCP GPU HTML HTTP ID iOS JSON JWT LLM LLMs macOS MCP ML npm OAuth
OCR PDF PDFs PHP PPTX PR PRD QA RAG SDK SEO SQL SSH SVG UI URL UX XLSX XML YAML
GitHub GitLab GraphQL JavaScript LinkedIn OpenAI PostgreSQL PowerPoint TypeScript YouTube`) {
		words[strings.ToLower(strings.ReplaceAll(w, "/", ""))] = w
	}
	return words
}()

// maxID is the length that the Agent Skills specification allows for a name,
// in characters.
const maxID = 64

// validID reports whether s is a name as the Agent Skills specification wants
// it: at most 64 lower-case letters, digits and single hyphens between them.
func validID(s string) bool {
	return s != "" && s == schema.Slug(s) && utf8.RuneCountInString(s) <= maxID
}
