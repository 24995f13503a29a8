package probe

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

const slowHint = "serve the card from memory or a CDN: clients wait for it before they do anything else"

// tls checks the transport. A certificate that is not valid has no response.
func (r *run) tls(_ context.Context, card *response) (v verdict) {
	host := card.URL.Hostname()
	switch {
	case card.TLS != nil:
		v.ok = tls.VersionName(card.TLS.Version)
	case loopback(host) || loopback(r.options.Resolve[strings.ToLower(host)]):
		v.ok = "none, which is fine on this machine"
	default:
		v.fail("the card is served over plain http", "serve it over https: anyone on the network can change it")
	}
	return v
}

func (r *run) redirects(context.Context, *response) (v verdict) {
	v.ok = "none"
	if r.asked.Redirects > 0 {
		v.warn(fmt.Sprintf("%d, to %s", r.asked.Redirects, diag.Quote(r.asked.URL.Redacted())),
			"serve the card at the well-known URL itself: some clients do not follow redirects")
	}
	return v
}

// status checks that the card is at the URL, and says where it is if it is not there.
func (r *run) status(_ context.Context, card *response) (v verdict) {
	found := strconv.Itoa(r.asked.Status)
	if isPage(r.asked) && r.asked.Status == http.StatusOK {
		found = "a page"
	}
	switch {
	case card == r.asked && found == strconv.Itoa(http.StatusOK):
		v.ok = found
	case card == r.asked:
		v.fail(found, statusHint(card))
	case card == r.site:
		v.ok = found + ", but there are agents below it; the checks are about " + diag.Quote(card.URL.String())
	default:
		v.fail(found+", but there is a card at "+diag.Quote(card.URL.String()),
			"give clients that URL, or "+statusHint(r.asked))
	}
	return v
}

func statusHint(resp *response) string {
	if resp.Header.Get("Cf-Mitigated") != "" {
		return "exempt /.well-known/ from the challenge of the CDN, which programs cannot pass"
	}
	hint := map[int]string{
		http.StatusOK:           "serve the card at this URL without a login, and not the page that other paths get",
		http.StatusUnauthorized: "serve the card without credentials; a rule against dotfiles also matches /.well-known/",
		http.StatusForbidden: "allow everybody to read /.well-known/: a rule against dotfiles matches it, and " +
			"Apache needs Require all granted",
		http.StatusNotFound:        "deploy .well-known, which many tools leave out as hidden, and check the web root",
		http.StatusTooManyRequests: "exempt the card from the limit of requests",
	}[resp.Status]
	hint = cmp.Or(hint, "serve the card at this URL")
	if after := resp.Header.Get("Retry-After"); after != "" {
		hint += "; try again after " + diag.Quote(after)
	}
	return hint
}

func (r *run) contentType(_ context.Context, card *response) (v verdict) {
	got := join(card.Header, "Content-Type")
	switch {
	case !card.readable():
	case !isType(got, "application/json"):
		v.fail(orNone(got), "send Content-Type: application/json")
	default:
		v.ok = orNone(got)
	}
	return v
}

// isType reports whether a content type is the wanted one, in UTF-8.
func isType(got, want string) bool {
	media, parameters, err := mime.ParseMediaType(got)
	charset, named := parameters["charset"]
	return err == nil && media == want && (!named || strings.EqualFold(charset, "utf-8"))
}

// isPage reports whether a response is HTML, whatever its type is. Some hosts answer
// every path with the same page.
func isPage(resp *response) bool { return bytes.HasPrefix(bytes.TrimSpace(resp.Body), []byte("<")) }

func (r *run) encoding(_ context.Context, card *response) (v verdict) {
	if card.Status == http.StatusOK && card.encoded() {
		got := orNone(card.Header.Get("Content-Encoding"))
		v.fail(got+", which was not requested", "send the file uncompressed unless Accept-Encoding allows "+got)
	}
	return v
}

// encoded reports whether the body is not the file, although no encoding was requested.
func (r *response) encoded() bool {
	return cmp.Or(r.Header.Get("Content-Encoding"), "identity") != "identity"
}

// readable reports whether the body may be a card.
func (r *response) readable() bool {
	return r.Status == http.StatusOK && !r.encoded() && !isPage(r)
}

// json reads the body, nil if it is not JSON.
func (r *response) json() *source.Node {
	root, _ := source.ParseJSON("", r.Body)
	return root
}

// headers checks that no header keeps clients or caches from the card.
func (r *run) headers(_ context.Context, card *response) (v verdict) {
	h := card.Header
	v.ok = "none that keeps clients or caches from the card"
	if listed(h, "Vary", "*") || listed(h, "Vary", "cookie") || listed(h, "Vary", "user-agent") {
		v.warn("Vary: "+orNone(join(h, "Vary")), "leave that out of Vary: caches keep one card per client, or none")
	}
	if h.Get("Set-Cookie") != "" {
		v.warn("Set-Cookie", "send no cookie with the card: shared caches do not keep such an answer")
	}
	if !strings.EqualFold(h.Get("X-Content-Type-Options"), "nosniff") {
		v.warn("X-Content-Type-Options: "+orNone(h.Get("X-Content-Type-Options")), "send X-Content-Type-Options: nosniff")
	}
	return v
}

// exposed checks that a host has nothing at a path without a file, and keeps what is for
// servers to itself.
func (r *run) exposed(ctx context.Context, card *response) (v verdict) {
	v.ok = "404 or the like for what is not to be served"
	for _, c := range []struct{ file, hint string }{
		{
			path.Join(path.Dir(card.URL.Path), "cardwright-probe-no-such-file.json"),
			"answer paths without a file with 404: clients take any 200 for a card",
		},
		{card.URL.Path + site.ETagSuffix, "serve no sidecars: they are for the server"},
		{card.URL.Path + site.ChecksumSuffix, "serve no sidecars: they are for the server"},
		{path.Join(dirOf(card.URL), site.ManifestName), "do not serve the manifest: it is for cardwright"},
	} {
		resp := r.client.again(ctx, &v, http.MethodGet, at(card.URL, c.file))
		if resp == nil {
			return v
		}
		if resp.Status/100 == 2 {
			v.warn(fmt.Sprintf("%d for %s", resp.Status, path.Base(c.file)), c.hint)
			return v
		}
	}
	return v
}
