package lint

import (
	"fmt"
	"strings"
	"sync"
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
	covered := map[int]bool{}
	for _, clause := range clauses {
		words := strings.Fields(strings.ToLower(clause))
		if len(words) < 2 || !isAct(words[0]) {
			continue
		}
		for _, word := range words[1:] {
			if field, ok := fieldOf()[strings.Trim(word, ".:!?()")]; ok {
				covered[field] = true
				break
			}
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

// fieldOf has the field of work that a word belongs to, by its line.
var fieldOf = sync.OnceValue(func() map[string]int {
	of := map[string]int{}
	line := 0
	for words := range strings.Lines(fields) {
		line++
		for word := range strings.FieldsSeq(words) {
			of[word], of[word+"s"] = line, line
		}
	}
	return of
})

// fields are words of fields of work that have little to do with each other, one a line.
const fields = `
code program bug function repository
server cluster deployment kubernetes infrastructure
database sql spreadsheet dataset
invoice payment bill budget tax expense stock
email mail inbox newsletter
calendar meeting appointment
translation language document
flight hotel travel trip
image photo picture logo
music song podcast audio
video film movie
weather
candidate resume cv applicant
contract lawsuit clause
patient diagnosis prescription symptom
recipe meal restaurant
game puzzle chess
shopping cart product
tweet post instagram
ticket helpdesk`
