package secret

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Match is a credential in a text.
type Match struct {
	What       string // in a message: "a GitHub token"
	Start, End int    // byte offsets
	known      int    // bytes from Start on that every credential of the kind has
}

// Find returns the first credential in a text that is known by itself,
// wherever it stands. Neither characters that nobody sees hide it nor the escapes
// of JSON, YAML and URLs.
func Find(text string) (Match, bool) {
	found := All(text)
	if len(found) == 0 {
		return Match{}, false
	}
	return found[0], true
}

// All returns the credentials in a text as [Find] does, in the order in which they
// begin. None begins within another.
func All(text string) []Match {
	if isPlain(text) {
		return find(text)
	}
	seen, places := visible(text)
	found := find(seen)
	for i, s := range found {
		if s.known > 0 {
			found[i].known = places.end(s.Start+s.known-1) - places.begin(s.Start)
		}
		found[i].Start, found[i].End = places.begin(s.Start), places.end(s.End-1)
	}
	return found
}

// isPlain reports whether a text says what somebody sees: it has no escapes, and no
// character that is [unseen].
func isPlain(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\\' || c == '%':
			return false
		case c >= unicode.MaxASCII || c < ' ' && !isSpace(c):
			return !strings.ContainsAny(text[i:], `\%`) && !strings.ContainsFunc(text[i:], unseen)
		}
	}
	return true
}

// unseen reports whether a character shows nothing and parts no words.
func unseen(r rune) bool {
	if r >= ' ' && r < unicode.MaxASCII { // most are, and looking them up takes longer than all else
		return false
	}
	return !unicode.IsSpace(r) && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point)
}

// places leads from the bytes of the characters that somebody sees back to the
// text that they stand in.
type places []span

// span is a stretch of visible bytes with the same distance to those of the text,
// or the bytes of one character that is an escape in the text.
type span struct {
	seen     int // where it begins among the visible bytes
	from, to int // where it begins and ends in the text
	escape   bool
}

func (p places) at(seen int) span {
	i, found := slices.BinarySearchFunc(p, seen, func(s span, seen int) int { return cmp.Compare(s.seen, seen) })
	if !found {
		i--
	}
	return p[i]
}

func (p places) begin(seen int) int {
	s := p.at(seen)
	if s.escape {
		return s.from
	}
	return s.from + seen - s.seen
}

func (p places) end(seen int) int {
	s := p.at(seen)
	if s.escape {
		return s.to
	}
	return s.from + seen - s.seen + 1
}

// visible returns the characters of a text that somebody sees, with those that are
// written as escapes.
func visible(text string) (string, places) {
	var b strings.Builder
	b.Grow(len(text))
	var at places
	plain := 0 // where the stretch begins that is being read
	flush := func(to int) {
		if to > plain {
			at = append(at, span{seen: b.Len(), from: plain, to: to})
			b.WriteString(text[plain:to])
		}
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		char, escape := text[i:i+size], false
		if r == '\\' || r == '%' {
			if unquoted, length := unescape(text[i:]); length > 0 {
				r, _ = utf8.DecodeRuneInString(unquoted)
				char, size, escape = unquoted, length, true
			}
		}
		hide := unseen(r)
		if escape || hide {
			flush(i)
			plain = i + size
		}
		if escape && !hide {
			at = append(at, span{b.Len(), i, i + size, true})
			b.WriteString(char)
		}
		i += size
	}
	flush(len(text))
	return b.String(), at
}

// unescape returns the character that a text begins with as an escape of JSON, YAML or
// URLs, and the length of the escape, 0 for none.
func unescape(text string) (char string, length int) {
	if len(text) < 2 {
		return "", 0
	}
	if text[0] == '%' {
		if code, err := strconv.ParseUint(text[1:min(len(text), 3)], 16, 7); err == nil && len(text) > 2 {
			return string(rune(code)), 3
		}
		return "", 0
	}
	switch text[1] {
	case '/', '"':
		return text[1:2], 2
	case 'n', 'r', 't':
		return "\n", 2
	case 'u', 'U', 'x':
		if r, _, tail, err := strconv.UnquoteChar(text, 0); err == nil {
			return string(r), len(text) - len(tail)
		}
	}
	return "", 0
}

func find(text string) []Match {
	found := slices.Concat(findTokens(text), findKeys(text), findUserInfo(text), findLogins(text), findAssignments(text))
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(a.Start, b.Start) })
	end := 0
	return slices.DeleteFunc(found, func(s Match) bool {
		within := s.Start < end
		if !within {
			end = s.End
		}
		return within
	})
}

// random reports whether a value may be a credential and not a placeholder: it
// mixes letters with digits or both cases, and spells no word for nothing.
func random(value string) bool {
	const varied = 2.5 // bits per character
	return isMixed(value) && entropy(value) >= varied && !IsFiller(value)
}

// isMixed reports whether a value has letters beside digits or letters of both
// cases.
func isMixed(value string) bool {
	var digit, lower, upper bool
	for _, r := range value {
		digit = digit || unicode.IsDigit(r)
		lower = lower || unicode.IsLower(r)
		upper = upper || unicode.IsUpper(r)
	}
	return (lower || upper) && digit || lower && upper
}

// fillers are what people write where a credential would stand.
var fillers = []string{
	"example", "placeholder", "changeme", "change-me", "change_me", "your-", "your_", "yourkey",
	"yourtoken", "yoursecret", "yourpassword", "redacted", "dummy", "insert", "replace", "xxxx", "0000000", "****",
	"....", "…",
}

// IsFiller reports whether a text is a placeholder for a credential or for a
// name.
func IsFiller(value string) bool {
	lower := strings.ToLower(value)
	return IsTemplate(value) || strings.HasPrefix(value, "$") ||
		slices.ContainsFunc(fillers, func(f string) bool { return strings.Contains(lower, f) })
}

// IsTemplate reports whether text still holds a variable that was to be filled in.
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

// isUserWord reports whether a user name is the word that documentation puts
// there.
func isUserWord(s string) bool {
	return slices.Contains([]string{"user", "username", "login", "name", "me"}, strings.ToLower(s))
}

// isPasswordWord reports whether a password is the word that documentation puts
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
	if strings.ContainsAny(text, " \t\n") {
		return Match{}, false
	}
	what, ok := telling(name).judge(name, text)
	return Match{What: what, End: len(text)}, ok
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
				return "a secret in its query, beside " + strconv.Quote(name), true
			}
		}
	}
	return "", false
}

// Clue returns what a message may show of the secret: what every one of its kind
// begins with.
func (s Match) Clue(text string) string { return text[s.Start:s.Start+s.known] + "…" }

// Told says what was found and, where that can be said, how it begins.
func (s Match) Told(text string) string {
	if s.known == 0 {
		return s.What
	}
	return s.What + ", " + strconv.Quote(s.Clue(text))
}

// Mask returns a text in which every character of a credential but what all of
// its kind begin with is an asterisk. Ends of lines stay, so that the places in it
// are the same: a line that is shown with a finding must not tell what that hides.
func Mask(text []byte) []byte { return []byte(MaskText(string(text))) }

// MaskText is [Mask] for a text.
func MaskText(text string) string {
	var b strings.Builder
	shown := 0
	for _, s := range All(text) {
		b.WriteString(text[shown : s.Start+s.known])
		b.WriteString(asterisks(text[s.Start+s.known : s.End]))
		shown = s.End
	}
	if shown == 0 {
		return text
	}
	return b.String() + text[shown:]
}

// asterisks replaces the characters of a text.
func asterisks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return '*'
	}, text)
}
