package generate

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
)

// judgeCaching judges the cache policy that server configurations send: one that
// keeps caches from storing a card defeats its entity tag.
func judgeCaching(r *run) error {
	n := r.Config.Node.Get("cacheControl")
	if n == nil {
		return nil
	}
	for directive := range strings.SplitSeq(strings.ToLower(n.Text), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if !slices.Contains([]string{"no-store", "no-cache", "private"}, name) {
			continue
		}
		r.report(lint.Switches{Rules: r.Config.Rules}.Apply(diag.List{{
			Rule: "card-cache-control", Severity: diag.Warning, Span: n.Span, Pointer: "/cacheControl",
			Message: fmt.Sprintf("with %q clients and caches fetch the card again each time, and its entity tag is for nothing", name),
			Hint:    "use something like public, max-age=3600",
		}})...)
		break
	}
	return nil
}
