package secret

import (
	_ "embed"
	"iter"
	"regexp"
	"slices"
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

// kind is a row of a table.
type kind struct {
	what       string
	signs      []string // or prefixes
	expression func() *regexp.Regexp
}

func newKind(row []string, expression string) kind {
	return kind{row[0], strings.Fields(row[1]), lazy(expression)}
}

// lazy compiles an expression when it is first used.
func lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// prefixed is a kind with one of its prefixes.
type prefixed struct {
	*kind
	prefix string
}

// byPrefix has the kinds of tokens by the first byte of their prefix.
var byPrefix = sync.OnceValue(func() (all [256][]prefixed) {
	for row := range rowsOf(tokens) {
		k := newKind(row, "^(?:"+row[2]+")")
		for _, prefix := range k.signs {
			all[prefix[0]] = append(all[prefix[0]], prefixed{&k, prefix})
		}
	}
	return all
})

var bySign = sync.OnceValue(func() (all []kind) {
	for row := range rowsOf(patterns) {
		all = append(all, newKind(row, row[2]))
	}
	return all
})

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
			if !k.begins(text[i:]) {
				continue
			}
			if end := k.endOf(text, i); end > 0 {
				found = append(found, Match{k.what, i, end, len(k.prefix)})
				i = end - 1
				break
			}
		}
	}
	return found
}

// begins reports whether a text has the prefix. Prefixes of one first byte differ in the
// last one, which is looked at before the rest.
func (k *prefixed) begins(text string) bool {
	last := len(k.prefix) - 1
	return len(text) > last && text[last] == k.prefix[last] && strings.HasPrefix(text, k.prefix)
}

// endOf returns where a token ends that begins at an offset, 0 if there is none.
func (k *prefixed) endOf(text string, start int) int {
	from := start + len(k.prefix)
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
		if !slices.ContainsFunc(k.signs, func(sign string) bool { return strings.Contains(text, sign) }) {
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
		ok = (at[0] == 0 || !isWord(text[at[0]-1])) && !IsFiller(group(0))
	case 1:
		ok = isCredential(strings.ReplaceAll(group(1), "/", "+")) && strings.ContainsAny(group(1), "0123456789")
	default:
		ok = !IsFiller(group(2)) && (!isUserWord(group(1)) || !isPasswordWord(group(2)))
	}
	if !ok {
		return Match{}
	}
	return Match{What: k.what, Start: at[2*secret], End: at[2*secret+1]}
}

func isAlnum(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' }

func isWord(b byte) bool { return isAlnum(b) || b == '_' }
