package lint

import (
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/source"
)

var misfitChecks = []check{
	{diag.CardForeign, both, reportMisfit},
	{diag.CardJSON, both, reportMisfit},
}

// misfit says why a document cannot be judged as a card: it is the only
// finding then.
type misfit struct {
	rule diag.RuleID // zero when it can be judged
	finding
}

// findMisfit looks at what the document is at all.
func findMisfit(root place) misfit {
	if what := convert.Foreign(root.Node); what != "" {
		return misfit{diag.CardForeign, fault(root, "an agent card has a name, skills and a url or supportedInterfaces",
			"not an agent card: looks like %s", what)}
	}
	if !root.Node.Is(source.Object) {
		return misfit{diag.CardJSON, fault(root, "", "the document is %s, must be one JSON object", root.Node.Kind.Article())}
	}
	return misfit{}
}

func reportMisfit(c *card) {
	if c.misfit.rule == c.rule.ID {
		c.report(c.misfit.finding)
	}
}
