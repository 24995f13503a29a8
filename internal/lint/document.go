package lint

import (
	"iter"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/source"
)

var documentChecks = checks{
	diag.CardVersionClaim:   {v03, cardVersionClaim},
	diag.CardVersionUnknown: {both, cardVersionUnknown},
	diag.DualLeftover:       {v10, dualLeftover},
}

type location = source.Location

// also returns a place as one that belongs to a finding about another.
func also(p location, message string) []diag.Related {
	return []diag.Related{{Span: p.Where(), Pointer: p.Pointer(), Message: message}}
}

// texts iterates over the strings in an array.
func texts(p location) iter.Seq[location] {
	return func(yield func(location) bool) {
		for item := range p.List() {
			if item.Node.Is(source.String) && !yield(item) {
				return
			}
		}
	}
}

// isTrue reports whether p is the boolean true.
func isTrue(p location) bool { return p.Node.Is(source.Bool) && p.Node.Text == "true" }

// offered reports whether p is a list that holds anything.
func offered(p location) bool { return p.Node.Is(source.Array) && len(p.Node.Items) > 0 }

// noCard says why a document cannot be checked as a card: it is the only finding then.
func noCard(root *source.Node) (diag.Diagnostic, bool) {
	if what := convert.Foreign(root); what != "" {
		return diag.New(diag.CardForeign, root.Span, "not an agent card: looks like %s", what).
			WithHint("an agent card has a name, skills and a url or supportedInterfaces"), true
	}
	return diag.New(diag.CardJSON, root.Span, "the document is %s, must be one JSON object", root.Kind.Article()),
		root.Kind != source.Object
}

func cardVersionUnknown(c *card) {
	if _, known := Version(c.root.Node); !known {
		c.find(c.root, "add supportedInterfaces",
			"the card has neither supportedInterfaces, as in 1.0, nor url, as in 0.3, so clients cannot call the agent")
	}
}

func cardVersionClaim(c *card) {
	if p, known := Version(c.root.Node); known && versionsOf(c.root.Node, p) == v03 && claims(c.root.Node, "1") {
		c.find(c.root.At("protocolVersion"), `list supportedInterfaces, or say "0.3.0"`,
			"the card claims version %s but has the shape of 0.3, and 1.0 clients find no interface in it",
			diag.Quote(c.root.At("protocolVersion").Node.Word()))
	}
}

// dualLeftover reports all leftovers at once: they are one decision.
func dualLeftover(c *card) {
	if len(c.leftovers) == 0 {
		return
	}
	names := make([]string, len(c.leftovers))
	for i, p := range c.leftovers {
		names[i] = p.Token()
	}
	d := c.find(c.leftovers[0], `delete them, or list an interface with protocolVersion "0.3"`,
		"the card has no interface of version 0.3, but members that only 0.3 clients read: %s", strings.Join(names, ", "))
	if len(names) == 1 && names[0] == "protocolVersion" {
		d.Severity, d.Hint = diag.Info, "delete it"
		d.Message = "protocolVersion at the top level is read by 0.3 clients only, 1.0 states it for each interface"
	}
}
