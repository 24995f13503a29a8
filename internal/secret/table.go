package secret

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// tokens lists the credentials that are known by how they begin, a row each: what a
// message calls one, its prefixes, and the regular expression of the rest
// (docs/adr/0004-secret-patterns.md).
//
//go:embed tokens.txt
var tokens string

// patterns lists the credentials that are known by a sign in them, a row each: what a
// message calls one, its signs, and the regular expression of all of it. With one group,
// the group is the secret; with two, they are a user and a password.
//
//go:embed patterns.txt
var patterns string

// kind is a kind of credential with one of its signs.
type kind struct {
	what, sign string
	expression func() *regexp.Regexp
}

// kindsOf reads a table. Between its columns are two spaces or more.
func kindsOf(table, before, after string) (all []kind) {
	gap := regexp.MustCompile(` {2,}`)
	for line := range strings.Lines(table) {
		row := gap.Split(strings.TrimSpace(line), 3)
		expression := lazy(before + row[2] + after)
		for sign := range strings.FieldsSeq(row[1]) {
			all = append(all, kind{row[0], sign, expression})
		}
	}
	return all
}

// lazy compiles an expression when it is first used.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// byPrefix has the kinds of tokens by the first byte of their prefix.
var byPrefix = sync.OnceValue(func() (all [256][]kind) {
	for _, k := range kindsOf(tokens, "^(?:", ")") {
		all[k.sign[0]] = append(all[k.sign[0]], k)
	}
	return all
})

var bySign = sync.OnceValue(func() []kind { return kindsOf(patterns, "", "") })

// longestToken is how much of a text an expression is matched with, in bytes.
const longestToken = 2 << 10

// tokensIn finds the credentials that begin a word with their prefix.
func tokensIn(text string) (found []Match) {
	kinds := byPrefix()
	for i := 0; i < len(text); i++ {
		if len(kinds[text[i]]) == 0 || i > 0 && isAlnum(text[i-1]) {
			continue
		}
		for n := range kinds[text[i]] {
			k := &kinds[text[i]][n]
			if end := k.endOf(text, i); end > 0 {
				found = append(found, Match{k.what, i, end, len(k.sign)})
				i = end - 1
				break
			}
		}
	}
	return found
}

// endOf returns where a token ends that begins at an offset, 0 if there is none.
func (k *kind) endOf(text string, start int) int {
	from := start + len(k.sign)
	// Prefixes of one first byte differ in the last one.
	if from > len(text) || text[from-1] != k.sign[len(k.sign)-1] || text[start:from] != k.sign {
		return 0
	}
	at := k.expression().FindStringIndex(text[from:min(len(text), from+longestToken)])
	if at == nil {
		return 0
	}
	const monotonous = 1.5 // bits per byte
	end := from + at[1]
	if end < len(text) && isWord(text[end]) && at[1] < longestToken || !random(text[from:end], monotonous) {
		return 0
	}
	return end
}

// patternsIn finds the credentials that have a sign in them.
func patternsIn(text string) (found []Match) {
	for _, k := range bySign() {
		if !strings.Contains(text, k.sign) {
			continue
		}
		for _, at := range k.expression().FindAllStringSubmatchIndex(text, -1) {
			if m := k.match(text, at); m.End > 0 {
				found = append(found, m)
			}
		}
	}
	return found
}

// match returns the credential among the groups of a match, the zero value for none.
func (k kind) match(text string, at []int) Match {
	group := func(i int) string { return text[at[2*i]:at[2*i+1]] }
	var ok bool
	secret := len(at)/2 - 1
	switch secret {
	case 0:
		ok = (at[0] == 0 || !isWord(text[at[0]-1]) || !isWord(text[at[0]])) && !IsFiller(group(0))
	case 1:
		ok = isCredential(strings.ReplaceAll(group(1), "/", "+")) && strings.ContainsAny(group(1), "0123456789")
	default:
		ok = !IsFiller(group(2)) && (!isWordFor(userWords, group(1)) || !isWordFor(passwordWords, group(2)))
	}
	if !ok {
		return Match{}
	}
	return Match{What: k.what, Start: at[2*secret], End: at[2*secret+1]}
}

func isAlnum(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' }

func isWord(b byte) bool { return isAlnum(b) || b == '_' }
