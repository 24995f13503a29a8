package lint

import (
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/schema"
)

var ambiguousChecks = []check{
	{diag.InterfaceAmbiguous, both, interfaceAmbiguous},
	{diag.InterfaceURLOperation, both, interfaceURLOperation},
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
			c.report(fault(e.url, "keep one URL for each binding and version, or give them tenants",
				"the card has two URLs for %s: %s", quote(k.binding), c.choices(other, e)).beside(also(other.url, "the other URL")))
		}
	}
}

// choices says which libraries call which of two endpoints.
func (c *card) choices(a, b endpoint) string {
	callers := map[string][]string{}
	for _, answer := range diff.Answers(c.root.Node, a.transport()) {
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
		parts = append(parts, quote(e.url.Node.Word())+" is called by "+diag.Enumerate(who, "and"))
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
func interfaceURLOperation(c *card) {
	c.eachURL(func(e endpoint) (finding, bool) {
		u := web(e.url.Node.Word())
		if u == nil {
			return finding{}, false
		}
		for _, end := range slices.Backward(operations) {
			if base, cut := strings.CutSuffix(strings.TrimSuffix(e.url.Node.Word(), "/"), end); cut {
				if end == openAPI {
					return fault(e.url, "write the URL that takes the requests of clients",
						"%s is the URL of a document, not of the agent", quote(e.url.Node.Word())), true
				}
				return fault(e.url, "write "+quote(strings.TrimSuffix(base, "/v1")),
					"%s is the URL of one operation; clients append %s themselves", quote(e.url.Node.Word()), quote(end)), true
			}
		}
		return finding{}, false
	})
}
