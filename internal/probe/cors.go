package probe

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
)

const (
	allowOrigin   = "Access-Control-Allow-Origin"
	allowHeaders  = "Access-Control-Allow-Headers"
	exposeHeaders = "Access-Control-Expose-Headers"
	twice         = allowOrigin + " twice, which browsers refuse"
	twiceHint     = "set it in one place: the server or the proxy in front of it"
)

// cors checks that scripts of other origins can read the card and its headers.
func (r *run) cors(ctx context.Context, card *response) (v verdict) {
	v.ok = allowedOrigin(card)
	switch {
	case r.Settings.NoCORS && allowed(card):
		v.fail(v.ok, "the configuration says cors: false: send no Access-Control-Allow-Origin, "+
			"and do not reflect the origin of the request")
		return v
	case r.Settings.NoCORS:
		return v
	case len(card.Header.Values(allowOrigin)) > 1:
		v.fail(twice, twiceHint)
		return v
	case !allowed(card):
		v.fail(v.ok, "send Access-Control-Allow-Origin: *")
		return v
	}
	if !listed(card.Header, "Vary", "origin") {
		other := r.ask(ctx, &v, http.MethodGet, card.URL, "Origin", "")
		if card.Header.Get(allowOrigin) == origin || other != nil && !allowed(other) {
			v.fail("it depends on Origin, and there is no Vary: Origin",
				"send Access-Control-Allow-Origin: *, or add Vary: Origin so that caches keep one answer per site")
		}
	}
	if !listed(card.Header, exposeHeaders, "etag") {
		v.warn(exposeHeaders+": "+orNone(join(card.Header, exposeHeaders)),
			"send Access-Control-Expose-Headers: ETag, Link, Deprecation")
	}
	return v
}

// preflight checks OPTIONS. The official JavaScript client sends A2A-Version, so browsers
// send a preflight request. Pages send the other headers too, and a host may refuse them
// all because of one.
func (r *run) preflight(ctx context.Context, card *response) (v verdict) {
	if r.Settings.NoCORS {
		return v
	}
	v.ok = "allows the headers of A2A clients"
	names := []string{"A2A-Version", "A2A-Extensions", "Authorization", "Cache-Control", "If-None-Match", "traceparent"}
	if refusal, hint := r.refusal(ctx, card, names[:1]); refusal != "" {
		v.fail(refusal, hint)
	} else if refusal, hint := r.refusal(ctx, card, names); refusal != "" {
		v.warn(refusal, hint)
	}
	return v
}

// refusal asks whether a page may send these headers, and returns why it may not.
func (r *run) refusal(ctx context.Context, card *response, names []string) (reason, hint string) {
	resp, err := r.client.ask(ctx, http.MethodOptions, card.URL, "Access-Control-Request-Method", "GET",
		"Access-Control-Request-Headers", strings.ToLower(strings.Join(names, ",")))
	hint = "answer OPTIONS with 204 and Access-Control-Allow-Headers: " + hosting.AllowHeaders
	switch {
	case err != nil:
		return explain(err), hint
	case resp.Redirects > 0:
		return "a redirect, which browsers refuse", hint
	case resp.Status/100 != 2:
		return fmt.Sprintf("%d for %s", resp.Status, strings.Join(names, ", ")), hint
	case len(resp.Header.Values(allowOrigin)) > 1:
		return twice, twiceHint
	case !allowed(resp):
		return allowedOrigin(resp), hint
	}
	refused := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		if name == "Authorization" { // * does not include it
			return strings.Contains(strings.ToLower(join(resp.Header, allowHeaders)), "authorization")
		}
		return listed(resp.Header, allowHeaders, name)
	})
	if len(refused) == 0 {
		return "", ""
	}
	return "it does not allow " + strings.Join(refused, ", "), hint
}

func allowed(resp *response) bool {
	got := resp.Header.Get(allowOrigin)
	return got == "*" || got == origin
}

func allowedOrigin(resp *response) string {
	if got := resp.Header.Get(allowOrigin); got != "" {
		return "for origin " + diag.Quote(got)
	}
	return "no Access-Control-Allow-Origin"
}
