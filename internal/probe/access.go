package probe

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
)

// methods checks HEAD and POST.
func (r *run) methods(ctx context.Context, card *response) {
	if head := r.ask(ctx, diag.ProbeHead, "HEAD", card.URL); head != nil {
		length := head.Header.Get("Content-Length")
		ok := head.Status == http.StatusOK && head.Header.Get("Content-Type") == card.Header.Get("Content-Type") &&
			head.Header.Get("ETag") == card.Header.Get("ETag") && (length == "" || length == strconv.Itoa(len(card.Body)))
		detail := strconv.Itoa(head.Status)
		if !ok && head.Status == http.StatusOK {
			detail = "200, but not the headers of GET"
		}
		r.require(diag.ProbeHead, ok, detail, "answer HEAD with the same headers as GET")
	}
	if post := r.ask(ctx, diag.ProbeMethodRefused, "POST", card.URL); post != nil {
		// Apache sends two lines, of which one may be empty.
		allow := strings.Join(post.Header.Values("Allow"), "")
		elsewhere := []int{http.StatusForbidden, http.StatusNotFound, http.StatusNotImplemented} // of stores and CDNs
		ok := post.Status == http.StatusMethodNotAllowed && allow != "" || slices.Contains(elsewhere, post.Status)
		detail := strconv.Itoa(post.Status)
		if post.Status == http.StatusMethodNotAllowed && allow == "" {
			detail = "405 without Allow"
		}
		r.advise(diag.ProbeMethodRefused, ok, detail, "answer other methods with 405 and Allow: "+hosting.Methods)
	}
}

// crossOrigin checks CORS. The official JavaScript client sends A2A-Version, so
// browsers send a preflight request.
func (r *run) crossOrigin(ctx context.Context, card *response) {
	if r.Settings.NoCORS {
		r.require(diag.ProbeCORS, !allowed(card), allowOrigin(card), "the configuration says cors: false: send no "+
			"Access-Control-Allow-Origin, and do not reflect the origin of the request")
		return
	}
	r.require(diag.ProbeCORS, allowed(card), allowOrigin(card), "send Access-Control-Allow-Origin: *")
	// One configured origin is sent to all; another was made up for this run.
	if card.Header.Get("Access-Control-Allow-Origin") == origin {
		r.require(diag.ProbeCORSVary, listed(card.Header, "Vary", "origin"),
			"Vary: "+orNone(join(card.Header.Values("Vary"))),
			"send Access-Control-Allow-Origin: *, or add Vary: Origin so that caches keep one answer per site")
	}
	exposed := listed(card.Header, "Access-Control-Expose-Headers", "etag")
	r.advise(diag.ProbeCORSExpose, exposed, orNone(card.Header.Get("Access-Control-Expose-Headers")),
		"send Access-Control-Expose-Headers: ETag, Link, Deprecation")

	resp := r.preflight(ctx, card, diag.ProbePreflight, "A2A-Version")
	if resp == nil {
		return
	}
	const hint = "answer OPTIONS with 204 and Access-Control-Allow-Headers: " + hosting.AllowHeaders
	switch {
	case len(resp.Redirects) > 0:
		r.fail(diag.ProbePreflight, "a redirect, which browsers refuse", hint)
	case resp.Status < 200 || resp.Status > 299:
		r.fail(diag.ProbePreflight, strconv.Itoa(resp.Status), hint)
	case len(resp.Header.Values("Access-Control-Allow-Origin")) > 1:
		r.fail(diag.ProbePreflight, "Access-Control-Allow-Origin twice, which browsers refuse",
			"set it in one place: the server or the proxy in front of it")
	case !allowed(resp):
		r.fail(diag.ProbePreflight, allowOrigin(resp), hint)
	default:
		ok := listed(resp.Header, "Access-Control-Allow-Headers", "a2a-version")
		r.require(diag.ProbePreflight, ok, fmt.Sprintf("%d, allows %s", resp.Status,
			orNone(resp.Header.Get("Access-Control-Allow-Headers"))), hint)
		if ok {
			r.preflightHeaders(ctx, card, hint)
		}
	}
}

// preflight asks whether a page may send these header fields.
func (r *run) preflight(ctx context.Context, card *response, rule diag.RuleID, names ...string) *response {
	return r.ask(ctx, rule, "OPTIONS", card.URL, "Access-Control-Request-Method", "GET",
		"Access-Control-Request-Headers", strings.ToLower(strings.Join(names, ",")))
}

// preflightHeaders asks for what pages send besides. A host may refuse them all because
// of one.
func (r *run) preflightHeaders(ctx context.Context, card *response, hint string) {
	names := []string{"A2A-Extensions", "A2A-Version", "Authorization", "Cache-Control", "If-None-Match", "traceparent"}
	resp := r.preflight(ctx, card, diag.ProbePreflightHeaders, names...)
	if resp == nil {
		return
	}
	if resp.Status < 200 || resp.Status > 299 {
		r.advise(diag.ProbePreflightHeaders, false, strconv.Itoa(resp.Status)+" for "+join(names), hint)
		return
	}
	allow := strings.ToLower(join(resp.Header.Values("Access-Control-Allow-Headers")))
	refused := slices.DeleteFunc(names, func(name string) bool {
		return listed(resp.Header, "Access-Control-Allow-Headers", name) &&
			(name != "Authorization" || strings.Contains(allow, "authorization")) // which * does not stand for
	})
	r.advise(diag.ProbePreflightHeaders, len(refused) == 0, "refused: "+orNone(join(refused)), hint)
}

// asked sends the request for the card as others do: programs without Origin, which
// take any media type, and clients of A2A with their version.
func (r *run) asked(ctx context.Context, card *response) {
	const hint = "send everybody the same card: caches keep one, and clients ask in many ways"
	for _, c := range []struct {
		by     *client
		name   string
		header []string
	}{
		{r.program, "without Origin", []string{"Accept", "*/*"}},
		{r.client, "with A2A-Version", []string{"A2A-Version", "1.0"}},
		{r.client, "with Accept: text/html", []string{"Accept", "text/html,*/*;q=0.8"}},
	} {
		resp, err := c.by.ask(ctx, http.MethodGet, card.URL, c.header...)
		switch {
		case err != nil:
			r.fail(diag.ProbeAsked, c.name+": "+explain(err), hint)
			return
		case resp.Status != card.Status:
			r.fail(diag.ProbeAsked, c.name+": "+strconv.Itoa(resp.Status), hint)
			return
		case !bytes.Equal(resp.Body, card.Body) || resp.Header.Get("Content-Type") != card.Header.Get("Content-Type"):
			r.fail(diag.ProbeAsked, c.name+": another document", hint)
			return
		case c.by == r.program && !r.Settings.NoCORS && allowed(card) && !allowed(resp) &&
			!listed(resp.Header, "Vary", "origin"):
			r.fail(diag.ProbeCORSVary, allowOrigin(resp)+" without Origin, and no Vary: Origin",
				"send Access-Control-Allow-Origin always: a cache gives the answer without it to browsers")
		}
	}
	r.pass(diag.ProbeAsked, "the same card without Origin, with A2A-Version and with Accept")
}

func allowed(resp *response) bool {
	got := resp.Header.Get("Access-Control-Allow-Origin")
	return got == "*" || got == origin
}

func allowOrigin(resp *response) string {
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "" {
		return "for origin " + diag.Quote(got)
	}
	return "no Access-Control-Allow-Origin"
}

// listed reports whether a comma-separated header names an item, or everything.
func listed(h http.Header, name, item string) bool {
	for part := range strings.SplitSeq(strings.Join(h.Values(name), ","), ",") {
		part = strings.TrimSpace(part)
		if strings.EqualFold(part, item) || part == "*" {
			return true
		}
	}
	return false
}

// join puts the values of a header together.
func join(values []string) string { return strings.Join(values, ", ") }
