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
	"cardwright/internal/source"
	"cardwright/schema"
)

// legacy checks agent.json, which clients before A2A 0.3 request. It is required only if
// the local tree has it.
func (r *run) legacy(ctx context.Context, card *response) (v verdict) {
	u := beside(card.URL, path.Base(site.LegacyCardPath))
	local := r.local(u)
	if path.Base(card.URL.Path) != path.Base(site.CardPath) || r.NoLegacy || r.local(card.URL) != nil && local == nil {
		return v
	}
	resp := r.ask(ctx, &v, http.MethodGet, u)
	if resp == nil {
		return v
	}
	const both = "deploy both files together"
	v.ok = "the same agent for A2A 0.3"
	switch {
	case resp.Status != http.StatusOK:
		judge := (*verdict).warn
		if local != nil {
			judge = (*verdict).fail
		}
		judge(&v, strconv.Itoa(resp.Status), "deploy agent.json too, for clients of A2A before 0.3")
		return v
	case resp.Redirects > 0:
		v.warn("a redirect to "+diag.Quote(resp.URL.Redacted()),
			"serve agent.json itself: some old clients do not follow redirects")
		return v
	case bytes.Equal(resp.Body, card.Body):
		v.ok = "the same bytes"
	case !pair(card.Body, resp.Body):
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

// leads reports whether a Link names a card as the successor.
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

// pair reports whether two cards are one agent for A2A 1.0 and for 0.3.
func pair(newer, older []byte) bool {
	a, _ := source.ParseJSON("", newer)
	b, _ := source.ParseJSON("", older)
	return schema.Pair(a, b)
}
