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
	"slices"
	"strconv"
	"strings"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/site"
)

const (
	slow     = 2 * time.Second
	expiring = 14 * 24 * time.Hour
	slowHint = "serve the card from memory or a CDN: clients wait for it before they do anything else"
)

// tls checks the transport and the certificate.
func (r *run) tls(_ context.Context, card *response) (v verdict) {
	host := card.URL.Hostname()
	switch {
	case card.TLS != nil:
		v.ok = tls.VersionName(card.TLS.Version)
	case loopback(host) || loopback(r.Resolve[strings.ToLower(host)]):
		v.ok = "none, which is fine on this machine"
	default:
		v.fail("the card is served over plain http", "serve it over https: anyone on the network can change it")
	}
	if card.TLS != nil && r.Now != nil {
		until := card.TLS.PeerCertificates[0].NotAfter
		if until.Sub(r.Now()) <= expiring {
			v.warn("the certificate is valid until "+until.UTC().Format(time.DateOnly), "renew the certificate")
		}
	}
	return v
}

func (r *run) redirects(context.Context, *response) (v verdict) {
	v.ok = "none"
	if n := len(r.asked.Redirects); n > 0 {
		v.warn(fmt.Sprintf("%d, to %s", n, diag.Quote(r.asked.URL.Redacted())),
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
	switch resp.Status {
	case http.StatusOK:
		return "serve the card at this URL without a login, and not the page that other paths get"
	case http.StatusTooManyRequests:
		hint := "exempt the card from the limit of requests"
		if after := resp.Header.Get("Retry-After"); after != "" {
			hint += "; try again after " + diag.Quote(after)
		}
		return hint
	case http.StatusForbidden:
		return "allow everybody to read /.well-known/: a rule against dotfiles matches it, and " +
			"Apache needs Require all granted"
	case http.StatusUnauthorized:
		return "serve the card without credentials; a rule against dotfiles also matches /.well-known/"
	case http.StatusNotFound:
		return "deploy .well-known, which many tools leave out as hidden, and check the web root"
	case http.StatusMisdirectedRequest:
		return "add a site for this host to the server: check server_name or its equivalent"
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return "start the server behind the proxy, and serve the card as a file, so that it does not depend on the agent"
	}
	return "serve the card at this URL"
}

func (r *run) contentType(_ context.Context, card *response) (v verdict) {
	got := card.Header.Get("Content-Type")
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

// headers checks that no header keeps clients or caches from the card, or contradicts it.
func (r *run) headers(_ context.Context, card *response) (v verdict) {
	h := card.Header
	configured := func(name string) bool {
		return slices.ContainsFunc(r.expected(card.URL.Path), func(f hosting.Header) bool { return f.Name == name })
	}
	got := func(name string) string { return name + ": " + orNone(join(h, name)) }
	for _, name := range []string{"Content-Type", "ETag", "Content-Length", "Age"} {
		if values := h.Values(name); len(values) > 1 {
			v.fail(fmt.Sprintf("%s %d times: %s", name, len(values), diag.Quote(strings.Join(values, " and "))),
				"set each header in one place: the server or the proxy in front of it")
		}
	}
	age, err := strconv.Atoi(h.Get("Age"))
	most := seconds(directives(join(h, "Cache-Control"))["max-age"])
	for _, f := range []struct {
		wrong        bool
		detail, hint string
	}{
		{
			listed(h, "Vary", "*") || listed(h, "Vary", "cookie") || listed(h, "Vary", "user-agent"),
			got("Vary"), "leave that out of Vary: caches keep one card per client, or none",
		},
		{
			h.Get("Set-Cookie") != "", "Set-Cookie",
			"send no cookie with the card: shared caches do not keep such an answer",
		},
		{
			h.Get("Content-Disposition") != "", got("Content-Disposition"),
			"leave it out: the card is read, not saved",
		},
		{
			!strings.EqualFold(h.Get("X-Content-Type-Options"), "nosniff"), got("X-Content-Type-Options"),
			"send X-Content-Type-Options: nosniff",
		},
		{
			h.Get("Deprecation") != "" && !configured("Deprecation"), got("Deprecation"),
			"send Deprecation with agent.json only",
		},
		{h.Get("Sunset") != "" && !configured("Sunset"), got("Sunset"), "send Sunset with agent.json only"},
		{
			err == nil && most > 0 && age > most, "Age " + strconv.Itoa(age) + ", longer than max-age",
			"purge the CDN, and let it ask the server again",
		},
	} {
		if f.wrong {
			v.warn(f.detail, f.hint)
		}
	}
	v.ok = "none that keeps clients or caches from the card"
	return v
}

// methods checks HEAD and POST.
func (r *run) methods(ctx context.Context, card *response) (v verdict) {
	if head := r.ask(ctx, &v, http.MethodHead, card.URL); head != nil {
		length, same := head.Header.Get("Content-Length"), true
		for _, name := range []string{"Content-Type", "ETag"} {
			same = same && head.Header.Get(name) == card.Header.Get(name)
		}
		switch {
		case head.Status != http.StatusOK:
			v.fail("HEAD: "+strconv.Itoa(head.Status), "answer HEAD with the same headers as GET")
		case !same || length != "" && length != strconv.Itoa(len(card.Body)):
			v.fail("HEAD: 200, but not the headers of GET", "answer HEAD with the same headers as GET")
		}
	}
	if post := r.ask(ctx, &v, http.MethodPost, card.URL); post != nil {
		// Apache sends two lines, of which one may be empty.
		allow := strings.Join(post.Header.Values("Allow"), "")
		const hint = "answer other methods with 405 and Allow: " + hosting.Methods
		switch post.Status {
		case http.StatusForbidden, http.StatusNotFound, http.StatusNotImplemented: // stores and CDNs
		case http.StatusMethodNotAllowed:
			if allow == "" {
				v.warn("POST: 405 without Allow", hint)
			}
		default:
			v.warn("POST: "+strconv.Itoa(post.Status), hint)
		}
	}
	v.ok = "HEAD is answered, POST is refused"
	return v
}

// exposed checks that a host has nothing at a path without a file, and keeps what is for
// servers to itself.
func (r *run) exposed(ctx context.Context, card *response) (v verdict) {
	const sidecar = "serve no sidecars: they are for the server"
	name := path.Base(card.URL.Path)
	for _, c := range []struct{ file, hint string }{
		{
			path.Join(path.Dir(card.URL.Path), "cardwright-probe-no-such-file.json"),
			"answer paths without a file with 404: clients take any 200 for a card",
		},
		{path.Join(path.Dir(card.URL.Path), name+site.ETagSuffix), sidecar},
		{path.Join(path.Dir(card.URL.Path), name+site.ChecksumSuffix), sidecar},
		{path.Join(dirOf(card.URL), site.ManifestName), "do not serve the manifest: it is for cardwright"},
	} {
		resp := r.ask(ctx, &v, http.MethodGet, at(card.URL, c.file))
		if resp == nil {
			return v
		}
		if resp.Status >= 200 && resp.Status <= 299 {
			v.warn(fmt.Sprintf("%d for %s", resp.Status, path.Base(c.file)), c.hint)
			return v
		}
		if policy := join(resp.Header, "Cache-Control"); seconds(directives(policy)["max-age"]) > 24*3600 {
			v.warn(fmt.Sprintf("%d with Cache-Control: %s", resp.Status, diag.Quote(policy)),
				"let no cache keep a 404: a card that comes later is not found")
			return v
		}
	}
	v.ok = "404 or the like for what is not to be served"
	return v
}

func (r *run) time(_ context.Context, card *response) (v verdict) {
	switch took := card.Took.Round(time.Millisecond).String(); {
	case r.Now == nil:
	case card.Took < slow:
		v.ok = took
	default:
		v.warn(took, slowHint)
	}
	return v
}
