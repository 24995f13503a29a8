package secret

import (
	"slices"
	"strconv"
	"strings"
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
	if kind == nothing || text[sign] == '>' && !element {
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
		ok = len(value) >= shortPassword && !IsFiller(value) && !isPasswordWord(value) && (quoted || !isCode(value, rest))
	}
	return Match{What: what, Start: start, End: start + len(value)}, ok
}

// nameBefore returns the name that a text ends with, of up to three words where the last
// one means nothing alone, and whether an element has it.
func nameBefore(text string) (name string, kind hints, element bool) {
	text = strings.TrimRight(text, "\"'` ")
	begin := len(text)
	for n := range 3 {
		for begin > 0 && (isWord(text[begin-1]) || text[begin-1] == '-') {
			begin--
		}
		if kind = telling(text[begin:]); n > 0 && kind == password { // "one pass" is no name
			kind = nothing
		}
		if kind != nothing || begin == 0 || text[begin-1] != ' ' {
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

// hints is what the name of a value implies.
type hints uint8

const (
	nothing hints = iota
	credential
	key // to a service, which may be a UUID
	password
)

var (
	passwords   = []string{"passwd", "pwd", "passphrase"}
	keys        = []string{"apikey", "secret", "secretkey", "clientsecret", "authtoken"}
	credentials = []string{
		"token", "credential", "credentials", "accesskey", "privatekey", "accesstoken", "identitytoken", "registrytoken",
		"bearertoken", "authkey", "accountkey", "appkey",
	}
	// keyKinds come before the word key in the name of a secret one.
	keyKinds = []string{
		"access", "private", "signing", "encryption", "auth", "account", "master", "shared", "service", "license", "app",
		"application", "subscription", "storage", "admin", "write", "function", "host", "deploy", "hmac", "aes", "hex",
		"session", "consumer", "webhook", "jwt", "cookie", "cipher", "crypto", "client", "server", "vault",
	}
)

// telling returns what a name implies about its value.
func telling(name string) hints {
	if !mayTell(name) {
		return nothing
	}
	words := nameWords(name)
	if len(words) == 0 {
		return nothing
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch {
	case strings.HasSuffix(last, "password"), slices.Contains(passwords, last), last == "pass" && before != "":
		return password
	case slices.Contains(keys, last), last == "token" && before == "auth",
		last == "key" && (before == "api" || before == "secret"):
		return key
	case slices.Contains(credentials, last), last == "key" && slices.Contains(keyKinds, before):
		return credential
	}
	return nothing
}

// mayTell reports whether a name has letters that each telling word has. Nearly every word
// of a text is asked about, and few have.
func mayTell(name string) bool {
	const small = 'a' - 'A'
	for i := 1; i < len(name); i++ {
		switch string([]byte{name[i-1] | small, name[i] | small}) {
		case "ke", "pa", "pw", "se", "to", "cr":
			return true
		}
	}
	return false
}

// nameWords splits a name into its words, in lower case: apiKey, api_key and API-KEY
// are api and key.
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

// shortPassword is the least length of what counts as a password.
const shortPassword = 6

// check reports what a value with such a name is, and whether it is secret.
func (t hints) check(name, value string) (what string, ok bool) {
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
	variable  = lazy(`^[A-Za-z_][A-Za-z0-9_]{0,59}$`)
)

// isCredential reports whether a value beside a telling name is a credential itself, and
// not a word, a URL, a path or an identifier.
func isCredential(value string) bool {
	return len(value) >= shortest && random(value, 3) && !strings.ContainsAny(value, " \t\n:") &&
		(!strings.Contains(value, "/") || base64Key().MatchString(value)) &&
		!isUUID(value) && !address().MatchString(value)
}

func isUUID(value string) bool { return uuid().MatchString(value) && random(value, 2.5) }

// isUserWord reports whether a user name is the word that documentation puts there.
func isUserWord(s string) bool {
	return slices.Contains([]string{"user", "username", "login", "name", "me"}, strings.ToLower(s))
}

// isPasswordWord reports whether a password is the word that documentation puts there.
func isPasswordWord(s string) bool {
	return slices.Contains([]string{"pass", "password", "passwd", "pwd", "secret", "token", "key", "apikey", "pw"},
		strings.ToLower(s))
}

// IsVariable reports whether a text is the name of an environment variable, and no key
// in base64, which is longer.
func IsVariable(name string) bool { return variable().MatchString(name) }
