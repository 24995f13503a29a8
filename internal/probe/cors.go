package probe

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
)

const (
	allowOrigin  = "Access-Control-Allow-Origin"
	allowHeaders = "Access-Control-Allow-Headers"
	onePlaceHint = "set it in one place: the server or the proxy in front of it"
)

// cors checks that scripts of other origins can read the card and its headers.
func (r *run) cors(ctx context.Context, card *response) (v verdict) {
	v.ok = allowedOrigin(card)
	switch {
	case r.Settings.NoCORS:
		if allowed(card) {
			v.fail(allowedOrigin(card), "the configuration says cors: false: send no Access-Control-Allow-Origin, "+
				"and do not reflect the origin of the request")
		}
		return v
	case len(card.Header.Values(allowOrigin)) > 1:
		v.fail(allowOrigin+" twice, which browsers refuse", onePlaceHint)
		return v
	case !allowed(card):
		v.fail(allowedOrigin(card), "send Access-Control-Allow-Origin: *")
	// A host with a list of origins cannot know the one that was made up for this run.
	case card.Header.Get(allowOrigin) == origin && !listed(card.Header, "Vary", "origin"):
		v.fail("reflected, with Vary: "+orNone(join(card.Header, "Vary")),
			"send Access-Control-Allow-Origin: *, or add Vary: Origin so that caches keep one answer per site")
	}
	if resp, err := r.program.ask(ctx, http.MethodGet, card.URL); err == nil && allowed(card) && !allowed(resp) &&
		!listed(resp.Header, "Vary", "origin") {
		v.fail(allowedOrigin(resp)+" without Origin, and no Vary: Origin",
			"send Access-Control-Allow-Origin always: a cache gives the answer without it to browsers")
	}
	if !listed(card.Header, "Access-Control-Expose-Headers", "etag") {
		v.warn("Access-Control-Expose-Headers: "+orNone(join(card.Header, "Access-Control-Expose-Headers")),
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
	const hint = "answer OPTIONS with 204 and Access-Control-Allow-Headers: " + hosting.AllowHeaders
	resp := r.options(ctx, &v, card, "A2A-Version")
	if resp == nil {
		return v
	}
	v.ok = fmt.Sprintf("%d, allows %s", resp.Status, orNone(join(resp.Header, allowHeaders)))
	switch {
	case len(resp.Redirects) > 0:
		v.fail("a redirect, which browsers refuse", hint)
	case resp.Status/100 != 2:
		v.fail(strconv.Itoa(resp.Status), hint)
	case len(resp.Header.Values(allowOrigin)) > 1:
		v.fail(allowOrigin+" twice, which browsers refuse", onePlaceHint)
	case !allowed(resp):
		v.fail(allowedOrigin(resp), hint)
	case !listed(resp.Header, allowHeaders, "a2a-version"):
		v.fail(v.ok, hint)
	default:
		r.otherHeaders(ctx, &v, card, hint)
	}
	return v
}

// otherHeaders asks for the headers that pages send besides A2A-Version.
func (r *run) otherHeaders(ctx context.Context, v *verdict, card *response, hint string) {
	names := []string{"A2A-Extensions", "A2A-Version", "Authorization", "Cache-Control", "If-None-Match", "traceparent"}
	resp := r.options(ctx, v, card, names...)
	if resp == nil {
		return
	}
	if resp.Status/100 != 2 {
		v.warn(strconv.Itoa(resp.Status)+" for "+strings.Join(names, ", "), hint)
		return
	}
	allow := strings.ToLower(join(resp.Header, allowHeaders))
	refused := slices.DeleteFunc(names, func(name string) bool {
		return listed(resp.Header, allowHeaders, name) &&
			(name != "Authorization" || strings.Contains(allow, "authorization")) // * does not include it
	})
	if len(refused) > 0 {
		v.warn("refuses "+strings.Join(refused, ", "), hint)
	}
}

// options asks whether a page may send these headers.
func (r *run) options(ctx context.Context, v *verdict, card *response, names ...string) *response {
	return r.ask(ctx, v, http.MethodOptions, card.URL, "Access-Control-Request-Method", "GET",
		"Access-Control-Request-Headers", strings.ToLower(strings.Join(names, ",")))
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
