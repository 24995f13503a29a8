package probe

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

const (
	slow     = 2 * time.Second
	expiring = 14 * 24 * time.Hour
	slowHint = "serve the card from memory or a CDN: clients wait for it before they do anything else"
)

// connection checks TLS, the certificate and redirects.
func (r *run) connection(card *response) {
	switch {
	case card.TLS != nil:
		r.pass(diag.ProbeTLS, tls.VersionName(card.TLS.Version))
	case loopback(card.URL.Hostname()) || loopback(r.Resolve[strings.ToLower(card.URL.Hostname())]):
		r.pass(diag.ProbeTLS, "none, which is fine on this machine")
	default:
		r.fail(diag.ProbeTLS, "the card is served over plain http",
			"serve it over https: anyone on the network can change it")
	}
	if card.TLS != nil && r.Now != nil {
		until := card.TLS.PeerCertificates[0].NotAfter
		r.advise(diag.ProbeCertificate, until.Sub(r.Now()) > expiring, "valid until "+until.UTC().Format(time.DateOnly),
			"renew the certificate")
	}
	detail := "none"
	if n := len(card.Redirects); n > 0 {
		detail = fmt.Sprintf("%d, to %s", n, diag.Quote(card.URL.Redacted()))
	}
	r.advise(diag.ProbeRedirects, len(card.Redirects) == 0, detail,
		"serve the card at the well-known URL itself: some clients do not follow redirects")
}

// response checks the response, and reports whether its body is worth reading.
func (r *run) response(card *response) bool {
	hint := statusHint(card)
	if dirs := r.agents(); card.Status == http.StatusNotFound && dirs != nil {
		hint = "probe one of the agents of the tree, below this URL: " + strings.Join(dirs, ", ")
	}
	r.require(diag.ProbeStatus, card.Status == http.StatusOK, strconv.Itoa(card.Status), hint)
	if card.Status != http.StatusOK {
		return false
	}
	r.headers(card)
	r.fields(card)
	if encoding := card.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		r.fail(diag.ProbeEncoding, diag.Quote(encoding)+", which was not requested",
			"send the file uncompressed unless Accept-Encoding allows "+diag.Quote(encoding))
		return false
	}
	r.contentType(card)
	size := fmt.Sprintf("%d bytes", len(card.Body))
	if card.TooLarge {
		size = "more than " + size
	}
	r.require(diag.ProbeSize, !card.TooLarge, size, "many clients stop at 4 MiB: publish fewer skills per agent")
	if r.Now != nil {
		r.advise(diag.ProbeTime, card.Took < slow, card.Took.Round(time.Millisecond).String(), slowHint)
	}
	return !card.TooLarge
}

func statusHint(card *response) string {
	switch card.Status {
	case http.StatusTooManyRequests:
		if after := card.Header.Get("Retry-After"); after != "" {
			return "the host limits requests: try again after " + diag.Quote(after) + ", and exempt the card from the limit"
		}
		return "the host limits requests: exempt the card from the limit"
	case http.StatusForbidden:
		if card.Header.Get("Cf-Mitigated") != "" {
			return "a challenge of the CDN stands in front of the card, which programs cannot pass: exempt /.well-known/"
		}
		return "allow everybody to read /.well-known/: a rule against dotfiles matches it, and " +
			"Apache needs Require all granted"
	case http.StatusUnauthorized:
		return "serve the card without credentials; a rule against dotfiles also matches /.well-known/"
	case http.StatusNotFound:
		return "deploy .well-known, which many tools leave out as hidden, and check the web root"
	case http.StatusMisdirectedRequest:
		return "the server has no site for this host: check server_name or its equivalent"
	}
	return "serve the card at this URL"
}

func (r *run) contentType(card *response) {
	got := card.Header.Get("Content-Type")
	if isPage(card) {
		r.fail(diag.ProbeContentType, orNone(got)+", and the body is a page",
			"serve the card at this URL without a login, and not the page that other paths get")
		return
	}
	r.require(diag.ProbeContentType, isType(got, "application/json"), orNone(got), "send Content-Type: application/json")
}

// isType reports whether a content type is the wanted one, in UTF-8.
func isType(got, want string) bool {
	media, parameters, err := mime.ParseMediaType(got)
	charset, named := parameters["charset"]
	return err == nil && media == want && (!named || strings.EqualFold(charset, "utf-8"))
}

// mostAgents is how many agents of a tree are named.
const mostAgents = 10

// agents are the directories of the agents of a tree that has no card at its root.
func (r *run) agents() []string {
	var dirs []string
	for _, p := range site.ManifestIn(r.read).Files {
		switch dir, ok := strings.CutSuffix(p, "/"+site.CardPath); {
		case p == site.CardPath:
			return nil
		case ok && len(dirs) == mostAgents:
			return append(dirs, "and others")
		case ok:
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// fields checks that a card has no header which keeps clients or caches from it, or
// says something else than what it is.
func (r *run) fields(card *response) {
	h := card.Header
	configured := func(name string) bool {
		return slices.ContainsFunc(r.expected(card.URL.Path), func(f hosting.Header) bool { return f.Name == name })
	}
	got := func(name string) string { return name + ": " + orNone(join(h.Values(name))) }
	var detail, hint string
	age, err := strconv.Atoi(h.Get("Age"))
	most, limited := strconv.Atoi(directives(join(h.Values("Cache-Control")))["max-age"])
	switch {
	case h.Get("Set-Cookie") != "":
		detail, hint = "Set-Cookie", "send no cookie with the card: shared caches do not keep such an answer"
	case listed(h, "Vary", "*"), listed(h, "Vary", "cookie"), listed(h, "Vary", "user-agent"):
		detail, hint = got("Vary"), "leave that out of Vary: caches keep one card per client, or none"
	case h.Get("Content-Disposition") != "":
		detail, hint = got("Content-Disposition"), "leave it out: the card is read, not saved"
	case !strings.EqualFold(h.Get("X-Content-Type-Options"), "nosniff"):
		detail, hint = got("X-Content-Type-Options"), "send X-Content-Type-Options: nosniff"
	case h.Get("Deprecation") != "" && !configured("Deprecation"):
		detail, hint = got("Deprecation"), "send Deprecation with agent.json only"
	case h.Get("Sunset") != "" && !configured("Sunset"):
		detail, hint = got("Sunset"), "send Sunset with agent.json only"
	case err == nil && limited == nil && most > 0 && age > most:
		detail, hint = "Age "+strconv.Itoa(age)+", longer than max-age", "purge the CDN, and let it ask the server again"
	}
	r.advise(diag.ProbeHeaders, detail == "", cmp.Or(detail, "none that keeps clients or caches from the card"), hint)
}

// exposed checks that a host has nothing at a path without a file, and keeps what is
// there for servers only.
func (r *run) exposed(ctx context.Context, card *response) {
	const sidecar = "serve no sidecars: they are for the server"
	name := path.Base(card.URL.Path)
	dir := strings.TrimSuffix(path.Dir(card.URL.Path), "/.well-known")
	for _, c := range []struct {
		u    *url.URL
		hint string
	}{
		{
			beside(card.URL, "cardwright-probe-no-such-file.json"),
			"answer paths without a file with 404: clients take any 200 for a card",
		},
		{beside(card.URL, name+site.ETagSuffix), sidecar},
		{beside(card.URL, name+site.ChecksumSuffix), sidecar},
		{at(card.URL, path.Join("/", dir, site.ManifestName)), "do not serve the manifest: it is for cardwright"},
	} {
		resp := r.ask(ctx, diag.ProbeExposed, http.MethodGet, c.u)
		if resp == nil {
			return
		}
		if resp.Status >= 200 && resp.Status <= 299 {
			r.advise(diag.ProbeExposed, false, fmt.Sprintf("%d for %s", resp.Status, path.Base(c.u.Path)), c.hint)
			return
		}
		if policy := join(resp.Header.Values("Cache-Control")); seconds(directives(policy)["max-age"]) > 24*3600 {
			r.advise(diag.ProbeExposed, false, fmt.Sprintf("%d with Cache-Control: %s", resp.Status, diag.Quote(policy)),
				"let nobody keep a 404: a card that comes later is not found")
			return
		}
	}
	r.pass(diag.ProbeExposed, "404 or the like for what is not to be served")
}

// headers checks that no header that may occur once is sent twice: clients
// would use either.
func (r *run) headers(card *response) {
	var twice []string
	for _, name := range []string{"Content-Type", "ETag", "Access-Control-Allow-Origin", "Content-Length", "Age"} {
		if values := card.Header.Values(name); len(values) > 1 {
			twice = append(twice, fmt.Sprintf("%s %d times: %s", name, len(values), diag.Quote(strings.Join(values, " and "))))
		}
	}
	detail := "none"
	if twice != nil {
		detail = strings.Join(twice, ", ")
	}
	r.require(diag.ProbeDuplicateHeaders, twice == nil, detail,
		"set each header in one place: the server or the proxy in front of it")
}

// elsewhere looks for a card that clients would not find: at the path of A2A before 0.3,
// and at the origin of the host. It reports where the first one is.
func (r *run) elsewhere(ctx context.Context, asked *response) bool {
	if !slices.Contains([]int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed,
	}, asked.Status) {
		return false
	}
	dir, _, _ := strings.Cut(asked.URL.Path, "/.well-known/")
	for _, name := range []string{
		path.Join("/", dir, site.LegacyCardPath), "/" + site.CardPath, "/" + site.LegacyCardPath,
	} {
		u := at(asked.URL, name)
		if u.Path == asked.URL.Path {
			continue
		}
		resp, err := r.client.ask(ctx, http.MethodGet, u)
		if err != nil || resp.Status != http.StatusOK {
			continue
		}
		if root, _ := source.ParseJSON("", resp.Body); site.KindOf(root) == site.Card {
			r.fail(diag.ProbeStatus, fmt.Sprintf("%d, but there is a card at %s", asked.Status, diag.Quote(resp.URL.String())),
				"give clients that URL, or serve the card at the one that you give them")
			return true
		}
	}
	return false
}
