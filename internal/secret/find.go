package secret

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/diag"
)

// Match is a credential in a text.
type Match struct {
	What       string // in a message: "a GitHub token"
	Start, End int    // byte offsets
}

// Find returns the first credential in a text that is known by itself,
// wherever it stands.
func Find(text string) (Match, bool) {
	if s, ok := findToken(text); ok {
		return s, true
	}
	if i := strings.Index(text, "PRIVATE KEY-----"); i >= 0 {
		if begin := strings.LastIndex(text[:i], "-----BEGIN "); begin >= 0 && !strings.Contains(text[begin:i], "\n") {
			return Match{"a private key in PEM", begin, endOfPEM(text, i)}, true
		}
	}
	if s, ok := findUserInfo(text); ok {
		return s, true
	}
	return findAssignment(text)
}

// endOfPEM returns where a private key ends, whose first line goes on at an
// offset: behind the line that closes it, or with the text.
func endOfPEM(text string, from int) int {
	const closing = "PRIVATE KEY-----"
	from += len(closing)
	if i := strings.Index(text[from:], closing); i >= 0 {
		return from + i + len(closing)
	}
	return len(text)
}

// random tells whether a value may be a credential and not a placeholder: it
// mixes letters with digits or both cases, and spells no word for nothing.
func random(value string) bool {
	var digit, lower, upper bool
	for _, r := range value {
		digit = digit || unicode.IsDigit(r)
		lower = lower || unicode.IsLower(r)
		upper = upper || unicode.IsUpper(r)
	}
	const varied = 2.5 // bits per character
	return (lower || upper) && (digit || lower && upper) && entropy(value) >= varied && !IsFiller(value)
}

// fillers are what people write where a credential would stand.
var fillers = []string{"example", "placeholder", "changeme", "change-me", "change_me", "your-", "your_", "yourkey", "yourtoken", "yoursecret", "yourpassword", "redacted", "dummy", "insert", "replace", "xxxx", "0000000", "****", "....", "…"}

// IsFiller tells whether a text only stands for a credential, or for a name, that
// somebody fills in.
func IsFiller(value string) bool {
	lower := strings.ToLower(value)
	return IsTemplate(value) || strings.HasPrefix(value, "$") || slices.ContainsFunc(fillers, func(f string) bool { return strings.Contains(lower, f) })
}

// IsTemplate tells whether text still holds a variable that was to be filled in.
func IsTemplate(text string) bool {
	for _, pair := range [][2]string{{"{", "}"}, {"<", ">"}} {
		_, rest, ok := strings.Cut(text, pair[0])
		if ok && strings.Contains(rest, pair[1]) {
			return true
		}
	}
	return false
}

// entropy returns the Shannon entropy of a text in bits per byte.
func entropy(text string) float64 {
	var count [256]float64
	for i := range len(text) {
		count[text[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := n / float64(len(text))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// findUserInfo finds scheme://user:password@host.
func findUserInfo(text string) (Match, bool) {
	for from := 0; ; {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			return Match{}, false
		}
		from += i + len("://")
		authority := text[from:]
		if end := strings.IndexAny(authority, " \t\n\r/?#\"'`<>()"); end >= 0 {
			authority = authority[:end]
		}
		user, password, ok := strings.Cut(authority, ":")
		at := strings.LastIndexByte(password, '@')
		if ok && user != "" && at > 0 && !IsFiller(password[:at]) && (!isUserWord(user) || !isPasswordWord(password[:at])) {
			start := from + len(user) + 1
			return Match{"a user name and password in a URL", start, start + at}, true
		}
	}
}

// isUserWord tells whether a user name is the word that documentation puts
// there.
func isUserWord(s string) bool {
	return slices.Contains([]string{"user", "username", "login", "name", "me"}, strings.ToLower(s))
}

// isPasswordWord tells whether a password is the word that documentation puts
// there.
func isPasswordWord(s string) bool {
	return slices.Contains([]string{"pass", "password", "passwd", "pwd", "secret", "token", "key", "apikey", "pw"}, strings.ToLower(s))
}

// InMember finds a credential in the value of a member.
func InMember(name, text string) (Match, bool) {
	if s, ok := Find(text); ok {
		return s, true
	}
	if len(text) < shortPassword || strings.ContainsAny(text, " \t\n") {
		return Match{}, false
	}
	switch telling(name) {
	case password:
		return Match{"a password", 0, len(text)}, random(text)
	case credential:
		return Match{"a secret beside the name " + diag.Quote(name), 0, len(text)}, isCredential(text)
	}
	return Match{}, false
}

// InURL tells which credentials a URL carries.
func InURL(text string) (what string, ok bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Hostname() == "" {
		return "", false
	}
	if u.User != nil {
		return "user information", true
	}
	for name, values := range u.Query() {
		for _, v := range values {
			if _, ok := InMember(name, v); ok {
				return "a secret in its query, beside " + diag.Quote(name), true
			}
		}
	}
	return "", false
}
