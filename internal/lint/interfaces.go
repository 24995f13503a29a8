package lint

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/schema"
)

var interfacesChecks = []check{
	{diag.InterfaceBindingUnknown, both, interfaceBindingUnknown},
	{diag.InterfaceCredentials, both, interfaceCredentials},
	{diag.InterfaceDuplicate, both, interfaceDuplicate},
	{diag.InterfaceInsecure, both, interfaceInsecure},
	{diag.InterfaceIsCard, both, interfaceIsCard},
	{diag.InterfaceNotA2A, both, interfaceNotA2A},
	{diag.InterfacePlaceholder, both, interfacePlaceholder},
	{diag.InterfacePrivateHost, both, interfacePrivateHost},
	{diag.InterfaceURLGRPC, both, interfaceURLGRPC},
	{diag.InterfaceURLInvalid, both, interfaceURLInvalid},
	{diag.InterfaceVersionFormat, both, interfaceVersionFormat},
	{diag.InterfaceVersionUnknown, v10, interfaceVersionUnknown},
}

func interfaceURLInvalid(c *card) {
	c.eachURL(func(e endpoint) (finding, bool) {
		text := e.url.Node.Word()
		if e.transport() == "GRPC" || secret.IsTemplate(text) {
			return finding{}, false
		}
		known := knownBinding(e.transport())
		before, fragment, cut := strings.Cut(text, "#")
		u, err := url.Parse(text)
		switch port := badPort(text); {
		case known && port != "":
			return fault(e.url, "write the port that the agent listens on, or none for 443",
				"%s has the port %s, ports go from 1 to 65535", quote(text), port), true
		case known && web(text) == nil:
			return fault(e.url, fullURL, "%s is not an absolute URL, which %s needs", quote(text), e.transport()), true
		case known && cut:
			return fault(e.url, "write "+quote(before), "%s has the fragment %s, which clients do not send", quote(text),
				quote(fragment)).as(diag.Warning), true
		case !known && (err != nil || !u.IsAbs()):
			return fault(e.url, fullURL, "%s is not an absolute URL", quote(text)), true
		}
		return finding{}, false
	})
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

func interfaceURLGRPC(c *card) {
	c.eachURL(func(e endpoint) (finding, bool) {
		text := e.url.Node.Word()
		_, _, address := splitHostPort(text)
		known := address || strings.HasPrefix(text, "dns:") || secret.IsTemplate(text) || absolute(text) != nil
		dialed, _ := schema.GRPCAddress(text)
		if e.transport() != "GRPC" || known && (dialed == "" || e.is03()) {
			return finding{}, false
		}
		hint := "write a gRPC address such as grpc.acme.com:443"
		if dialed != "" {
			hint = "write " + quote(dialed)
		}
		return fault(e.url, hint, "%s is not the host:port that gRPC clients dial", quote(text)), true
	})
}

func interfaceInsecure(c *card) {
	c.eachURL(func(e endpoint) (finding, bool) {
		u := absolute(e.url.Node.Word())
		if u == nil || u.Scheme != "http" && u.Scheme != "ws" || isLoopback(hostOf(e.url.Node.Word())) {
			return finding{}, false
		}
		return fault(e.url, fmt.Sprintf("serve it over %ss, and write that here", u.Scheme),
			"%s does not use TLS; production agents must encrypt", quote(e.url.Node.Word())), true
	})
}

func interfacePrivateHost(c *card) {
	c.eachURL(func(e endpoint) (finding, bool) {
		host := e.host()
		if host == "" || secret.IsTemplate(e.url.Node.Word()) || isPlaceholder(host) || !isPrivate(host) {
			return finding{}, false
		}
		return fault(e.url, "name the public address of the agent",
			"the host %s cannot be reached from outside its own network", quote(host)), true
	})
}

func interfacePlaceholder(c *card) {
	c.eachURL(func(e endpoint) (finding, bool) {
		text := e.url.Node.Word()
		const hint = "write the address where the agent is deployed"
		if secret.IsTemplate(text) {
			return fault(e.url, hint, "%s still contains a variable", quote(text)), true
		}
		host := e.host()
		if host == "" || !isPlaceholder(host) {
			return finding{}, false
		}
		return fault(e.url, hint, "the host %s is a placeholder", quote(host)), true
	})
}

func interfaceCredentials(c *card) {
	c.eachURL(func(e endpoint) (finding, bool) {
		what, ok := secret.InURL(e.url.Node.Word())
		return fault(e.url, "take it out of the URL, revoke it, and declare a security scheme instead",
			"the URL holds %s, but the card is public", what), ok
	})
}

func interfaceIsCard(c *card) {
	c.eachURL(func(e endpoint) (finding, bool) {
		u := absolute(e.url.Node.Word())
		if u == nil {
			return finding{}, false
		}
		if name := u.Path[strings.LastIndexByte(u.Path, '/')+1:]; name != "agent-card.json" && name != "agent.json" {
			return finding{}, false
		}
		return fault(e.url, "use the endpoint that takes A2A requests", "%s is the path of a card, not of the agent",
			quote(e.url.Node.Word())), true
	})
}

func interfaceNotA2A(c *card) {
	home := map[string]string{}
	for _, p := range []place{c.root.At("documentationUrl"), c.root.At("provider").At("url")} {
		if u := web(p.Node.Word()); u != nil && u.Path != "" && u.Path != "/" {
			home[trimURL(p.Node.Word())] = p.Pointer()
		}
	}
	c.eachURL(func(e endpoint) (finding, bool) {
		text := e.url.Node.Word()
		const hint = "use the endpoint that takes A2A requests, or leave the interface out"
		if what := notA2A(e); what != "" {
			return fault(e.url, hint, "%s looks like %s, not an A2A endpoint", quote(text), what), true
		}
		pointer, same := home[trimURL(text)]
		if !same {
			return finding{}, false
		}
		return fault(e.url, hint, "%s is the page that %s names, not an A2A endpoint", quote(text), pointer), true
	})
}

func trimURL(text string) string { return strings.TrimSuffix(text, "/") }

// notA2A names what an endpoint is instead of one that speaks A2A.
func notA2A(e endpoint) string {
	if isMCP(e.transport()) {
		return "an MCP server"
	}
	u := web(e.url.Node.Word())
	if u == nil {
		return ""
	}
	path := strings.Trim(u.Path, "/")
	last := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case last == "mcp" || last == "mcp.json" || last == "sse":
		return "an MCP server"
	case slices.Contains([]string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"},
		strings.TrimPrefix(u.Hostname(), "www.")):
		return "a repository"
	case strings.HasSuffix(last, ".html") || strings.HasSuffix(last, ".md") || strings.HasSuffix(last, ".txt"):
		return "a page"
	}
	return ""
}

func isMCP(binding string) bool { return strings.Contains(strings.ToLower(binding), "mcp") }

func interfaceDuplicate(c *card) {
	first := map[[4]string]place{}
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
			c.report(fault(e.place, "delete one of the two", "the interface %s is listed twice", quote(e.url.Node.Word())).
				beside(also(p, "first listed here")))
			continue
		}
		first[key] = e.place
	}
}

// bindings are the protocol bindings of the specification (1.0 section 5.8,
// 0.3 section 3.2).
var bindings = []string{"JSONRPC", "GRPC", "HTTP+JSON"}

func knownBinding(name string) bool { return slices.Contains(bindings, name) }

func interfaceBindingUnknown(c *card) {
	for _, e := range c.endpoints {
		name := e.binding.Node.Word()
		if name == "" || knownBinding(name) || isMCP(name) {
			continue
		}
		if u, err := url.Parse(name); err == nil && u.IsAbs() {
			continue
		}
		f := fault(e.binding, "", "%s is not a known binding; use JSONRPC, GRPC, HTTP+JSON or the URI of a custom one",
			quote(name))
		meant := schema.BindingMeant(name)
		if meant == "" {
			meant, _ = diag.Nearest(name, bindings)
		}
		if meant != "" {
			f.hint = diag.Meant(meant)
		}
		c.report(f)
	}
}

var (
	majorMinor = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)$`)
	})
	majorMinorPatch = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.\d+$`)
	})
)

func interfaceVersionFormat(c *card) {
	for _, e := range c.endpoints {
		v := e.version.Node.Word()
		if v == "" || e.origin != listed || majorMinor().MatchString(v) {
			continue
		}
		if majorMinorPatch().MatchString(v) {
			c.findAs(diag.Info, e.version, fmt.Sprintf("write %q", v[:strings.LastIndexByte(v, '.')]),
				"the protocol version %q has a patch part, which should be left out", v)
			continue
		}
		c.findAs(diag.Warning, e.version, "", "%s is not a protocol version, which is MAJOR.MINOR such as \"1.0\"", quote(v))
	}
	if v := c.root.At("protocolVersion"); c.in&v03 != 0 && v.Node.Word() != "" && !majorMinorPatch().MatchString(v.Node.Word()) &&
		!majorMinor().MatchString(v.Node.Word()) {
		c.findAs(diag.Warning, v, "", "%s is not a protocol version, a 0.3 card says \"0.3.0\"", quote(v.Node.Word()))
	}
}

func interfaceVersionUnknown(c *card) {
	var known []string
	for _, p := range both.Versions() {
		known = append(known, strconv.Quote(p.String()))
	}
	for _, e := range c.endpoints {
		v := e.version.Node.Word()
		if e.origin == listed && majorMinor().MatchString(v) && !slices.Contains(known, strconv.Quote(v)) {
			c.find(e.version, "", "unknown A2A version %q; known versions: %s", v, strings.Join(known, " and "))
		}
	}
}
