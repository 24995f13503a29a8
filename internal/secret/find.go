package secret

import (
	"cmp"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Match is a credential in a text.
type Match struct {
	What       string // in a message: "a GitHub token"
	Start, End int    // byte offsets
	known      int    // bytes from Start on that every credential of the kind has
}

// Find returns the first credential in a text.
func Find(text string) (Match, bool) {
	found := All(text)
	if len(found) == 0 {
		return Match{}, false
	}
	return found[0], true
}

// shortest is the least length of a text that is searched.
const shortest = 12

// All returns the credentials in a text in the order in which they begin. None begins
// within another.
func All(text string) []Match {
	if len(text) < shortest {
		return nil
	}
	found := slices.Concat(tokensIn(text), patternsIn(text), assignmentsIn(text))
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(a.Start, b.Start) })
	end := 0
	return slices.DeleteFunc(found, func(m Match) bool {
		if m.Start < end {
			return true
		}
		end = m.End
		return false
	})
}

// InMember finds a credential in the value of a member.
func InMember(name, text string) (Match, bool) {
	if m, ok := Find(text); ok {
		return m, true
	}
	if strings.ContainsAny(text, " \t\n") {
		return Match{}, false
	}
	what, ok := telling(name).check(name, text)
	return Match{What: what, End: len(text)}, ok
}

// InURL returns which credentials a URL carries.
func InURL(text string) (what string, ok bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Hostname() == "" {
		return "", false
	}
	if u.User != nil {
		return "user information", true
	}
	query := u.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		for _, v := range query[name] {
			if _, ok := InMember(name, v); ok {
				return "a secret in its query, beside " + strconv.Quote(name), true
			}
		}
	}
	return "", false
}

// Describe names the match in a message: what was found and, where that is safe, how
// it begins.
func (m Match) Describe(text string) string {
	if m.known == 0 {
		return m.What
	}
	return m.What + ", " + strconv.Quote(m.Clue(text))
}

// Clue returns what a message may show of the secret: what every one of its kind
// begins with.
func (m Match) Clue(text string) string { return text[m.Start:m.Start+m.known] + "…" }

// MaskText returns a text in which every character of a credential is an asterisk, but
// for what all of its kind begin with. Line breaks stay, so that the places in it are
// the same.
func MaskText(text string) string {
	var b strings.Builder
	shown := 0
	for _, m := range All(text) {
		b.WriteString(text[shown : m.Start+m.known])
		b.WriteString(asterisks(text[m.Start+m.known : m.End]))
		shown = m.End
	}
	if shown == 0 {
		return text
	}
	return b.String() + text[shown:]
}

func asterisks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return '*'
	}, text)
}

// random reports whether a value may be a credential: it mixes letters with digits or
// both cases, has so many bits of entropy per byte, and is no placeholder.
func random(value string, bits float64) bool {
	var digit, lower, upper bool
	for _, r := range value {
		digit, lower, upper = digit || unicode.IsDigit(r), lower || unicode.IsLower(r), upper || unicode.IsUpper(r)
	}
	mixed := (lower || upper) && digit || lower && upper
	return mixed && entropy(value) >= bits && !IsFiller(value)
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

// fillers are what people write where a credential would stand.
var fillers = []string{
	"example", "placeholder", "changeme", "change-me", "change_me", "your-", "your_", "yourkey", "yourtoken",
	"yoursecret", "yourpassword", "redacted", "dummy", "insert", "replace", "xxxx", "0000000", "****", "....", "…",
}

// IsFiller reports whether a text is a placeholder for a credential or for a name.
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
