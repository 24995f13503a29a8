package probe

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/schema"
)

// legacy checks agent.json, which clients before A2A 0.3 request. It is required only if
// the local tree has it.
func (r *run) legacy(ctx context.Context, card *response) (v verdict) {
	u := beside(card.URL, path.Base(site.LegacyCardPath))
	local := r.tree.local(u)
	if path.Base(card.URL.Path) != path.Base(site.CardPath) || r.options.NoLegacy ||
		r.tree.local(card.URL) != nil && local == nil {
		return v
	}
	resp := r.client.again(ctx, &v, http.MethodGet, u)
	if resp == nil {
		return v
	}
	const both = "deploy both files together"
	v.ok = "the same agent for A2A 0.3"
	switch {
	case resp.Status != http.StatusOK:
		v.fail(strconv.Itoa(resp.Status), "deploy agent.json too, for clients of A2A before 0.3")
		if local == nil {
			v.faults[0].severity = diag.Warning
		}
		return v
	case resp.Redirects > 0:
		v.warn("a redirect to "+diag.Quote(resp.URL.Redacted()),
			"serve agent.json itself: some old clients do not follow redirects")
		return v
	case bytes.Equal(resp.Body, card.Body):
		v.ok = "the same bytes"
	case !schema.Pair(card.json(), resp.json()):
		v.fail("different bytes than agent-card.json", both)
	case local != nil && !bytes.Equal(local, resp.Body):
		v.fail("not the local file", both)
	}
	for _, want := range r.expected(u.Path) {
		got := join(resp.Header, want.Name)
		dated := want.Name == "Deprecation" || want.Name == "Sunset"
		if dated && got != want.Value || want.Name == "Link" && !leads(got, card.URL) {
			v.warn(want.Name+": "+orNone(got), "send "+want.Name+": "+want.Value)
		}
	}
	return v
}

// leads reports whether a Link names a card as the successor (RFC 5829).
func leads(link string, card *url.URL) bool {
	for part := range strings.SplitSeq(link, ",") {
		target, parameters, ok := strings.Cut(strings.TrimSpace(part), ">")
		u, err := card.Parse(strings.TrimPrefix(target, "<"))
		if ok && err == nil && card.Path == u.Path && u.Host == card.Host &&
			strings.Contains(strings.ReplaceAll(parameters, `"`, ""), "rel=successor-version") {
			return true
		}
	}
	return false
}
