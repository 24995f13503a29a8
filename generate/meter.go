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
	return diag.List{diag.New("source-bound", firstPlace(req.Config.Node, "/agents"), "reading the sources of all agents, each as often as an agent names it, takes more than the bound on skills allows").
		WithHint("let fewer agents name the same directories, or raise the bound with --limit skills=N")}
}
