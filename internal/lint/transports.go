package lint

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

var transportsChecks = []check{
	{diag.DualDisagree, v10, dualDisagree},
	{diag.DualLeftover, v10, dualLeftover},
	{diag.DualMismatch, v03, dualMismatch},
	{diag.DualOrder, v10, dualOrder},
	{diag.DualStrictValidators, both, dualStrictValidators},
	{diag.TransportConflict, v03, transportConflict},
	{diag.TransportMainMissing, v03, transportMainMissing},
	{diag.TransportMissing, v03, transportMissing},
}

func transportConflict(c *card) {
	first := map[string]endpoint{}
	for _, e := range c.endpoints {
		if e.origin == listed || e.transport() == "" || e.url.Node.Word() == "" {
			continue
		}
		url := e.url.Node.Word()
		f, known := first[url]
		if !known {
			first[url] = e
			continue
		}
		if f.transport() == e.transport() {
			continue
		}
		c.report(fault(e.place, "give each transport its own URL",
			"%s has the transport %s here and %s elsewhere; a URL has one transport", quote(url), quote(e.transport()),
			quote(f.transport())).beside(also(f.url, "declared as "+quote(f.transport())+" here")))
	}
}

func transportMissing(c *card) {
	if c.root.At("url").Node.Is(source.String) && lacks(c.root, "preferredTransport") {
		c.find(c.root.At("preferredTransport"), `add "preferredTransport": "JSONRPC"`,
			"preferredTransport is missing; its default is JSONRPC, but some clients ignore the url without it")
	}
}

func transportMainMissing(c *card) {
	list := c.root.At("additionalInterfaces")
	url := c.root.At("url").Node.Word()
	if url == "" || !list.Node.Is(source.Array) || len(list.Node.Items) == 0 {
		return
	}
	transport := c.mainTransport()
	for e := range list.List() {
		if e.At("url").Node.Word() == url && e.At("transport").Node.Word() == transport {
			return
		}
	}
	if c.mismatched() {
		return // it is the url that is wrong
	}
	c.find(list, fmt.Sprintf("add {\"url\": %s, \"transport\": %s}", quote(url), quote(transport)),
		"additionalInterfaces does not repeat the url of the card with its transport %s", quote(transport))
}

func dualMismatch(c *card) {
	if !c.mismatched() {
		return
	}
	main := c.root.At("url")
	c.find(main, "make url and preferredTransport the same as the first interface of version 0.3",
		"no 0.3 interface has the url %s with the transport %s that the card gives to 0.3 clients", quote(main.Node.Word()),
		quote(c.mainTransport()))
}

// mismatched reports whether a dual card gives 0.3 clients an endpoint that it
// does not list.
func (c *card) mismatched() bool {
	url := c.root.At("url").Node.Word()
	if !c.in.Has(v10) || !c.in.Has(v03) || url == "" {
		return false
	}
	transport := c.mainTransport()
	return !slices.ContainsFunc(c.endpoints, func(e endpoint) bool {
		return e.origin == listed && e.is03() && schema.Equivalent("url", e.url.Node.Word(), url) && e.transport() == transport
	})
}

// dualLeftover reports all leftovers at once: they are one decision.
func dualLeftover(c *card) {
	all := c.shape[c.rule.ID]
	if all == nil {
		return
	}
	var names []string
	for _, f := range all.list {
		names = append(names, f.message)
	}
	f := all.list[0]
	f.message = "the card has no interface of version 0.3, but members that only 0.3 clients read: " +
		strings.Join(names, ", ")
	f.hint = `delete them, or list an interface with protocolVersion "0.3"`
	if len(names) == 1 && names[0] == "protocolVersion" {
		f.severity = diag.Info
		f.message = "protocolVersion at the top level is read by 0.3 clients only, 1.0 states it for each interface"
		f.hint = "delete it"
	}
	c.report(f)
}

func dualOrder(c *card) {
	var old place
	for _, e := range c.endpoints {
		switch {
		case e.origin != listed:
		case e.is03() && old.Node == nil:
			old = e.place
		case !e.is03() && old.Node != nil && e.version.Node.Word() != "":
			c.report(fault(old, "list the newer version first",
				"an interface of version 0.3 is before one of version 1.0; clients prefer the first").
				beside(also(e.place, "the newer interface is here")))
			return
		}
	}
}

func dualStrictValidators(c *card) {
	if c.in.Has(v10) && c.in.Has(v03) {
		c.find(c.root.At("supportedInterfaces"),
			"the card is correct; if such a validator is in the way, make one card per version",
			"the card is for A2A 1.0 and 0.3 at once: SDKs read it, but validators that know one version alone "+
				"refuse the members of the other")
	}
}
