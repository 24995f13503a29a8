package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"cardwright/schema"
)

var suitabilityChecks = []check{
	{"skill-id-case", both, skillIDCase},
	{"skill-overloaded", both, skillOverloaded},
}

func skillIDCase(c *card) {
	for _, s := range c.skills {
		id := s.At("id")
		if kebab := schema.Slug(id.Word()); kebab != id.Word() && kebab != "" {
			c.find(id, "write "+kebab, "the skill id %s is not in kebab case", quote(id.Text))
		}
	}
}

// skillOverloaded finds skills that do what several skills should.
func skillOverloaded(c *card) {
	for _, s := range c.skills {
		if why := overloaded(s.At("description").Word()); why != "" {
			c.find(s.At("description"), "split it into several skills: clients choose one skill per task", "the skill %s %s",
				quote(s.At("id").Word()), why)
		}
	}
}

const (
	// longDescription is the length from which a description with a list reads
	// like several, in characters.
	longDescription = 1000
	manyEntries     = 6 // of that list
	manyFields      = 4 // of work, which one skill does not combine
)

// overloaded tells why a description seems to be that of several skills.
func overloaded(description string) string {
	if utf8.RuneCountInString(description) > longDescription {
		if n := listEntries(description); n >= manyEntries {
			return fmt.Sprintf("is described by a list of %d entries", n)
		}
	}
	sentence, _, _ := strings.Cut(description, ". ")
	clauses := strings.FieldsFunc(strings.ReplaceAll(sentence, " and ", ","),
		func(r rune) bool { return r == ',' || r == ';' })
	if len(clauses) < manyFields {
		return ""
	}
	covered := map[string]bool{}
	for _, clause := range clauses {
		words := strings.Fields(strings.ToLower(clause))
		if len(words) < 2 || !isAct(words[0]) {
			continue
		}
		if field := fieldOf(words); field != "" {
			covered[field] = true
		}
	}
	if len(covered) >= manyFields {
		return fmt.Sprintf("covers %d different fields", len(covered))
	}
	return ""
}

func listEntries(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") ||
			strings.HasPrefix(line, "• ") || strings.TrimLeft(line, "0123456789") != line &&
			strings.HasPrefix(strings.TrimLeft(line, "0123456789"), ". ") {
			n++
		}
	}
	return n
}

// isAct reports whether a word in lower case is a verb that a description begins
// with.
func isAct(word string) bool {
	for _, stem := range acts {
		if rest, ok := strings.CutPrefix(word, stem); ok && (rest == "" || rest == "s" || rest == "es" || rest == "ing") {
			return true
		}
	}
	return false
}

var acts = strings.Fields(`
	analyz analyze answer audit book build calculate check compose convert create debug deploy design draft edit explain
	extract fetch fix
	forecast format generate handle invite manage monitor order organize plan play predict process publish query
	read refund review run scan schedule
	search send sort summariz summarize test track translat translate transcribe update verify write`)

// fieldOf returns the field of work that the words of a clause name.
func fieldOf(words []string) string {
	for _, word := range words {
		word = strings.Trim(word, ".:!?()")
		for _, f := range fields {
			for name := range strings.FieldsSeq(f.words) {
				if word == name || word == name+"s" {
					return f.name
				}
			}
		}
	}
	return ""
}

// fields are fields of work that have little to do with each other.
var fields = []struct{ name, words string }{
	{"software", "code program bug function repository"},
	{"operations", "server cluster deployment kubernetes infrastructure"},
	{"data", "database sql spreadsheet dataset"},
	{"finance", "invoice payment bill budget tax expense stock"},
	{"mail", "email mail inbox newsletter"},
	{"calendar", "calendar meeting appointment"},
	{"languages", "translation language document"},
	{"travel", "flight hotel travel trip"},
	{"pictures", "image photo picture logo"},
	{"sound", "music song podcast audio"},
	{"video", "video film movie"},
	{"weather", "weather"},
	{"hiring", "candidate resume cv applicant"},
	{"law", "contract lawsuit clause"},
	{"health", "patient diagnosis prescription symptom"},
	{"food", "recipe meal restaurant"},
	{"games", "game puzzle chess"},
	{"shopping", "shopping cart product"},
	{"social media", "tweet post instagram"},
	{"support", "ticket helpdesk"},
}
