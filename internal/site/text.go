package site

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cardwright/internal/lint"
	"cardwright/internal/parallel"
	"cardwright/schema"
)

// shown returns text as a page shows it: what nobody would see stands there by
// its number, and lines end in LF.
func shown(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return lint.Reveal(text, func(r rune) string { return fmt.Sprintf("⟨U+%04X⟩", r) })
}

// line is [shown] for text that has one line.
func line(text string) string {
	return strings.Join(strings.Fields(shown(text)), " ")
}

// labelLength is how many characters of a name or a tag are shown.
const labelLength = 200

// label is [line] for short texts. The card has the full text.
func label(text string) string {
	text = line(text)
	if len(text) <= labelLength {
		return text
	}
	runes := []rune(text)
	if len(runes) <= labelLength {
		return text
	}
	return string(runes[:foldAt(runes, labelLength)]) + " …"
}

// labels is [label] for each of several.
func labels(texts []string) []string {
	all := make([]string, 0, len(texts))
	for _, t := range texts {
		all = append(all, label(t))
	}
	return all
}

// prose is [shown] for text of any length, without the line breaks of a source that the
// text was wrapped in.
func prose(text string) string {
	text = strings.TrimSpace(shown(text))
	if strings.Contains(text, "\n") {
		text = wrapped().ReplaceAllString(empty().ReplaceAllString(text, "\n\n"), "$1 $2")
	}
	return text
}

// wrapped matches a line break that a sentence goes on behind: one of the
// source that the text was wrapped in, not one that was meant.
var wrapped = parallel.Regexp(`([^\n])\n[ \t]*(\p{Ll})`)

// empty matches more empty lines than divide two paragraphs.
var empty = parallel.Regexp(`\n(?:[ \t]*\n){2,}`)

// foldAt returns where to fold a text so that at most n characters stay: behind
// the last word that fits, so that no credential is torn and unknown as one. One
// word is folded where no character is torn.
func foldAt(runes []rune, n int) int {
	const joiner = '\u200D'
	for i := n; i > 0; i-- {
		if unicode.IsSpace(runes[i]) {
			return i
		}
	}
	for i := n; i > n*3/4; i-- {
		if !unicode.IsMark(runes[i]) && runes[i] != joiner && runes[i-1] != joiner {
			return i
		}
	}
	return n
}

// count says how many there are of something.
func count(n int, what string) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n != 1 {
		what += "s"
	}
	return digits + " " + what
}

// link is an address: where it leads, and how it reads. One that is no link to
// a page has no Href and is only text.
type link struct{ Href, Text string }

// newLink makes a link of an absolute http or https URL, which reads as text.
// Everything else is no link: other schemes run code or start programs, and a
// user name in front of the host, or what nobody sees, is there to mislead.
func newLink(address, text string) link {
	l := link{Text: line(text)}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || line(address) != address {
		return l
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		l.Href = address
	}
	return l
}

// relative makes a link of a path below the page.
func relative(path string) link {
	return link{Href: (&url.URL{Path: path}).String(), Text: line(path)}
}

// needs says in words what a client needs: any one of the texts is enough.
func needs(required []schema.Requirement, schemes map[string]schema.SecurityScheme) []string {
	var ways []string
	for _, r := range required {
		together := []string{}
		for _, name := range slices.Sorted(maps.Keys(r)) {
			if scheme, declared := schemes[name]; declared {
				together = append(together, schemeWords(scheme, r[name]))
			} else {
				together = append(together, "the scheme "+label(name)+", which the card does not declare")
			}
		}
		if len(together) == 0 {
			together = []string{"no authentication"}
		}
		ways = append(ways, strings.Join(together, " and "))
	}
	return ways
}

// offered says what a client of an agent may use that requires nothing.
func offered(schemes map[string]schema.SecurityScheme) []string {
	var ways []string
	for _, name := range slices.Sorted(maps.Keys(schemes)) {
		ways = append(ways, schemeWords(schemes[name], nil))
	}
	return ways
}

// notes are what a card says about its schemes, each text once.
func notes(schemes map[string]schema.SecurityScheme) []string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(schemes)) {
		texts = append(texts, prose(schemes[name].Description))
	}
	slices.Sort(texts)
	return slices.DeleteFunc(slices.Compact(texts), func(text string) bool { return text == "" })
}

func schemeWords(s schema.SecurityScheme, scopes []string) (words string) {
	switch s.Type {
	case schema.APIKey:
		words = "API key in " + strings.Replace(label(s.In), "query", "query parameter", 1) + " " + label(s.Name)
	case schema.HTTPAuth:
		words = httpWords(s)
	case schema.OAuth2:
		var flows []string
		for _, kind := range schema.FlowTypes() {
			for _, f := range s.Flows {
				if f.Type == kind {
					flows = append(flows, flowWord(f))
				}
			}
		}
		words = "OAuth 2.0 " + strings.Join(flows, " or ")
	case schema.OpenIDConnect:
		words = "OpenID Connect at " + line(s.OpenIDConnectURL)
	case schema.MutualTLS:
		words = "client certificate (mutual TLS)"
	default:
		words = "the unknown kind " + label(string(s.Type))
	}
	switch len(scopes) {
	case 0:
	case 1:
		words += ", scope " + label(scopes[0])
	default:
		words += ", scopes " + strings.Join(labels(scopes), ", ")
	}
	return words
}

func httpWords(s schema.SecurityScheme) string {
	switch strings.ToLower(s.Scheme) {
	case "bearer":
		if s.BearerFormat != "" {
			return "bearer token (" + label(s.BearerFormat) + ")"
		}
		return "bearer token"
	case "basic":
		return "user name and password (HTTP Basic)"
	}
	return "HTTP authentication " + label(s.Scheme)
}

func flowWord(f schema.Flow) string {
	switch f.Type {
	case schema.AuthorizationCode:
		if f.PKCERequired {
			return "authorization code with PKCE"
		}
		return "authorization code"
	case schema.ClientCredentials:
		return "client credentials"
	case schema.DeviceCode:
		return "device code"
	}
	return string(f.Type) // implicit, password
}

// natural compares two texts as people sort them: numbers by their value, so
// that s2 comes before s10, and letters without case. Texts that are equal by
// that are compared bytewise.
func natural(a, b string) int {
	x, y := strings.ToLower(a), strings.ToLower(b)
	for x != "" && y != "" {
		m, n := digits(x), digits(y)
		if m > 0 && n > 0 {
			if c := compareNumbers(x[:m], y[:n]); c != 0 {
				return c
			}
			x, y = x[m:], y[n:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// digits is how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// compareNumbers compares two numbers of any length by their digits.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
