package probe

import (
	"context"
	"net/http"
	"slices"
	"strconv"
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
	case r.options.Settings.NoCORS && allowed(card):
		v.fail(v.ok, "the configuration says cors: false: send no Access-Control-Allow-Origin, "+
			"and do not reflect the origin of the request")
		return v
	case r.options.Settings.NoCORS:
		return v
	case len(card.Header.Values(allowOrigin)) > 1:
		v.fail(twice, twiceHint)
		return v
	case !allowed(card):
		v.fail(v.ok, "send Access-Control-Allow-Origin: *")
		return v
	}
	if !listed(card.Header, "Vary", "origin") {
		other := r.client.again(ctx, &v, http.MethodGet, card.URL, "Origin", "")
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
// send a preflight request. Some pages send the other headers too, and a host may refuse
// them all because of one.
func (r *run) preflight(ctx context.Context, card *response) (v verdict) {
	if r.options.Settings.NoCORS {
		return v
	}
	v.ok = "allows the headers of A2A clients"
	names := []string{"A2A-Version", "A2A-Extensions", "Authorization", "Cache-Control", "If-None-Match", "traceparent"}
	judge, hint := v.fail, "answer OPTIONS with 204 and Access-Control-Allow-Headers: "+hosting.AllowHeaders
	for _, asked := range [][]string{names[:1], names} {
		resp := r.client.again(ctx, &v, http.MethodOptions, card.URL, "Access-Control-Request-Method", "GET",
			"Access-Control-Request-Headers", strings.ToLower(strings.Join(asked, ",")))
		if resp == nil {
			return v
		}
		refused := slices.DeleteFunc(slices.Clone(asked), func(name string) bool {
			if name == "Authorization" { // * does not include it
				return strings.Contains(strings.ToLower(join(resp.Header, allowHeaders)), "authorization")
			}
			return listed(resp.Header, allowHeaders, name)
		})
		switch {
		case resp.Redirects > 0:
			judge("a redirect, which browsers refuse", hint)
		case resp.Status/100 != 2:
			judge(strconv.Itoa(resp.Status)+", asked for "+strings.Join(asked, ", "), hint)
		case len(resp.Header.Values(allowOrigin)) > 1:
			judge(twice, twiceHint)
		case !allowed(resp):
			judge(allowedOrigin(resp)+", asked for "+strings.Join(asked, ", "), hint)
		case len(refused) > 0:
			judge("it does not allow "+strings.Join(refused, ", "), hint)
		}
		if v.faults != nil {
			return v
		}
		judge = v.warn
	}
	return v
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
