package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"cardwright/internal/source"
	"cardwright/schema"
)

var suitabilityChecks = []check{
	{"skill-id-case", both, skillIDCase},
	{"skill-overloaded", both, skillOverloaded},
	{"skill-sensitive-public", both, skillSensitivePublic},
}

func skillIDCase(c *card) {
	for _, s := range c.skills {
		id := s.At("id")
		if kebab := schema.Slug(id.Word()); kebab != id.Word() && kebab != "" {
			c.report(finding{
				at: id, message: fmt.Sprintf("the skill id %s is not in kebab case", quote(id.Text)),
				hint: "write " + kebab,
			})
		}
	}
}

// skillOverloaded finds skills that do what several skills should.
func skillOverloaded(c *card) {
	for _, s := range c.skills {
		if why := overloaded(s.At("description").Word()); why != "" {
			c.report(finding{
				at: s.At("description"), message: fmt.Sprintf("the skill %s %s", quote(s.At("id").Word()), why),
				hint: "split it into several skills: clients choose one skill per task",
			})
		}
	}
}

const (
	// longDescription is the length from which a description with a list reads
	// like several, in characters.
	longDescription = 1000
	manyEntries     = 6 // of that list
	manyFields      = 4 // of work, which one skill does not combine
	manyActs        = 3 // different verbs
)

// overloaded tells why a description seems to be that of several skills.
func overloaded(description string) string {
	if utf8.RuneCountInString(description) > longDescription {
		if n := listEntries(description); n >= manyEntries {
			return fmt.Sprintf("is described by a list of %d entries", n)
		}
	}
	sentence := description
	if end := strings.Index(sentence, ". "); end >= 0 {
		sentence = sentence[:end]
	}
	if mostClauses(sentence) < manyFields {
		return ""
	}
	acts, fields := 0, map[string]bool{}
	seen := map[string]bool{}
	clauses := strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(sentence), " and ", ","),
		func(r rune) bool { return r == ',' || r == ';' })
	for _, clause := range clauses {
		words := strings.Fields(clause)
		if len(words) < 2 || !isAct(words[0]) {
			continue
		}
		if field := fieldOf(words); field != "" {
			fields[field] = true
			if !seen[words[0]] {
				seen[words[0]] = true
				acts++
			}
		}
	}
	if acts >= manyActs && len(fields) >= manyFields {
		return fmt.Sprintf("covers %d different fields", len(fields))
	}
	return ""
}

// mostClauses returns how many clauses a sentence can have: most have few.
func mostClauses(sentence string) int {
	n := 1 + strings.Count(sentence, ",") + strings.Count(sentence, ";")
	for word := range strings.FieldsSeq(sentence) {
		if strings.EqualFold(word, "and") {
			n++
		}
	}
	return n
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

// isAct tells whether a word in lower case is a verb that a description begins
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

// skillSensitivePublic finds skills that can do harm on a card that lets
// everybody in.
func skillSensitivePublic(c *card) {
	if demanded(c.root) {
		return
	}
	for _, s := range c.skills {
		if demanded(s) {
			continue
		}
		at := s.At("description")
		act := sensitive().FindString(at.Word())
		if act == "" {
			at = s.At("id")
			act = sensitiveID().FindString(strings.ToLower(at.Word()))
		}
		if act != "" {
			c.report(finding{
				at: at,
				message: fmt.Sprintf("the skill %s is open to everybody: %s, and the card requires no authentication",
					quote(s.At("id").Word()), quote(strings.TrimPrefix(strings.TrimLeft(act, " ,.;\n"), "and "))),
				hint: "say in auth or securitySchemes how clients authenticate, or put the skill on the extended card",
			})
		}
	}
}

// demanded tells whether a card or skill has a requirement, in either form.
func demanded(p place) bool {
	return p.Get("security").Is(source.Array) && len(p.Get("security").Items) > 0 ||
		p.Get("securityRequirements").Is(source.Array) && len(p.Get("securityRequirements").Items) > 0
}

// mayBeSensitive tells whether a text has a word that every sentence of [sensitive]
// has one of: to look for these is much faster.
func mayBeSensitive(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(sensitiveWords, func(word string) bool { return strings.Contains(text, word) })
}

var sensitiveWords = []string{
	"prod", "live ",
	"deletes", "drops", "wipes", "erases", "purges", "destroys", "truncates",
	"secrets", "credentials", "passwords", "keys", "tokens",
	"payment", "money", "funds", "refund", "payout", "credit card", "wire transfer",
}

// sensitive finds sentences about what must not be open to everyone: changing
// production, deleting data, showing secrets, moving money. It looks at what
// the skill does, not at what it writes about.
var sensitive = sync.OnceValue(func() deeds {
	const begin = `(?i)(^|[.;]\s+|,\s+(and\s+)?|\band\s+)`
	a := deeds{first: map[string]bool{}}
	var branches []string
	for _, act := range []struct{ verbs, objects string }{
		{
			`deploys|releases|ships|rolls out|rolls back|restarts|terminates|shuts down|accesses|opens a shell`,
			`\b[^.\n]{0,40}\b(production|prod|live (system|server|cluster)s?)\b`,
		},
		{
			`deletes|drops|wipes|erases|purges|destroys|truncates`,
			`\b[^.\n]{0,30}\b(databases?|tables?|accounts?|users?|customers?|records?|buckets?|clusters?|backups?|` +
				`production|customer data)\b`,
		},
		{
			`reads|shows|lists|returns|rotates|retrieves|fetches|exports|reveals`,
			`\b[^.\n]{0,20}\b(secrets|credentials|passwords|api keys|private keys|access tokens)\b`,
		},
		{
			`transfers|sends|pays|charges|refunds|issues|makes|processes|executes|approves`,
			`\b[^.\n]{0,20}\b(payments?|money|funds|refunds|payouts?|credit cards?|wire transfers?)\b`,
		},
	} {
		branches = append(branches, "("+act.verbs+")"+act.objects)
		for verb := range strings.SplitSeq(act.verbs, "|") {
			word, _, _ := strings.Cut(verb, " ")
			a.first[word] = true
		}
	}
	a.whole = regexp.MustCompile(begin + `(` + strings.Join(branches, "|") + `)`)
	return a
})

// deeds finds sentences. Few texts have the words that they are made of, and
// looking for these is much quicker.
type deeds struct {
	first map[string]bool
	whole *regexp.Regexp
}

func (a deeds) FindString(text string) string {
	odd := strings.Contains(text, "\u017f") || strings.Contains(text, "\u212a") // an s and a k where case does not count
	if !odd && (!a.mayBegin(text) || !mayBeSensitive(text)) {
		return ""
	}
	return a.whole.FindString(text)
}

// mayBegin tells whether a text has a word that a sentence begins with.
func (a deeds) mayBegin(text string) bool {
	letter := func(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
	const longest = 16
	var word [longest]byte
	for i := 0; i < len(text); i++ {
		n := 0
		for ; i < len(text) && letter(text[i]); i++ {
			if n < longest {
				word[n] = text[i] | 0x20 //nolint:gosec // n is below longest
			}
			n++
		}
		if 0 < n && n <= longest && word[n-1] == 's' && a.first[string(word[:n])] { //nolint:gosec // n is not 0
			return true
		}
	}
	return false
}

var sensitiveID = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^(deploy(-to)?-(production|prod)|` +
			`(production|prod)-(deploy|access|shell|admin)|` +
			`(delete|drop|wipe|purge)-(database|db|tables?|users?|accounts?|customers?|records|production)|` +
			`(read|list|get|show|rotate|export)-(secrets?|credentials|passwords|api-keys)|` +
			`(transfer|send|issue|make|execute)-(money|funds|payments?|payouts?|refunds?))$`)
})
