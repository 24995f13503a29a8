package schema

import (
	"mime"
	"net/url"
	"slices"
	"strings"
)

// HeaderName stands in [Equivalent] for the name of an API key that is sent in a header.
const HeaderName = "header"

// equivalences is the table of spellings that mean the same to every client: the
// members, where that is said, and what a value is compared as. What is compared
// beside it: a flag that is false is absent (A2A 1.0, 5.7), a list of requirements
// that lets everybody in is none (4.3.1 and OpenAPI 3.2.0, 4.8.30), the order of
// members (RFC 8259, 4), and skills by id.
var equivalences = []struct {
	members []string // of any message
	section string
	plain   func(string) string
}{
	{
		[]string{
			"url", "iconUrl", "documentationUrl", "oauth2MetadataUrl", "openIdConnectUrl", "authorizationUrl", "tokenUrl",
			"refreshUrl", "deviceAuthorizationUrl",
		},
		"RFC 3986, 6.2.2.1 (scheme and host) and 6.2.3 (default port, empty path)", PlainURL,
	},
	{[]string{"protocolVersion"}, "A2A 1.0, 3.6 (numbers of patches)", PlainVersion},
	{[]string{"scheme"}, "RFC 9110, 11.1 (authentication schemes)", strings.ToLower},
	{[]string{HeaderName}, "RFC 9110, 5.1 (field names)", strings.ToLower},
	{
		[]string{"defaultInputModes", "defaultOutputModes", "inputModes", "outputModes"},
		"RFC 9110, 8.3.1 (media types) and 12.5.1 (ranges)", PlainMode,
	},
}

// Equivalent reports whether two values of a member mean the same.
func Equivalent(member, a, b string) bool {
	for _, e := range equivalences {
		if slices.Contains(e.members, member) {
			return e.plain(a) == e.plain(b)
		}
	}
	return false
}

// PlainURL returns a URL or host:port in its plain spelling.
func PlainURL(text string) string {
	if !strings.Contains(text, "/") { // host:port, as for gRPC
		return strings.ToLower(text)
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	u.Host = strings.ToLower(u.Host)
	defaults := map[string]string{"https": "443", "http": "80", "wss": "443", "ws": "80"}
	if port, known := defaults[u.Scheme]; known {
		u.Host = strings.TrimSuffix(strings.TrimSuffix(u.Host, ":"+port), ":")
		if u.Path == "" {
			u.Path = "/"
		}
	}
	return u.String()
}

// PlainMode returns a media type in its plain spelling.
func PlainMode(text string) string {
	kind, parameters, err := mime.ParseMediaType(text)
	if err != nil {
		return text
	}
	if charset, ok := parameters["charset"]; ok {
		parameters["charset"] = strings.ToLower(charset)
	}
	return mime.FormatMediaType(kind, parameters)
}
