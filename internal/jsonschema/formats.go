package jsonschema

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// format is a value of the keyword format.
type format struct {
	name  string
	means string // what a value must be, as a message says it
	// holds reports whether a text has the format. It is nil for a format that
	// jsonschema knows by itself.
	holds func(string) bool
}

var formats = []format{
	{"agent-id", pathLetters + ", with a letter or digit at both ends", isAgentID},
	{"agent-path", "at most 8 directories of " + pathLetters + ", which do not begin with a dot", isAgentPath},
	{"base-url", "an absolute http or https URL without user information, query and fragment", IsBaseURL},
	{"cache-control", "directives such as public, max-age=3600", isCacheControl},
	{"date", "a date such as 2026-01-31", nil},
	{"hostname", "a host name", nil},
	{"http-url", "an absolute http or https URL", func(s string) bool { return isURL(s, "http", "https") }},
	{"https-url", "an absolute https URL", func(s string) bool { return isURL(s, "https") }},
	{"media-type", "a media type such as text/plain", IsMediaType},
	{"regex", "a regular expression that RE2 knows, so without look-around and back-references", nil}, // of metaschemas
	// A backslash is a separator on some systems, and part of a name on others.
	{"slash-path", "a path with slashes, which mean the same on every system", matches(`[^\\\p{Cc}]+`)},
	{"uri", "an absolute URI", nil},
}

// matches returns a format that is a regular expression.
func matches(expression string) func(string) bool {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + expression + `)$`) })
	return func(s string) bool { return compiled().MatchString(s) }
}

const pathLetters = "letters, digits, dots, hyphens and underscores"

var isAgentPath = matches(`[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,7}`)

var isAgentID = matches(`[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?`)

// meaning says what a value of a format must be.
func meaning(name string) string {
	for _, f := range formats {
		if f.name == name {
			return f.means
		}
	}
	return "a " + name
}

// validate is the check of a format as jsonschema calls it.
func (f format) validate(v any) error {
	if s, ok := v.(string); ok && !f.holds(s) {
		return errors.New("not of that format")
	}
	return nil
}

// isURL reports whether s is an absolute URL with a host and one of the schemes.
func isURL(s string, schemes ...string) bool {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7F }) {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Hostname() != "" && slices.Contains(schemes, u.Scheme)
}

// IsBaseURL reports whether s is an http or https URL that paths can be appended
// to, and published with.
func IsBaseURL(s string) bool {
	u, err := url.Parse(s)
	return isURL(s, "http", "https") && err == nil && u.User == nil && !strings.ContainsAny(s, "?#")
}

// word is a token of RFC 9110 section 5.6.2.
const word = "[A-Za-z0-9!#$%&'*+.^_`|~-]+"

// IsMediaType reports whether a text is a media type or range as RFC 9110 sections
// 8.3.1 and 12.5.1 spell it. Parameters are not looked at.
var IsMediaType = matches(word + "/" + word + `[ \t]*(?s:;.*)?`)

// isCacheControl reports whether s is a list of cache directives of RFC 9111
// section 5.2 without quoted values, which no configuration here needs.
func isCacheControl(s string) bool {
	for directive := range strings.SplitSeq(s, ",") {
		name, value, given := strings.Cut(strings.Trim(directive, " "), "=")
		if !isDirective(name) || given && !isDirective(value) {
			return false
		}
		if seconds := strings.HasSuffix(name, "-age") || name == "s-maxage" || strings.HasPrefix(name, "stale-"); seconds &&
			(value == "" || strings.Trim(value, "0123456789") != "") {
			return false
		}
	}
	return true
}

var isDirective = matches(`[A-Za-z0-9-]+`)
