//go:build !js

package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// The limits of a request, unless [Options] sets others.
const (
	requestTime  = 10 * time.Second
	headerBytes  = 64 << 10
	maxRedirects = 5
	// MaxBody is how many bytes of a response are read.
	MaxBody = 4 << 20
	// TotalTime is how long one run may take.
	TotalTime = time.Minute
)

// Options says which hosts a client may call, and limits their answers.
type Options struct {
	// Named are the hosts that the user named, as host:port or as host for all of
	// its ports. Only these may be at private addresses.
	Named   []string
	Header  http.Header       // sent with every request
	Now     func() time.Time  // for response times
	Roots   *x509.CertPool    // nil: those of the system
	Resolve map[string]string // addresses of hosts, as host or host:port, in place of what DNS says
	Timeout time.Duration     // of one request, 10 seconds when zero
	MaxBody int               // bytes, [MaxBody] when zero
	HTTP2   bool              // HTTP/2 only, without TLS too
	Sent    *atomic.Int64     // counts the requests, unless nil
	// Certificate is shown to hosts that ask for one, nil for none.
	Certificate *tls.Certificate
	Dial        Dialer // nil: the network, with the guard of private addresses
	Reuse       int    // connections to a host that are kept for further requests
}

// Dialer connects to a host.
type Dialer func(ctx context.Context, network, address string) (net.Conn, error)

// Client sends requests. Each one has a connection of its own, unless [Options] has some reused.
type Client struct {
	http    http.Client
	header  http.Header
	now     func() time.Time
	maxBody int
	sent    *atomic.Int64
	http2   bool
}

// Request is what is asked. No redirect is followed unless Follow says so.
type Request struct {
	Method string
	URL    *url.URL
	Header http.Header
	Body   []byte
	Follow bool
	// Enough ends a body early: it reports whether the bytes so far suffice.
	// Without it the body is read to its end.
	Enough func(body []byte) bool
}

// Response is what came back, the body as far as it was read.
type Response struct {
	URL       *url.URL // after redirects
	Redirects []string // URLs that led there
	Status    int
	Header    http.Header
	Trailer   http.Header
	Body      []byte
	TooLarge  bool // the body goes on
	// Cut is why a body broke off that Enough was to end, nil where it did not. What
	// came until then is in Body.
	Cut  error
	TLS  *tls.ConnectionState
	Took time.Duration // zero without a clock
}

// New returns a client.
func New(o Options) *Client {
	g := guard{named: o.Named, resolve: o.Resolve, network: o.Dial, public: map[string]bool{}}
	c := &Client{now: o.Now, header: o.Header, maxBody: o.MaxBody, sent: o.Sent, http2: o.HTTP2}
	if c.sent == nil {
		c.sent = new(atomic.Int64)
	}
	if c.maxBody == 0 {
		c.maxBody = MaxBody
	}
	timeout := o.Timeout
	if timeout == 0 {
		timeout = requestTime
	}
	transport := &http.Transport{
		DialContext:            g.dial,
		TLSClientConfig:        tlsConfig(o),
		TLSHandshakeTimeout:    timeout,
		MaxResponseHeaderBytes: headerBytes,
		ForceAttemptHTTP2:      true,
		// A connection of its own for each request may reach another replica.
		DisableKeepAlives:   o.Reuse == 0,
		MaxIdleConnsPerHost: o.Reuse,
		IdleConnTimeout:     timeout,
		DisableCompression:  true,
	}
	if o.HTTP2 {
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetHTTP2(true)
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	c.http = http.Client{Timeout: timeout, CheckRedirect: checkRedirect, Transport: transport}
	return c
}

func tlsConfig(o Options) *tls.Config {
	c := &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12}
	if o.Certificate != nil {
		c.Certificates = []tls.Certificate{*o.Certificate}
	}
	return c
}

// following is the key of a request's context: whether it follows redirects.
type following struct{}

func checkRedirect(r *http.Request, via []*http.Request) error {
	if r.Context().Value(following{}) == nil {
		return http.ErrUseLastResponse
	}
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

// Ask sends a request without a body and follows redirects. The header pairs are
// names and values in turn.
func (c *Client) Ask(ctx context.Context, method string, target *url.URL, header ...string) (*Response, error) {
	h := http.Header{}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return c.Do(ctx, Request{Method: method, URL: target, Header: h, Follow: true})
}

// Do sends one request and reads the response. [Explain] says in words what an
// error means.
func (c *Client) Do(ctx context.Context, q Request) (*Response, error) {
	if q.Follow {
		ctx = context.WithValue(ctx, following{}, true)
	}
	said := &begun{}
	ctx = context.WithValue(ctx, beginning{}, said)
	req, err := http.NewRequestWithContext(ctx, q.Method, q.URL.String(), bytes.NewReader(q.Body))
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Accept-Encoding", "identity")
	for _, set := range []http.Header{c.header, q.Header} {
		maps.Copy(req.Header, set)
	}
	c.sent.Add(1)
	started := c.time()
	resp, err := c.http.Do(req)
	if stranger := said.stranger(c.http2); err != nil && stranger != "" {
		return nil, &refusal{stranger}
	}
	if err != nil {
		return nil, fmt.Errorf("asking %s: %w", q.URL.Host, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := c.read(resp.Body, q.Enough)
	var cut error
	if q.Enough != nil && len(body) > 0 {
		cut, err = err, nil
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &refusal{shortBody(len(body), resp.ContentLength)}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the response of %s: %w", q.URL.Host, err)
	}
	r := &Response{
		URL: resp.Request.URL, Status: resp.StatusCode, Header: resp.Header, Trailer: resp.Trailer,
		Body: body[:min(len(body), c.maxBody)], TooLarge: len(body) > c.maxBody,
		TLS: resp.TLS, Took: c.time().Sub(started), Cut: cut,
	}
	for before := resp.Request.Response; before != nil; before = before.Request.Response {
		r.Redirects = append([]string{before.Request.URL.Redacted()}, r.Redirects...)
	}
	return r, nil
}

// shortBody describes a body that ended too early; the length is negative when
// it is unknown.
func shortBody(came int, length int64) string {
	if length < 0 {
		return fmt.Sprintf("the body ends too early, after %d bytes", came)
	}
	return fmt.Sprintf("the body ends too early, after %d of %d bytes", came, length)
}

// read reads a body to its end, to one byte more than may be, or until it is
// enough.
func (c *Client) read(body io.Reader, enough func([]byte) bool) ([]byte, error) {
	body = io.LimitReader(body, int64(c.maxBody)+1)
	if enough == nil {
		return io.ReadAll(body)
	}
	var read []byte
	chunk := make([]byte, 4096)
	for {
		n, err := body.Read(chunk)
		read = append(read, chunk[:n]...)
		switch {
		case errors.Is(err, io.EOF), n > 0 && enough(read):
			return read, nil
		case err != nil:
			return read, err
		}
	}
}

func (c *Client) time() time.Time {
	if c.now == nil {
		return time.Time{}
	}
	return c.now()
}

// HostURL reads a URL that somebody typed: http or https, without credentials.
func HostURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%s is not a web URL, write https://HOST/…", diag.Quote(text))
	case u.User != nil:
		return nil, errors.New("the URL holds credentials, which are never sent")
	}
	u.Fragment = ""
	return u, nil
}

// CardURL reads the URL of a card, or that of the agent whose card is below
// /.well-known.
func CardURL(text string) (*url.URL, error) {
	u, err := HostURL(text)
	if err != nil {
		return nil, err
	}
	if len(u.Path) < 5 || u.Path[len(u.Path)-5:] != ".json" {
		u = u.JoinPath(tree.CardPath)
	}
	return u, nil
}

// beginning is the key of a request's context for what the host says first.
type beginning struct{}

// begun keeps the first bytes that a host sends, to describe a host that is not
// a web server.
type begun struct {
	mu   sync.Mutex
	said []byte
}

// mostBegun is how many bytes are kept.
const mostBegun = 64

func (b *begun) add(p []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.said = append(b.said, p[:min(len(p), mostBegun-len(b.said))]...)
}

// stranger describes a host that does not speak the HTTP that it was asked in, "" for
// any other.
func (b *begun) stranger(http2 bool) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	line, _, _ := strings.Cut(string(b.said), "\n")
	line = strings.TrimRight(line, "\r")
	binary := strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' })
	switch {
	case http2 && strings.HasPrefix(line, "HTTP/1"):
		return "the host speaks HTTP/1.1, but HTTP/2 is needed"
	case line == "" || binary || strings.HasPrefix(line, "HTTP/"):
		return ""
	}
	return "the host does not speak HTTP; its answer begins with " + diag.Quote(line)
}

// tapped is a connection whose beginning is kept.
type tapped struct {
	net.Conn
	begun *begun
}

// Read implements [net.Conn].
func (t *tapped) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	t.begun.add(p[:n])
	return n, err
}
