package lint

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/secret"
	"cardwright/internal/source"
	"cardwright/schema"
)

var interfaceChecks = checks{
	diag.InterfaceAmbiguous:      {both, interfaceAmbiguous},
	diag.InterfaceBindingUnknown: {both, interfaceBindingUnknown},
	diag.InterfaceCredentials:    {both, eachURL(interfaceCredentials)},
	diag.InterfaceDuplicate:      {both, interfaceDuplicate},
	diag.InterfaceInsecure:       {both, eachURL(interfaceInsecure)},
	diag.InterfaceIsCard:         {both, eachURL(interfaceIsCard)},
	diag.InterfaceNotA2A:         {both, eachURL(interfaceNotA2A)},
	diag.InterfacePlaceholder:    {both, eachURL(interfacePlaceholder)},
	diag.InterfacePrivateHost:    {both, eachURL(interfacePrivateHost)},
	diag.InterfaceURLGRPC:        {both, eachURL(interfaceURLGRPC)},
	diag.InterfaceURLInvalid:     {both, eachURL(interfaceURLInvalid)},
	diag.InterfaceURLOperation:   {both, eachURL(interfaceURLOperation)},
	diag.InterfaceVersionFormat:  {both, interfaceVersionFormat},
	diag.InterfaceVersionUnknown: {v10, interfaceVersionUnknown},
}

func interfaceURLInvalid(c *card, e endpoint) *diag.Diagnostic {
	text := e.url.Node.Word()
	if e.transport() == "GRPC" || secret.IsTemplate(text) {
		return nil
	}
	known := slices.Contains(diff.Bindings(), e.transport())
	before, fragment, cut := strings.Cut(text, "#")
	u, err := url.Parse(text)
	stray := strings.IndexAny(text, " \"<>\\^`|")
	switch port := badPort(text); {
	case stray >= 0:
		return c.find(e.url, fmt.Sprintf("write %%%02X for it", text[stray]),
			"%s has the character %q, which no URL may have", diag.Quote(text), text[stray:stray+1])
	case known && port != "":
		return c.find(e.url, "write the port that the agent listens on, or none for 443",
			"%s has the port %s, ports go from 1 to 65535", diag.Quote(text), port)
	case known && web(text) == nil:
		return c.find(e.url, fullURL, "%s is not an absolute URL, which %s needs", diag.Quote(text), e.transport())
	case known && cut:
		d := c.find(e.url, "write "+diag.Quote(before), "%s has the fragment %s, which clients do not send", diag.Quote(text),
			diag.Quote(fragment))
		d.Severity = diag.Warning
		return d
	case !known && (err != nil || !u.IsAbs()):
		return c.find(e.url, fullURL, "%s is not an absolute URL", diag.Quote(text))
	}
	return nil
}

const fullURL = "write the full URL: https://agent.acme.com/a2a"

// badPort is the port of a URL that no host can have, "" for any other.
func badPort(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Port() == "" {
		return ""
	}
	if n, err := strconv.Atoi(u.Port()); err != nil || n < 1 || n > 65_535 {
		return u.Port()
	}
	return ""
}

func interfaceURLGRPC(c *card, e endpoint) *diag.Diagnostic {
	text := e.url.Node.Word()
	known := dialHost(text) != "" || strings.HasPrefix(text, "dns:") || secret.IsTemplate(text) || absolute(text) != nil
	dialed, _ := schema.GRPCAddress(text)
	if e.transport() != "GRPC" || known && (dialed == "" || e.is03()) {
		return nil
	}
	hint := "write a gRPC address such as grpc.acme.com:443"
	if dialed != "" {
		hint = "write " + diag.Quote(dialed)
	}
	return c.find(e.url, hint, "%s is not the host:port that gRPC clients dial", diag.Quote(text))
}

func interfaceInsecure(c *card, e endpoint) *diag.Diagnostic {
	text := e.url.Node.Word()
	u := absolute(text)
	if u == nil || u.Scheme != "http" && u.Scheme != "ws" || isLoopback(hostOf(text)) {
		return nil
	}
	return c.find(e.url, fmt.Sprintf("serve it over %ss, and write that here", u.Scheme),
		"%s does not use TLS; production agents must encrypt", diag.Quote(text))
}

func interfacePrivateHost(c *card, e endpoint) *diag.Diagnostic {
	host := e.host()
	if host == "" || secret.IsTemplate(e.url.Node.Word()) || isPlaceholder(host) || !isPrivate(host) {
		return nil
	}
	return c.find(e.url, "name the public address of the agent",
		"the host %s cannot be reached from outside its own network", diag.Quote(host))
}

func interfacePlaceholder(c *card, e endpoint) *diag.Diagnostic {
	const hint = "write the address where the agent is deployed"
	if text := e.url.Node.Word(); secret.IsTemplate(text) {
		return c.find(e.url, hint, "%s still contains a variable", diag.Quote(text))
	}
	if host := e.host(); host != "" && isPlaceholder(host) {
		return c.find(e.url, hint, "the host %s is a placeholder", diag.Quote(host))
	}
	return nil
}

func interfaceCredentials(c *card, e endpoint) *diag.Diagnostic {
	what, ok := secret.InURL(e.url.Node.Word())
	if !ok {
		return nil
	}
	return c.find(e.url, "take it out of the URL, revoke it, and declare a security scheme instead",
		"the URL holds %s, but the card is public", what)
}

func interfaceIsCard(c *card, e endpoint) *diag.Diagnostic {
	u := absolute(e.url.Node.Word())
	if u == nil || path.Base(u.Path) != "agent-card.json" && path.Base(u.Path) != "agent.json" {
		return nil
	}
	return c.find(e.url, "use the endpoint that takes A2A requests", "%s is the path of a card, not of the agent",
		diag.Quote(e.url.Node.Word()))
}

func interfaceNotA2A(c *card, e endpoint) *diag.Diagnostic {
	const hint = "use the endpoint that takes A2A requests, or leave the interface out"
	text := e.url.Node.Word()
	if what := notA2A(e); what != "" {
		return c.find(e.url, hint, "%s looks like %s, not an A2A endpoint", diag.Quote(text), what)
	}
	for _, p := range []location{c.root.At("documentationUrl"), c.root.At("provider").At("url")} {
		u := web(p.Node.Word())
		same := strings.TrimSuffix(text, "/") == strings.TrimSuffix(p.Node.Word(), "/")
		if same && u != nil && strings.Trim(u.Path, "/") != "" {
			return c.find(e.url, hint, "%s is the page that %s names, not an A2A endpoint", diag.Quote(text), p.Pointer())
		}
	}
	return nil
}

// notA2A names what an endpoint is instead of one that speaks A2A.
func notA2A(e endpoint) string {
	if isMCP(e.transport()) {
		return "an MCP server"
	}
	u := web(e.url.Node.Word())
	if u == nil {
		return ""
	}
	last := path.Base(u.Path)
	switch {
	case last == "mcp" || last == "mcp.json" || last == "sse":
		return "an MCP server"
	case slices.Contains([]string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"},
		strings.TrimPrefix(u.Hostname(), "www.")):
		return "a repository"
	case slices.Contains([]string{".html", ".md", ".txt"}, path.Ext(last)):
		return "a page"
	}
	return ""
}

func isMCP(binding string) bool { return strings.Contains(strings.ToLower(binding), "mcp") }

func interfaceDuplicate(c *card) {
	first := map[[4]string]location{}
	for _, e := range c.endpoints {
		if e.origin == main || e.url.Node.Word() == "" {
			continue
		}
		list := e.Pointer()[:strings.LastIndexByte(e.Pointer(), '/')]
		version := ""
		if e.origin == listed {
			version = e.version.Node.Word() + " " + e.At("tenant").Node.Word()
		}
		key := [4]string{list, e.url.Node.Word(), e.transport(), version}
		if p, twice := first[key]; twice {
			c.find(e.location, "delete one of the two", "the interface %s is listed twice", diag.Quote(e.url.Node.Word())).
				Related = also(p, "first listed here")
			continue
		}
		first[key] = e.location
	}
}

func interfaceBindingUnknown(c *card) {
	for _, e := range c.endpoints {
		name := e.binding.Node.Word()
		u, err := url.Parse(name)
		if name == "" || slices.Contains(diff.Bindings(), name) || isMCP(name) || err == nil && u.IsAbs() {
			continue
		}
		hint := diag.Hint(name, diff.Bindings(), "")
		if meant := schema.BindingMeant(name); meant != "" {
			hint = diag.Meant(meant)
		}
		c.find(e.binding, hint, "%s is not a known binding; use JSONRPC, GRPC, HTTP+JSON or the URI of a custom one",
			diag.Quote(name))
	}
}

// isVersion reports whether a text is a version of so many numbers.
func isVersion(text string, numbers int) bool {
	parts := strings.Split(text, ".")
	return len(parts) == numbers && !slices.ContainsFunc(parts, func(s string) bool {
		return s == "" || strings.Trim(s, "0123456789") != ""
	})
}

func interfaceVersionFormat(c *card) {
	for _, e := range c.endpoints {
		v := e.version.Node.Word()
		switch {
		case v == "" || e.origin != listed || isVersion(v, 2):
		case isVersion(v, 3):
			c.find(e.version, fmt.Sprintf("write %q", v[:strings.LastIndexByte(v, '.')]),
				"the protocol version %q has a patch part, which should be left out", v).Severity = diag.Info
		default:
			c.find(e.version, "", "%s is not a protocol version, which is MAJOR.MINOR such as \"1.0\"", diag.Quote(v)).
				Severity = diag.Warning
		}
	}
	at := c.root.At("protocolVersion")
	if v := at.Node.Word(); c.in.Has(v03) && v != "" && !isVersion(v, 2) && !isVersion(v, 3) {
		c.find(at, "", "%s is not a protocol version, a 0.3 card says \"0.3.0\"", diag.Quote(v)).Severity = diag.Warning
	}
}

func interfaceVersionUnknown(c *card) {
	var known []string
	for _, p := range both.Versions() {
		known = append(known, strconv.Quote(p.String()))
	}
	for _, e := range c.endpoints {
		v := e.version.Node.Word()
		if e.origin == listed && isVersion(v, 2) && !slices.Contains(known, strconv.Quote(v)) {
			c.find(e.version, "", "unknown A2A version %q; known versions: %s", v, diag.Enumerate(known, "and"))
		}
	}
}

// interfaceAmbiguous reports two URLs for one binding and version: libraries choose
// different ones.
func interfaceAmbiguous(c *card) {
	type kind struct {
		list             origin
		binding, version string
	}
	first := map[kind]endpoint{}
	reported := map[kind]bool{}
	for _, e := range c.endpoints {
		k := kind{binding: e.transport()}
		if e.origin == listed {
			k.version = e.version.Node.Word()
		} else {
			k.list = main // the url and additionalInterfaces are one list
		}
		other, known := first[k]
		switch {
		case e.url.Node.Word() == "" || k.binding == "" || reported[k]:
		case !known:
			first[k] = e
		case schema.PlainURL(other.url.Node.Word()) != schema.PlainURL(e.url.Node.Word()) &&
			other.At("tenant").Node.Word() == e.At("tenant").Node.Word():
			reported[k] = true
			chosen := ""
			if c.count < mostChoices {
				chosen = ": " + choices(c.root.Node, other, e)
			}
			c.find(e.url, "keep one URL for each binding and version, or give them tenants", "the card has two URLs for %s%s",
				diag.Quote(k.binding), chosen).Related = also(other.url, "the other URL")
		}
	}
}

// mostChoices is how many findings of a card say what libraries choose: each choice is among
// all of its interfaces, and a hostile card has any number of bindings.
const mostChoices = 10

// choices says which libraries call which of two endpoints.
func choices(card *source.Node, a, b endpoint) string {
	callers := map[string][]string{}
	for _, answer := range diff.Answers(card, a.transport()) {
		if flat := answer.Form == schema.Flat; flat == (a.origin != listed) {
			callers[answer.URL] = append(callers[answer.URL], answer.SDK)
		}
	}
	var parts []string
	for _, e := range []endpoint{a, b} {
		who := callers[e.url.Node.Word()]
		if slices.Sort(who); len(who) == 0 {
			who = []string{"no library"}
		}
		parts = append(parts, diag.Quote(e.url.Node.Word())+" is called by "+diag.Enumerate(who, "and"))
	}
	return strings.Join(parts, ", ")
}

// operations are the ends of URLs that clients append to the URL of an interface.
var operations = []string{
	"/message:send", "/message:stream", "/v1/message:send", "/v1/message:stream", "/tasks", "/extendedAgentCard",
	openAPI,
}

// openAPI is the end of the URL of a document, which takes no requests.
const openAPI = "/openapi.json"

// interfaceURLOperation reports a URL of one operation in place of the base URL.
func interfaceURLOperation(c *card, e endpoint) *diag.Diagnostic {
	text := e.url.Node.Word()
	if web(text) == nil {
		return nil
	}
	for _, end := range slices.Backward(operations) {
		base, cut := strings.CutSuffix(strings.TrimSuffix(text, "/"), end)
		switch {
		case cut && end == openAPI:
			return c.find(e.url, "write the URL that takes the requests of clients",
				"%s is the URL of a document, not of the agent", diag.Quote(text))
		case cut:
			return c.find(e.url, "write "+diag.Quote(strings.TrimSuffix(base, "/v1")),
				"%s is the URL of one operation; clients append %s themselves", diag.Quote(text), diag.Quote(end))
		}
	}
	return nil
}
