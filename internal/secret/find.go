package secret

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
)

// Match is a credential in a text.
type Match struct {
	What       string // in a message: "a GitHub token"
	Start, End int    // byte offsets
	known      int    // bytes from Start on that every credential of the kind has
}

// Find returns the first credential in a text that is known by itself,
// wherever it stands. Neither characters that nobody sees hide it nor the escapes
// of JSON and YAML.
func Find(text string) (Match, bool) {
	if !strings.Contains(text, `\`) && !strings.ContainsFunc(text, unseen) {
		return find(text)
	}
	seen, from, to := visible(text)
	s, ok := find(seen)
	if ok {
		if s.known > 0 {
			s.known = to[s.Start+s.known-1] - from[s.Start]
		}
		s.Start, s.End = from[s.Start], to[s.End-1]
	}
	return s, ok
}

// unseen tells whether a character shows nothing and parts no words.
func unseen(r rune) bool {
	if r >= ' ' && r < unicode.MaxASCII { // most are, and looking them up takes longer than all else
		return false
	}
	return !unicode.IsSpace(r) && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point)
}

// visible returns the characters of a text that somebody sees, and where in the
// text each byte of them begins and ends.
func visible(text string) (seen string, from, to []int) {
	var b strings.Builder
	b.Grow(len(text))
	from, to = make([]int, 0, len(text)), make([]int, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		char := text[i : i+size]
		if i+1 < len(text) && r == '\\' && strings.IndexByte("uUx", text[i+1]) >= 0 {
			if escaped, _, tail, err := strconv.UnquoteChar(text[i:], 0); err == nil {
				r, size, char = escaped, len(text)-i-len(tail), string(escaped)
			}
		}
		if !unseen(r) {
			b.WriteString(char)
			for range len(char) {
				from, to = append(from, i), append(to, i+size)
			}
		}
		i += size
	}
	return b.String(), from, to
}

func find(text string) (Match, bool) {
	if s, ok := findToken(text); ok {
		return s, true
	}
	if i := strings.Index(text, "PRIVATE KEY-----"); i >= 0 {
		if begin := strings.LastIndex(text[:i], "-----BEGIN "); begin >= 0 && !strings.Contains(text[begin:i], "\n") {
			return Match{"a private key in PEM", begin, endOfPEM(text, i), len("-----BEGIN ")}, true
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
var fillers = []string{
	"example", "placeholder", "changeme", "change-me", "change_me", "your-", "your_", "yourkey",
	"yourtoken", "yoursecret", "yourpassword", "redacted", "dummy", "insert", "replace", "xxxx", "0000000", "****",
	"....", "…",
}

// IsFiller tells whether a text is a placeholder for a credential or for a
// name.
func IsFiller(value string) bool {
	lower := strings.ToLower(value)
	return IsTemplate(value) || strings.HasPrefix(value, "$") ||
		slices.ContainsFunc(fillers, func(f string) bool { return strings.Contains(lower, f) })
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
			return Match{What: "a user name and password in a URL", Start: start, End: start + at}, true
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
	return slices.Contains([]string{"pass", "password", "passwd", "pwd", "secret", "token", "key", "apikey", "pw"},
		strings.ToLower(s))
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
		return Match{What: "a password", End: len(text)}, random(text)
	case credential:
		return Match{What: "a secret beside the name " + diag.Quote(name), End: len(text)}, isCredential(text)
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
