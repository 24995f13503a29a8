package secret

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"cardwright/internal/diag"
)

// nearby is how far findAssignment looks to either side, in bytes.
const nearby = 256

// findAssignment finds name=value and name: value where the name tells that the
// value is secret.
func findAssignment(text string) (Match, bool) {
	for i := range len(text) {
		if text[i] != '=' && text[i] != ':' {
			continue
		}
		if s, ok := assignmentAt(text, i); ok {
			return s, true
		}
	}
	return Match{}, false
}

// assignmentAt looks at both sides of the sign at an offset.
func assignmentAt(text string, sign int) (Match, bool) {
	const quotes = "\"'` "
	name := strings.TrimRight(text[max(0, sign-nearby):sign], quotes)
	begin := len(name)
	for begin > 0 && (isWord(name[begin-1]) || name[begin-1] == '-') {
		begin--
	}
	name = name[begin:]
	kind := telling(name)
	if kind == nothing {
		return Match{}, false
	}
	right := text[sign+1 : min(len(text), sign+1+nearby)]
	value := strings.TrimLeft(right, quotes)
	start := sign + 1 + len(right) - len(value)
	if end := strings.IndexAny(value, " \t\n\r\"'`,;&()[]{}<>"); end >= 0 {
		value = value[:end]
	}
	value = strings.TrimRight(value, ".!?:")
	s := Match{What: "a secret beside the name " + diag.Quote(name), Start: start, End: start + len(value)}
	if kind == credential {
		return s, isCredential(value)
	}
	s.What = "a password"
	assigned := text[sign] == '=' && !IsFiller(value) && !isPasswordWord(value)
	return s, len(value) >= shortPassword && (assigned || random(value))
}

// shortPassword is the least length of what counts as a password.
const shortPassword = 6

// tells is what the name of a value says about it.
type tells uint8

const (
	nothing tells = iota
	credential
	password
)

// telling says whether a value of that name is secret.
func telling(name string) tells {
	words := nameWords(name)
	if len(words) == 0 {
		return nothing
	}
	last := words[len(words)-1]
	switch last {
	case "password", "passwd", "pwd", "passphrase":
		return password
	case "secret", "token", "credential", "credentials", "apikey", "accesskey", "secretkey", "privatekey":
		return credential
	}
	keys := []string{
		"api", "access", "secret", "private", "signing", "encryption", "auth", "account", "master", "shared",
		"service", "license",
	}
	if last == "key" && len(words) > 1 && slices.Contains(keys, words[len(words)-2]) {
		return credential
	}
	return nothing
}

// nameWords splits a name into its words, in lower case: apiKey, api_key and
// API-KEY are api and key.
func nameWords(name string) []string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

var (
	uuid = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\{?[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\}?$`)
	})
	address = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)
	}) // of a contract or account on a chain
	// base64Key is a key that may hold slashes but is not a path.
	base64Key = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z0-9+][A-Za-z0-9+/]{31,}=*$`)
	})
)

// shortCredential is the least length of a value that only its name gives away.
const shortCredential = 12

// isCredential tells whether a value beside a telling name is a credential
// itself, and not a word, a URL, a path or an identifier.
func isCredential(value string) bool {
	return len(value) >= shortCredential && random(value) && entropy(value) >= 3 &&
		!strings.ContainsAny(value, " \t\n:") && (!strings.Contains(value, "/") || base64Key().MatchString(value)) &&
		!uuid().MatchString(value) && !address().MatchString(value)
}
