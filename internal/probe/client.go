package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"cardwright/internal/diag"
)

// What a host may use up.
const (
	requestTime  = 10 * time.Second
	totalTime    = time.Minute
	headerBytes  = 64 << 10
	maxRedirects = 5
	// MaxBody is how many bytes of a response are read.
	MaxBody = 4 << 20
)

// origin is what a browser would name as the page that asks.
const origin = "https://client.example"

// client sends the requests of one probe.
type client struct {
	http http.Client
	now  func() time.Time
}

// response is what came back, the body as far as it is read.
type response struct {
	url       *url.URL // after redirects
	redirects []string // URLs that led there
	status    int
	header    http.Header
	body      []byte
	tooLarge  bool // the body goes on
	tls       *tls.ConnectionState
	took      time.Duration // zero without a clock
}

func newClient(target *url.URL, o Options) *client {
	g := guard{typed: net.JoinHostPort(target.Hostname(), port(target))}
	return &client{
		now: o.Now,
		http: http.Client{
			Timeout:       requestTime,
			CheckRedirect: checkRedirect,
			Transport: &http.Transport{
				DialContext:            g.dial,
				TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
				TLSHandshakeTimeout:    requestTime,
				MaxResponseHeaderBytes: headerBytes,
				ForceAttemptHTTP2:      true,
				// A connection of its own for each request may reach another replica.
				DisableKeepAlives:  true,
				DisableCompression: true,
			},
		},
	}
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

func checkRedirect(r *http.Request, via []*http.Request) error {
	from := via[len(via)-1].URL
	switch {
	case len(via) > maxRedirects:
		return &refusal{fmt.Sprintf("there are more than %d redirects", maxRedirects)}
	case r.URL.Scheme != "http" && r.URL.Scheme != "https":
		return &refusal{"a redirect leads to something that is no web page"}
	case from.Scheme == "https" && r.URL.Scheme == "http":
		return &refusal{"a redirect leads from https to http"}
	case r.URL.User != nil:
		return &refusal{"a redirect carries credentials"}
	}
	return nil
}

// ask sends one request and reads the response. The header pairs are names and
// values in turn.
func (c *client) ask(ctx context.Context, method string, target *url.URL, header ...string) (*response, error) {
	req, err := http.NewRequestWithContext(ctx, method, target.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("User-Agent", "cardwright-probe")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("Origin", origin)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	started := c.time()
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking %s: %w", target.Host, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("reading the response of %s: %w", target.Host, err)
	}
	r := &response{
		url: resp.Request.URL, status: resp.StatusCode, header: resp.Header,
		body: body[:min(len(body), MaxBody)], tooLarge: len(body) > MaxBody,
		tls: resp.TLS, took: c.time().Sub(started),
	}
	for before := resp.Request.Response; before != nil; before = before.Request.Response {
		r.redirects = append([]string{before.Request.URL.Redacted()}, r.redirects...)
	}
	return r, nil
}

func (c *client) time() time.Time {
	if c.now == nil {
		return time.Time{}
	}
	return c.now()
}

// cardURL reads what the user typed: the URL of a card, or that of the agent
// it belongs to.
func cardURL(text string) (*url.URL, error) {
	u, err := hostURL(text)
	if err != nil {
		return nil, err
	}
	if !isJSON(u.Path) {
		u = u.JoinPath(".well-known", "agent-card.json")
	}
	return u, nil
}

func hostURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%s is no URL of a web host, write https://HOST/…", diag.Quote(text))
	case u.User != nil:
		return nil, errors.New("the URL holds credentials, which are never sent")
	}
	u.Fragment = ""
	return u, nil
}
