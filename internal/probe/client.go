package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/site"
)

// The limits of a run and of its requests.
const (
	totalTime    = time.Minute
	requestTime  = 10 * time.Second
	headerBytes  = 64 << 10
	maxBody      = 4 << 20 // bytes of a response that are read
	maxRedirects = 5
)

// client sends requests to hosts that are not trusted.
type client struct {
	http http.Client
	sent *atomic.Int64 // counts the requests, unless nil
}

// response is what came back, with at most [maxBody] bytes of the body.
type response struct {
	URL       *url.URL // after redirects
	Redirects int      // that led there
	Proto     string
	Status    int
	Header    http.Header
	Body      []byte
	TooLarge  bool // the body goes on
	TLS       *tls.ConnectionState
}

// newClient returns a client that may call one host:port, which the user named, at private
// addresses, and keeps so many connections for further requests.
func newClient(o Options, named string, reuse int) *client {
	g := &guard{named: named, resolve: o.Resolve, public: map[string]bool{}}
	return &client{sent: o.Sent, http: http.Client{
		Timeout: requestTime, CheckRedirect: checkRedirect,
		Transport: &http.Transport{
			DialContext:            g.dial,
			TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    requestTime,
			MaxResponseHeaderBytes: headerBytes,
			ForceAttemptHTTP2:      true,
			// A connection of its own for each request may reach another replica.
			DisableKeepAlives:   reuse == 0,
			MaxIdleConnsPerHost: reuse,
			IdleConnTimeout:     requestTime,
			DisableCompression:  true,
		},
	}}
}

// refusal is why a redirect was not followed, or why a response is of no use.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

func checkRedirect(r *http.Request, via []*http.Request) error {
	from := via[len(via)-1].URL
	switch {
	case len(via) > maxRedirects:
		return &refusal{fmt.Sprintf("there are more than %d redirects", maxRedirects)}
	case r.URL.Scheme != "http" && r.URL.Scheme != "https":
		return &refusal{"a redirect leads to a URL that is not http or https"}
	case from.Scheme == "https" && r.URL.Scheme == "http":
		return &refusal{"a redirect leads from https to http"}
	case r.URL.User != nil:
		return &refusal{"a redirect leads to a URL with credentials"}
	}
	return nil
}

// ask sends a request as a browser does, and follows redirects. The header pairs are names
// and values in turn; an empty value leaves the header out. [explain] says in words what an
// error means.
func (c *client) ask(ctx context.Context, method string, target *url.URL, header ...string) (*response, error) {
	req, err := http.NewRequestWithContext(ctx, method, target.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "cardwright-probe")
	req.Header.Set("Origin", origin)
	for i := 0; i+1 < len(header); i += 2 {
		if req.Header.Set(header[i], header[i+1]); header[i+1] == "" {
			req.Header.Del(header[i])
		}
	}
	if c.sent != nil {
		c.sent.Add(1)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking %s: %w", target.Host, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &refusal{fmt.Sprintf("the body ends too early, after %d bytes", len(body))}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the response of %s: %w", target.Host, err)
	}
	r := &response{
		URL: resp.Request.URL, Proto: resp.Proto, Status: resp.StatusCode, Header: resp.Header,
		Body: body[:min(len(body), maxBody)], TooLarge: len(body) > maxBody, TLS: resp.TLS,
	}
	for before := resp.Request.Response; before != nil; before = before.Request.Response {
		r.Redirects++
	}
	return r, nil
}

// again sends another request to a host that has answered. If it no longer does, it adds a
// fault and returns nil.
func (c *client) again(ctx context.Context, v *verdict, method string, target *url.URL, header ...string) *response {
	resp, err := c.ask(ctx, method, target, header...)
	if err != nil {
		v.fail(explain(err), "the host answered an earlier request: try again")
		return nil
	}
	return resp
}

// hostURL reads a URL that a user typed: http or https, without credentials.
func hostURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%s is not a web URL, write https://HOST/…", diag.Quote(text))
	case u.User != nil:
		return nil, errors.New("the URL holds credentials, which are never sent")
	}
	u.Host, u.Fragment = strings.ToLower(u.Host), ""
	return u, nil
}

// cardURL reads the URL of a card. The URL of an agent, a site or a list of a site means
// the card below /.well-known.
func cardURL(text string) (*url.URL, error) {
	u, err := hostURL(text)
	if err != nil {
		return nil, err
	}
	for _, list := range []string{site.CatalogPath, site.SkillsDir + "/" + site.SkillsIndexName, site.KeySetPath} {
		u.Path = strings.TrimSuffix(u.Path, list)
	}
	if !strings.HasSuffix(u.Path, ".json") {
		u = u.JoinPath(site.CardPath)
	}
	return u, nil
}
