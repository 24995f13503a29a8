package probe

import (
	"crypto/tls"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"cardwright/internal/client"
	"cardwright/internal/diag"
)

const (
	slow     = 2 * time.Second
	expiring = 14 * 24 * time.Hour
)

// connection checks TLS, the certificate and redirects.
func (r *run) connection(card *client.Response) {
	switch {
	case card.TLS != nil:
		r.pass("tls", tls.VersionName(card.TLS.Version))
	case client.Loopback(card.URL.Hostname()):
		r.pass("tls", "none, which is fine on this machine")
	default:
		r.fail("tls", "the card is served over plain http", "serve it over https: anyone on the network can change it")
	}
	if card.TLS != nil && r.Now != nil {
		until := card.TLS.PeerCertificates[0].NotAfter
		r.advise("certificate", until.Sub(r.Now()) > expiring, "valid until "+until.UTC().Format(time.DateOnly),
			"renew the certificate")
	}
	detail := "none"
	if n := len(card.Redirects); n > 0 {
		detail = fmt.Sprintf("%d, to %s", n, diag.Quote(card.URL.Redacted()))
	}
	r.advise("redirects", len(card.Redirects) == 0, detail,
		"serve the card at the well-known URL itself: some clients do not follow redirects")
}

// document checks the response, and tells whether its body is worth reading.
func (r *run) document(card *client.Response) bool {
	r.require("status", card.Status == http.StatusOK, strconv.Itoa(card.Status), statusHint(card.Status))
	if card.Status != http.StatusOK {
		return false
	}
	r.headers(card)
	if encoding := card.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		r.fail("encoding", diag.Quote(encoding)+", which was not requested",
			"send the file uncompressed unless Accept-Encoding allows "+diag.Quote(encoding))
		return false
	}
	r.contentType("content-type", card, "application/json")
	size := fmt.Sprintf("%d bytes", len(card.Body))
	if card.TooLarge {
		size = "more than " + size
	}
	r.require("size", !card.TooLarge, size, "many clients stop at 4 MiB: publish fewer skills per agent")
	if r.Now != nil {
		r.advise("time", card.Took < slow, card.Took.Round(time.Millisecond).String(),
			"serve the card from memory or a CDN: clients wait for it before they do anything else")
	}
	return !card.TooLarge
}

func statusHint(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "serve the card without credentials; a rule against dotfiles also matches /.well-known/"
	case http.StatusNotFound:
		return "deploy .well-known, which many tools leave out as hidden, and check the web root"
	case http.StatusMisdirectedRequest:
		return "the server has no site for this host: check server_name or its equivalent"
	}
	return "serve the card at this URL"
}

func (r *run) contentType(name string, resp *client.Response, want string) {
	got := resp.Header.Get("Content-Type")
	r.require(name, isType(got, want), orNone(got), "send Content-Type: "+want)
}

// isType tells whether a content type is the wanted one, in UTF-8.
func isType(got, want string) bool {
	media, parameters, err := mime.ParseMediaType(got)
	charset, named := parameters["charset"]
	return err == nil && media == want && (!named || strings.EqualFold(charset, "utf-8"))
}

// headers checks that no header that may occur once is sent twice: clients
// would use either.
func (r *run) headers(card *client.Response) {
	var twice []string
	for _, name := range []string{"Content-Type", "ETag"} {
		if values := card.Header.Values(name); len(values) > 1 {
			twice = append(twice, fmt.Sprintf("%s %d times: %s", name, len(values), diag.Quote(strings.Join(values, " and "))))
		}
	}
	detail := "none"
	if twice != nil {
		detail = strings.Join(twice, ", ")
	}
	r.require("duplicate-headers", twice == nil, detail,
		"set each header in one place: the server or the proxy in front of it")
}
