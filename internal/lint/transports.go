package lint

import (
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

var transportChecks = checks{
	diag.DualMismatch:         {v03, dualMismatch},
	diag.DualOrder:            {v10, dualOrder},
	diag.DualStrictValidators: {both, dualStrictValidators},
	diag.TransportConflict:    {v03, transportConflict},
	diag.TransportMainMissing: {v03, transportMainMissing},
	diag.TransportMissing:     {v03, transportMissing},
}

func transportConflict(c *card) {
	first := map[string]endpoint{}
	for _, e := range c.endpoints {
		url := e.url.Node.Word()
		if e.origin == listed || e.transport() == "" || url == "" {
			continue
		}
		f, known := first[url]
		switch {
		case !known:
			first[url] = e
		case f.transport() != e.transport():
			c.find(e.location, "give each transport its own URL",
				"%s has the transport %s here and %s elsewhere; a URL has one transport", diag.Quote(url),
				diag.Quote(e.transport()), diag.Quote(f.transport())).
				Related = also(f.url, "declared as "+diag.Quote(f.transport())+" here")
		}
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
	transport := mainTransport(c.root)
	for e := range list.List() {
		if e.At("url").Node.Word() == url && e.At("transport").Node.Word() == transport {
			return
		}
	}
	if mismatched(c) {
		return // it is the url that is wrong
	}
	c.find(list, fmt.Sprintf("add {\"url\": %s, \"transport\": %s}", diag.Quote(url), diag.Quote(transport)),
		"additionalInterfaces does not repeat the url of the card with its transport %s", diag.Quote(transport))
}

func dualMismatch(c *card) {
	if !mismatched(c) {
		return
	}
	main := c.root.At("url")
	c.find(main, "make url and preferredTransport the same as the first interface of version 0.3",
		"no 0.3 interface has the url %s with the transport %s that the card gives to 0.3 clients",
		diag.Quote(main.Node.Word()),
		diag.Quote(mainTransport(c.root)))
}

// mismatched reports whether a dual card gives 0.3 clients an endpoint that it
// does not list.
func mismatched(c *card) bool {
	url := c.root.At("url").Node.Word()
	if !c.in.Has(v10) || !c.in.Has(v03) || url == "" {
		return false
	}
	transport := mainTransport(c.root)
	return !slices.ContainsFunc(c.endpoints, func(e endpoint) bool {
		return e.origin == listed && e.is03() && e.transport() == transport &&
			schema.Equivalent("url", e.url.Node.Word(), url)
	})
}

func dualOrder(c *card) {
	var old location
	for _, e := range c.endpoints {
		switch {
		case e.origin != listed:
		case e.is03() && old.Node == nil:
			old = e.location
		case !e.is03() && old.Node != nil && e.version.Node.Word() != "":
			c.find(old, "list the newer version first",
				"an interface of version 0.3 is before one of version 1.0; clients prefer the first").
				Related = also(e.location, "the newer interface is here")
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
