package schema

import (
	"maps"
	"mime"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"cardwright/internal/source"
)

// HeaderName stands in [Equivalent] for the name of an API key that is sent in a header.
const HeaderName = "header"

// Equivalent reports whether two values of a member, of any message, mean the same to every
// client. What is compared beside it: a flag that is false is absent (A2A 1.0, 5.7), a list
// of requirements that lets everybody in is none (4.3.1 and OpenAPI 3.2.0, 4.8.30), the order
// of members (RFC 8259, 4), and skills by id.
func Equivalent(member, a, b string) bool {
	switch {
	case strings.HasSuffix(strings.ToLower(member), "url"):
		return PlainURL(a) == PlainURL(b)
	case member == "protocolVersion":
		return PlainVersion(a) == PlainVersion(b)
	case member == "scheme", member == HeaderName: // RFC 9110, 11.1 and 5.1
		return strings.EqualFold(a, b)
	case strings.HasSuffix(member, "Modes"):
		return PlainMode(a) == PlainMode(b)
	}
	return false
}

// PlainURL returns a URL or host:port in its plain spelling: RFC 3986, 6.2.2.1 (scheme and
// host) and 6.2.3 (default port, empty path).
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

// PlainMode returns a media type in its plain spelling: RFC 9110, 8.3.1 (media types) and
// 12.5.1 (ranges).
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

// GRPCAddress returns the host:port that gRPC clients dial for a web URL (A2A pull request 1997), ""
// for anything else. It says the same as the URL if certain: with TLS, without a path, on no host of
// one network, where clients may do without TLS.
func GRPCAddress(text string) (address string, certain bool) {
	u, err := url.Parse(text)
	ports := map[string]string{"https": "443", "grpcs": "443", "http": "80", "grpc": "80"}
	if err != nil || u.Hostname() == "" || ports[u.Scheme] == "" || u.User != nil || u.RawQuery+u.Fragment != "" {
		return "", false
	}
	_, err = netip.ParseAddr(u.Hostname())
	public := err != nil && strings.Contains(u.Hostname(), ".")
	certain = ports[u.Scheme] == "443" && strings.Trim(u.Path, "/") == "" && public
	if u.Port() != "" {
		return u.Host, certain
	}
	return strings.TrimSuffix(u.Host, ":") + ":" + ports[u.Scheme], certain
}

// BindingMeant returns the protocol binding (1.0 section 5.8, 0.3 section 3.2)
// that a usual misspelling stands for, and that itself; "" for anything else.
func BindingMeant(name string) string {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_+/ .0123456789", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
	switch plain {
	case "jsonrpc", "jsonrpchttp", "jsonrpcoverhttp", "httpjsonrpc":
		return "JSONRPC"
	case "grpc":
		return "GRPC"
	case "http", "https", "rest", "httpjson", "resthttp", "httprest":
		return "HTTP+JSON"
	}
	return ""
}

// MediaTypeMeant returns the media type that a usual shorthand stands for, ""
// for anything else.
func MediaTypeMeant(mode string) string {
	switch strings.ToLower(strings.TrimSpace(mode)) {
	case "text", "txt", "plain", "string":
		return "text/plain"
	case "json", "data":
		return "application/json"
	case "markdown", "md":
		return "text/markdown"
	case "html":
		return "text/html"
	case "pdf":
		return "application/pdf"
	}
	return ""
}

// SameSkill reports whether two skills are written alike.
func SameSkill(a, b Skill) bool {
	w := newWiring(All)
	return w.skill(&a, 0).Equal(w.skill(&b, 0))
}

// SameScheme reports whether two schemes say the same where 0.3 can say it.
func SameScheme(a, b SecurityScheme) bool {
	flat := func(s SecurityScheme) *source.Node {
		w := newWiring(Flat)
		splitSchemes(w, map[string]SecurityScheme{"": s})
		return writeSchemes(w, nil, top)
	}
	return flat(a).Equal(flat(b))
}

// SameRequirements reports whether two lists ask for the same.
func SameRequirements(a, b []Requirement) bool {
	return slices.EqualFunc(a, b, func(p, q Requirement) bool { return maps.EqualFunc(p, q, slices.Equal) })
}

// DividedSchemes names the schemes that each OAuth scheme of several flows
// becomes in a form, where each has one flow.
func DividedSchemes(c *Card, p Protocol) map[string][]string {
	w := newWiring(p)
	splitSchemes(w, c.SecuritySchemes)
	names := map[string][]string{}
	for name, parts := range w.parts {
		for _, part := range parts {
			names[name] = append(names[name], part.name)
		}
	}
	return names
}

// Interfaces are interfaces that were seen, by what they say, with the members of
// each that A2A does not define.
type Interfaces map[string]*source.Node

// Add adds an interface, and returns false where it is there already, with nothing
// in it that the first has not.
func (s Interfaces) Add(e Interface) bool {
	said := e.Said()
	first, known := s[said]
	if !known {
		s[said] = e.Extra
	}
	return !known || e.Extra != nil && !e.Extra.Equal(first)
}

// Host returns the host that a URL or the host:port of gRPC names, in lower case and without the dot
// at its end, "" for none.
func Host(address string) string {
	if !strings.Contains(address, "://") {
		address = "//" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
}
