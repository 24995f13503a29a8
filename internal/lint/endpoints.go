package lint

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// endpoint is one way to call the agent: an entry of supportedInterfaces or
// additionalInterfaces, or the url of a 0.3 card.
type endpoint struct {
	location              // the entry, or the card itself
	url, binding, version location
	origin                origin
}

type origin uint8

const (
	listed     origin = iota // in supportedInterfaces
	main                     // url and preferredTransport
	additional               // in additionalInterfaces
)

func endpoints(root location, in versions) []endpoint {
	var list []endpoint
	for e := range root.At("supportedInterfaces").List() {
		list = append(list, endpoint{e, e.At("url"), e.At("protocolBinding"), e.At("protocolVersion"), listed})
	}
	if !in.Has(v03) {
		return list
	}
	if u := root.At("url"); u.Node.Is(source.String) {
		list = append(list, endpoint{root, u, root.At("preferredTransport"), root.At("protocolVersion"), main})
	}
	for e := range root.At("additionalInterfaces").List() {
		list = append(list, endpoint{e, e.At("url"), e.At("transport"), root.At("protocolVersion"), additional})
	}
	return list
}

// transport returns the binding of e; 0.3 defaults it for the url of the card.
func (e endpoint) transport() string {
	if e.origin == main && !e.binding.Node.Is(source.String) {
		return "JSONRPC"
	}
	return e.binding.Node.Word()
}

// mainTransport returns the transport of the url of a 0.3 card.
func mainTransport(root location) string {
	return endpoint{origin: main, binding: root.At("preferredTransport")}.transport()
}

// host returns the host that e is reached at, "" when its URL is none that
// could be called.
func (e endpoint) host() string {
	text := e.url.Node.Word()
	if u := absolute(text); u != nil && !slices.Contains([]string{"http", "https", "ws", "wss", "grpc", "grpcs"},
		u.Scheme) {
		return ""
	}
	return hostOf(text)
}

// is03 reports whether e serves 0.3 clients.
func (e endpoint) is03() bool {
	return e.origin != listed || strings.HasPrefix(e.version.Node.Word(), "0.")
}

// groupByURL brings together the endpoints that name one URL: a dual card names
// each of its URLs up to three times.
func groupByURL(list []endpoint) [][]endpoint {
	index := map[string]int{}
	var groups [][]endpoint
	for _, e := range list {
		text := e.url.Node.Word()
		if text == "" {
			continue
		}
		i, known := index[text]
		if !known {
			i = len(groups)
			index[text] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// relatedLimit is how many places a finding points at besides its own.
const relatedLimit = 10

// eachURL returns a check of the endpoints of each URL: the first that has a finding is
// reported, where the card names the URL for the first time.
func eachURL(check func(c *card, e endpoint) *diag.Diagnostic) func(*card) {
	return func(c *card) {
		for _, group := range c.urls {
			for _, e := range group {
				e.url = group[0].url
				d := check(c, e)
				if d == nil {
					continue
				}
				for _, other := range group[1:min(len(group), 1+relatedLimit)] {
					d.Related = append(d.Related, also(other.url, "the same URL is here")...)
				}
				break
			}
		}
	}
}
