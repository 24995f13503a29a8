//go:build !js

package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"cardwright/internal/diag"
)

// Fetch returns what the host of a URL sends for it, at most [MaxBody] bytes.
// The URL is https, or http on this machine, and so is where redirects lead.
// The error says in one sentence what went wrong, and names the URL.
func Fetch(ctx context.Context, text string) ([]byte, error) {
	u, err := HostURL(text)
	if err != nil {
		return nil, err
	}
	if !Trusted(u) {
		return nil, fmt.Errorf("%s is not https, so anyone on the network could change the answer", diag.Quote(text))
	}
	ctx, cancel := context.WithTimeout(ctx, TotalTime)
	defer cancel()
	resp, err := New(Options{Named: []string{Authority(u)}}).Ask(ctx, http.MethodGet, u)
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot fetch %s: %s", diag.Quote(text), Explain(err))
	case !Trusted(resp.URL):
		return nil, fmt.Errorf("cannot fetch %s: a redirect leads to %s, which is not https", diag.Quote(text),
			diag.Quote(resp.URL.Redacted()))
	case resp.Status != http.StatusOK:
		return nil, fmt.Errorf("cannot fetch %s: the host answers %d", diag.Quote(text), resp.Status)
	case resp.TooLarge:
		return nil, fmt.Errorf("cannot fetch %s: there are more than %d bytes", diag.Quote(text), MaxBody)
	}
	return resp.Body, nil
}

// Trusted reports whether nobody on the network can change what a URL returns.
func Trusted(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && Loopback(u.Hostname())
}

// Card returns the card that an agent serves at a URL that the user typed: http
// or https, wherever the host is. The error says in one sentence what went wrong.
func Card(ctx context.Context, u *url.URL, timeout time.Duration) ([]byte, error) {
	c := New(Options{Named: []string{Authority(u)}, Timeout: timeout, Header: http.Header{"User-Agent": {"cardwright"}}})
	resp, err := c.Ask(ctx, http.MethodGet, u, "A2A-Version", "1.0")
	address := diag.Quote(u.String())
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot fetch %s: %s", address, Explain(err))
	case resp.Status != http.StatusOK:
		return nil, fmt.Errorf("cannot fetch %s: the host answers %d", address, resp.Status)
	case resp.TooLarge:
		return nil, fmt.Errorf("cannot fetch %s: there are more than %d bytes", address, MaxBody)
	}
	return resp.Body, nil
}
