package generate

import (
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
		r.report(lint.Switches{Rules: r.Config.Rules}.Apply(
			diag.List{diag.New("card-cache-control", n.Span,
				"with %q, clients and caches download the card every time, and its ETag has no effect", name).
				WithSeverity(diag.Warning).
				WithPointer("/cacheControl").
				WithHint("use something like public, max-age=3600")})...)
		break
	}
	return nil
}
