package secret

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/parallel"
)

// nearby is how far findAssignment looks to either side, in bytes.
const nearby = 256

// findAssignments finds name=value, name: value, <name>value and "the name is value"
// where the name tells that the value is secret.
func findAssignments(text string) (found []Match) {
	const verb = " is "
	for i := range len(text) {
		switch text[i] {
		case '=', ':', '>':
			if s, ok := assignmentAt(text, i); ok {
				found = append(found, s)
			}
		case ' ':
			if !strings.HasPrefix(text[i:], verb) {
				continue
			}
			if s, ok := assignmentAt(text, i+len(verb)-1); ok && isTokenLike(text[s.Start:s.End]) {
				found = append(found, s)
			}
		}
	}
	return found
}

// isTokenLike reports whether a value is more than a word of a sentence, such as
// Base64-encoded: it has many letters and digits in one piece.
func isTokenLike(value string) bool {
	const shortest = 16
	piece := strings.IndexFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	last := len(value) - 1 - strings.LastIndexAny(value, "-_.+/=")
	return max(piece, last) >= shortest && strings.ContainsAny(value, "0123456789")
}

// nameBefore returns the name that a text ends with, which may have several words if
// the last one does not tell enough, and whether it is that of an element.
func nameBefore(text string) (name string, kind tells, element bool) {
	const mostWords = 3
	text = strings.TrimRight(text, "\"'` ")
	if subject, is := strings.CutSuffix(text, " is"); is {
		text = subject
		if i := strings.LastIndex(text, " for "); i >= 0 { // the key for production
			text = text[:i]
		}
	}
	begin := len(text)
	for n := range mostWords {
		for begin > 0 && (isWord(text[begin-1]) || text[begin-1] == '-') {
			begin--
		}
		kind = telling(text[begin:])
		if n > 0 && kind != key && kind != credential { // "one pass" is no name
			kind = nothing
		}
		if kind != nothing || begin == 0 || text[begin-1] != ' ' {
			break
		}
		begin--
	}
	return text[begin:], kind, begin > 0 && text[begin-1] == '<'
}

// assignmentAt looks at both sides of the sign at an offset.
func assignmentAt(text string, sign int) (Match, bool) {
	const quotes = "\"'` "
	name, kind, element := nameBefore(text[max(0, sign-nearby):sign])
	if kind == nothing || text[sign] == '>' && !element {
		return Match{}, false
	}
	right := text[sign+1 : min(len(text), sign+1+nearby)]
	value := strings.TrimLeft(right, quotes)
	start := sign + 1 + len(right) - len(value)
	quoted := strings.ContainsAny(right[:len(right)-len(value)], "\"'`")
	rest := ""
	if end := strings.IndexAny(value, " \t\n\r\"'`,;&()[]{}<>"); end >= 0 {
		value, rest = value[:end], value[end:]
	}
	value = strings.TrimRight(value, ".!?:")
	if kind == password {
		assigned := text[sign] == '=' && !IsFiller(value) && !isPasswordWord(value) && (quoted || !isCode(value, rest))
		return Match{What: "a password", Start: start, End: start + len(value)},
			len(value) >= shortPassword && (assigned || random(value))
	}
	what, ok := kind.judge(name, value)
	return Match{What: what, Start: start, End: start + len(value)}, ok
}

var dotted = parallel.Regexp(`^[A-Za-z_]+(?:\.[A-Za-z_]+)+$`)

// isCode reports whether a value without quotes is where programs get one from: a call,
// an element or a member; or the path in $PWD.
func isCode(value, rest string) bool {
	return strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || dotted().MatchString(value) ||
		strings.Count(value, "/") > 1
}

// shortPassword is the least length of what counts as a password.
const shortPassword = 6

// tells is what the name of a value says about it.
type tells uint8

const (
	nothing tells = iota
	credential
	key // to a service, which may be a UUID
	password
	login // a user name and a password in base64, as Docker and npm have it
	part  // of a private key
)

// telling says whether a value of that name is secret.
func telling(name string) tells {
	switch name {
	case "auth", "_auth":
		return login
	case "d", "p", "q", "dp", "dq", "qi", "k":
		return part
	}
	if !mayTell(name) {
		return nothing
	}
	words := nameWords(name)
	if len(words) == 0 {
		return nothing
	}
	if words = slices.DeleteFunc(words, func(w string) bool { return w == "base" }); len(words) == 0 {
		return nothing
	}
	last := words[len(words)-1]
	if strings.HasSuffix(last, "password") {
		return password
	}
	switch last {
	case "passwd", "pwd", "passphrase":
		return password
	case "apikey", "secret", "secretkey", "clientsecret", "authtoken":
		return key
	case "pass":
		if len(words) > 1 { // DB_PASS
			return password
		}
	case "token":
		if len(words) > 1 && words[len(words)-2] == "auth" {
			return key
		}
		return credential
	case "credential", "credentials", "accesskey", "privatekey",
		"accesstoken", "identitytoken", "registrytoken", "bearertoken", "authkey", "accountkey", "appkey":
		return credential
	}
	keys := []string{
		"access", "private", "signing", "encryption", "auth", "account", "master", "shared",
		"service", "license", "app", "application", "subscription", "storage", "admin", "write", "function", "host", "deploy",
		"hmac", "aes", "hex", "session", "consumer", "webhook", "jwt", "cookie", "cipher", "crypto", "client",
		"server", "vault",
	}
	switch {
	case last != "key" || len(words) == 1:
		return nothing
	case slices.Contains([]string{"api", "secret"}, words[len(words)-2]):
		return key
	case slices.Contains(keys, words[len(words)-2]):
		return credential
	}
	return nothing
}

// mayTell reports whether a name has two letters that each telling word has, or any
// that may stand for them. Few have, and nearly every word of a text is asked about.
func mayTell(name string) bool {
	const small = 'a' - 'A'
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return true
		}
		if i == 0 {
			continue
		}
		switch string([]byte{name[i-1] | small, name[i] | small}) {
		case "ke", "pa", "pw", "se", "to", "cr":
			return true
		}
	}
	return false
}

// whatPart is what a number of a private key is in a message.
const whatPart = "the private part of a JSON Web Key"

// judge reports what a value with such a name is, and whether it is secret.
func (t tells) judge(name, value string) (what string, ok bool) {
	switch t {
	case password:
		return "a password", len(value) >= shortPassword && random(value)
	case login:
		return "a user name and password in base64", isLogin(value)
	case part:
		return whatPart, isPart(value)
	}
	if t == nothing || !isCredential(value) && (t != key || !isUUID(value)) {
		return "", false
	}
	return "a secret beside the name " + strconv.Quote(name), true
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
	uuid    = parallel.Regexp(`(?i)^\{?[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\}?$`)
	address = parallel.Regexp(`^0x[0-9a-fA-F]{40}$`) // of a contract or account on a chain
	// base64Key is a key that may hold slashes but is not a path.
	base64Key = parallel.Regexp(`^[A-Za-z0-9+][A-Za-z0-9+/]{31,}=*$`)
	keyPart   = parallel.Regexp(`^[A-Za-z0-9_-]{42,}$`)
)

// shortCredential is the least length of a value that only its name gives away.
const shortCredential = 12

// isCredential reports whether a value beside a telling name is a credential
// itself, and not a word, a URL, a path or an identifier.
func isCredential(value string) bool {
	return len(value) >= shortCredential && random(value) && entropy(value) >= 3 &&
		!strings.ContainsAny(value, " \t\n:") && (!strings.Contains(value, "/") || base64Key().MatchString(value)) &&
		!isUUID(value) && !address().MatchString(value)
}

func isUUID(value string) bool { return uuid().MatchString(value) && random(value) }

// isPart reports whether a value may be a part of a private key in a JSON Web Key.
func isPart(value string) bool {
	return keyPart().MatchString(value) && !strings.HasPrefix(value, "0x") && random(value)
}

// IsVariable reports whether a text is the name of an environment variable, and no
// key in base64, which is longer.
func IsVariable(name string) bool { return len(name) <= 60 && variable().MatchString(name) }

var variable = parallel.Regexp(`^[A-Za-z_][A-Za-z0-9_]*$`)
