package secret

import (
	"cmp"
	_ "embed" // for the ends of names
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// assignmentsIn finds name=value, name: value and <name>value where the name implies
// that the value is secret.
func assignmentsIn(text string) (found []Match) {
	for i := 0; ; i++ {
		next := strings.IndexAny(text[i:], "=:>")
		if next < 0 {
			return found
		}
		i += next
		if m, ok := assignmentAt(text, i); ok {
			found = append(found, m)
		}
	}
}

// assignmentAt looks at both sides of the sign at an offset, at most nearby bytes.
func assignmentAt(text string, sign int) (Match, bool) {
	const nearby, quotes = 256, "\"'` "
	name, kind, element := nameBefore(text[max(0, sign-nearby):sign])
	if kind == "" || text[sign] == '>' && !element {
		return Match{}, false
	}
	right := text[sign+1 : min(len(text), sign+1+nearby)]
	value := strings.TrimLeft(right, quotes)
	start := sign + 1 + len(right) - len(value)
	rest := ""
	if end := strings.IndexAny(value, " \t\n\r\"'`,;&()[]{}<>"); end >= 0 {
		value, rest = value[:end], value[end:]
	}
	value = strings.TrimRight(value, ".!?:")
	what, ok := kind.check(name, value)
	if kind == password && text[sign] == '=' {
		quoted := strings.ContainsAny(right[:len(right)-len(strings.TrimLeft(right, quotes))], "\"'`")
		ok = len(value) >= shortPassword && !IsFiller(value) && !isWordFor(passwordWords, value) &&
			(quoted || !isCode(value, rest))
	}
	return Match{What: what, Start: start, End: start + len(value)}, ok
}

// nameBefore returns the name that a text ends with, of up to three words where the last
// one means nothing alone, and whether an element has it.
func nameBefore(text string) (name string, kind hint, element bool) {
	text = strings.TrimRight(text, "\"'` ")
	begin := len(text)
	for n := range 3 {
		for begin > 0 && (isWord(text[begin-1]) || text[begin-1] == '-') {
			begin--
		}
		if kind = telling(text[begin:]); n > 0 && kind == password { // "one pass" is no name
			kind = ""
		}
		if kind != "" || begin == 0 || text[begin-1] != ' ' {
			break
		}
		begin--
	}
	return text[begin:], kind, begin > 0 && text[begin-1] == '<'
}

var dotted = lazy(`^[A-Za-z_]+(?:\.[A-Za-z_]+)+$`)

// isCode reports whether a value without quotes is where programs get one from: a call,
// an element or a member; or the path in $PWD.
func isCode(value, rest string) bool {
	return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || dotted().MatchString(value) ||
		strings.Count(value, "/") > 1
}

// hint is what the name of a value implies, "" for nothing.
type hint string

const (
	credential hint = "credential"
	key        hint = "key" // to a service, which may be a UUID
	password   hint = "password"
)

// ends has a row for each hint: the ends of names that give it, with underscores between
// words.
//
//go:embed names.txt
var ends string

var hints = sync.OnceValue(func() map[string]hint {
	all := map[string]hint{}
	for row := range strings.Lines(ends) {
		what, names, _ := strings.Cut(row, " ")
		for name := range strings.FieldsSeq(names) {
			all[name] = hint(what)
		}
	}
	return all
})

// telling returns what a name implies about its value, by its last word or two.
func telling(name string) hint {
	name = snakeCase(name)
	last := strings.LastIndexByte(name, '_') + 1
	before := strings.LastIndexByte(name[:max(0, last-1)], '_') + 1
	if strings.HasSuffix(name, "password") || strings.HasSuffix(name, "_pass") {
		return password
	}
	return cmp.Or(hints()[name[before:]], hints()[name[last:]])
}

// snakeCase spells a name in lower case with underscores between its words: apiKey and
// API-KEY become api_key.
func snakeCase(name string) string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			b.WriteByte('_')
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	words := strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "_")
}

// shortPassword is the least length of what counts as a password.
const shortPassword = 6

// check reports what a value with such a name is, and whether it is secret.
func (t hint) check(name, value string) (what string, ok bool) {
	switch t {
	case password:
		return "a password", len(value) >= shortPassword && random(value, 2.5)
	case key, credential:
		return "a secret beside the name " + strconv.Quote(name),
			isCredential(value) || t == key && isUUID(value)
	}
	return "", false
}

var (
	uuid    = lazy(`(?i)^\{?[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\}?$`)
	address = lazy(`^0x[0-9a-fA-F]{40}$`) // on a chain
	// base64Key is a key that may hold slashes but is not a path.
	base64Key = lazy(`^[A-Za-z0-9+][A-Za-z0-9+/]{31,}=*$`)
)

// isCredential reports whether a value beside a telling name is a credential itself, and
// not a word, a URL, a path or an identifier.
func isCredential(value string) bool {
	return len(value) >= shortest && random(value, 3) && !strings.ContainsAny(value, " \t\n:") &&
		(!strings.Contains(value, "/") || base64Key().MatchString(value)) &&
		!isUUID(value) && !address().MatchString(value)
}

func isUUID(value string) bool { return uuid().MatchString(value) && random(value, 2.5) }

// isWordFor reports whether a value is the word that documentation puts there.
func isWordFor(words, value string) bool {
	return slices.Contains(strings.Fields(words), strings.ToLower(value))
}

const (
	userWords     = "user username login name me"
	passwordWords = "pass password passwd pwd secret token key apikey pw"
)
