package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

// moved checks that where the card was before leads to it for good.
func (r *run) moved(ctx context.Context, card *client.Response) {
	for _, m := range r.Settings.Moved {
		s := r.Settings
		s.Moved = []hosting.Moved{m}
		there := func(file string) bool {
			return path.Dir(file) == path.Join(m.To, path.Dir(tree.CardPath)) &&
				(path.Base(file) == path.Base(tree.CardPath) || r.wantsLegacy(card))
		}
		for _, want := range s.Redirects(m.Host, s.Base, there) {
			to, err := card.URL.Parse(want.To)
			if err != nil || to.Hostname() != card.URL.Hostname() || path.Dir(to.Path) != path.Dir(card.URL.Path) {
				continue // of another card
			}
			from := &url.URL{Scheme: card.URL.Scheme, Host: card.URL.Host, Path: want.From}
			if port := card.URL.Port(); m.Host != "" && port != "" {
				from.Host = net.JoinHostPort(m.Host, port)
			} else if m.Host != "" {
				from.Host = m.Host
			}
			r.leads(ctx, from, to)
		}
	}
}

// leads checks that a URL redirects to another one, of which only the port may differ.
func (r *run) leads(ctx context.Context, from, to *url.URL) {
	hint := fmt.Sprintf("redirect %s to %s with status 308 or 301", from, to)
	resp, err := r.client.Do(ctx, client.Request{Method: http.MethodGet, URL: from})
	if err != nil {
		r.fail("moved", from.String()+": "+client.Explain(err), hint)
		return
	}
	location := resp.Header.Get("Location")
	target, err := from.Parse(location)
	ok := err == nil && (resp.Status == http.StatusPermanentRedirect || resp.Status == http.StatusMovedPermanently) &&
		target.Hostname() == to.Hostname() && target.Path == to.Path
	detail := fmt.Sprintf("%s: %d", from, resp.Status)
	if location != "" {
		detail += " to " + diag.Quote(location)
	}
	r.require("moved", ok, detail, hint)
}
