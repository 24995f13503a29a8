package generate

import (
	"errors"

	"cardwright/internal/diag"
)

// errTooMuchRead ends a run whose agents have read more than the bound.
var errTooMuchRead = errors.New("the agents read too much")

// tooMuchRead is the finding about such a run. It is the only one: how far the
// others got is up to the scheduler.
func tooMuchRead(req *Request) diag.List {
	return diag.List{diag.New(diag.SourceInvalid, firstSpan(req.Config.Node, "/agents"),
		"all agents together read more than the limit for skills allows; a source counts once for each agent that names it").
		WithHint("let fewer agents name the same directories")}
}
