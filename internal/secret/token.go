package secret

import (
	_ "embed"
	"iter"
	"regexp"
	"strings"
	"sync"

	"cardwright/internal/parallel"
)

// tokens lists the credentials that are known by how they begin, a row each: what a
// message calls one, its prefixes, and the regular expression of the rest. The formats
// are those that the vendors document, and that the lists of gitleaks, trufflehog and
// the secret scanning of GitHub know (docs/adr/0004-secret-patterns.md).
//
//go:embed tokens.txt
var tokens string

// patterns lists those that are known by signs in them, a row each: what a message calls
// one, its signs, of which one behind ^ begins a word, other characters of words in
// brackets, and the regular expression of all of it.
//
//go:embed patterns.txt
var patterns string

// rowsOf iterates over the rows of a table. Between its columns are two spaces or more.
func rowsOf(table string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(table) {
			var row []string
			for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " ") {
				var column string
				column, line, _ = strings.Cut(line, "  ")
				row = append(row, column)
			}
			if !yield(row) {
				return
			}
		}
	}
}

// kind is one way in which a credential is known.
type kind struct {
	what  string
	sign  string // part of every such credential
	whole bool   // the sign begins a word
	match matcher
}

// index has the kinds by the first bytes of their signs.
type index struct {
	words [256]sharing // whose signs begin a word
	inner [256]sharing
}

// sharing are the kinds whose signs share their first byte.
type sharing struct {
	kinds []kind
	next  [256]bool // the second bytes of the signs, all where one has no second byte
}

var kinds = sync.OnceValue(func() *index {
	var all index
	add := func(k kind) {
		list := &all.inner[k.sign[0]]
		if k.whole {
			list = &all.words[k.sign[0]]
		}
		list.kinds = append(list.kinds, k)
		for next := range list.next {
			list.next[next] = list.next[next] || len(k.sign) == 1 || int(k.sign[1]) == next
		}
	}
	for row := range rowsOf(tokens) {
		rest := parallel.Regexp("^(?:" + row[2] + ")")
		for prefix := range strings.FieldsSeq(row[1]) {
			add(kind{row[0], prefix, true, func(text string, sign int) (start, end int, ok bool) {
				end, ok = endOfToken(text, sign+len(prefix), rest())
				return sign, end, ok
			}})
		}
	}
	for row := range rowsOf(patterns) {
		match := around(strings.Trim(row[2], "[]"), row[3])
		for text := range strings.FieldsSeq(row[1]) {
			sign, whole := strings.CutPrefix(text, "^")
			add(kind{row[0], sign, whole, match})
		}
	}
	for _, s := range shapes {
		for sign := range strings.FieldsSeq(s.signs) {
			add(kind{s.what, sign, s.whole, s.match})
		}
	}
	return &all
})

// longestToken is how much of a text an expression is matched with, in bytes.
const longestToken = 2 << 10

// endOfToken returns where a token ends whose rest begins at an offset, and whether
// it is one. Where only what it spells speaks against that, nothing in it is one
// either.
func endOfToken(text string, from int, rest *regexp.Regexp) (end int, ok bool) {
	at := rest.FindStringIndex(text[from:min(len(text), from+longestToken)])
	if at == nil {
		return 0, false
	}
	end = from + at[1]
	if at[1] == longestToken {
		end = endOf(text, end, isTokenByte)
	} else if end < len(text) && isWord(text[end]) {
		return 0, false
	}
	return end, plausible(text[from:min(end, from+longestToken)])
}

// plausible reports whether what stands behind a prefix may be a credential: no
// placeholder, no words with hyphens between them, and not a few characters over
// and over.
func plausible(body string) bool {
	const monotonous = 1.5 // bits per character
	return isMixed(body) && entropy(body) >= monotonous && !IsFiller(body)
}

func isAlnum(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' }

func isWord(b byte) bool { return isAlnum(b) || b == '_' }

// isTokenByte reports whether b can be part of a token: base64url, and dots
// between its parts.
func isTokenByte(b byte) bool { return isWord(b) || b == '-' || b == '.' }

// shortToken is the least length of a stretch without spaces that is looked at.
const shortToken = 16

// findTokens finds the credentials that have no space in them.
func findTokens(text string) (found []Match) {
	for start := 0; start+shortToken <= len(text); {
		// Seen from its end, a stretch of prose is known for no token at its last
		// space or so, and most of it need not be looked at.
		end := start + shortToken
		begin := end
		for begin > start && !isSpace(text[begin-1]) {
			begin--
		}
		if begin > start {
			start = begin
			continue
		}
		for end < len(text) && !isSpace(text[end]) {
			end++
		}
		found = append(found, findIn(text, start, end)...)
		if start = end; len(found) > 0 {
			start = max(end, found[len(found)-1].End) // over the lines of a key
		}
	}
	return found
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// findIn finds the credentials that begin in a stretch of a text.
func findIn(text string, from, to int) (found []Match) {
	all := kinds()
	for i := from; i < to; {
		m, end := all.inner[text[i]].firstOf(text, i)
		if end == 0 && (i == 0 || !isAlnum(text[i-1])) {
			m, end = all.words[text[i]].firstOf(text, i)
		}
		if m.End > 0 {
			found = append(found, m)
		}
		i = max(i+1, end)
	}
	if start, end := endOfHeader(text, from, to); end > 0 {
		found = append(found, Match{What: "the credentials of a request", Start: start, End: end})
	}
	return found
}

// firstOf returns the credential of the first of the kinds that has its sign at an
// offset, and up to where nothing else needs to be looked for.
func (s *sharing) firstOf(text string, at int) (m Match, behind int) {
	if at+1 < len(text) && !s.next[text[at+1]] {
		return Match{}, 0
	}
	for i := range s.kinds {
		k := &s.kinds[i]
		if !strings.HasPrefix(text[at:], k.sign) {
			continue
		}
		start, end, ok := k.match(text, at)
		if ok {
			m = Match{What: k.what, Start: start, End: end}
			if start == at {
				m.known = len(k.sign)
			}
			return m, end
		}
		behind = max(behind, end)
	}
	return m, behind
}
