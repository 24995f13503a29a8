package lint

import (
	"fmt"

	"cardwright/internal/diag"
)

var documentChecks = []check{
	{diag.CardVersionClaim, v03, cardVersionClaim},
	{diag.CardVersionUnknown, both, cardVersionUnknown},
}

func cardVersionUnknown(c *card) {
	if reportMisfit(c); c.misfit.rule != 0 {
		return
	}
	if _, known := Version(c.root.Node); known {
		return
	}
	f := fault(c.root, "add supportedInterfaces",
		"the card has neither supportedInterfaces, as in 1.0, nor url, as in 0.3, so clients cannot call the agent")
	for _, key := range []string{"endpoint", "serviceUrl", "a2aEndpoint", "a2a_endpoint", "endpoints", "uri"} {
		if c.root.Node.Get(key) != nil {
			f.at, f.name = c.root.At(key), c.root.Node.Member(key)
			f.hint = fmt.Sprintf("A2A clients ignore %q: use supportedInterfaces", key)
			break
		}
	}
	c.report(f)
}

func cardVersionClaim(c *card) {
	if p, known := Version(c.root.Node); !known || judgedBy(c.root.Node, p) != v03 || !claims(c.root.Node, "1") {
		return
	}
	c.find(c.root.At("protocolVersion"), `list supportedInterfaces, or say "0.3.0"`,
		"the card claims version %s but has the shape of 0.3, and 1.0 clients find no interface in it",
		quote(c.root.At("protocolVersion").Node.Word()))
}
