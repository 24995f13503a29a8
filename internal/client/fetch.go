//go:build !js

package client

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
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
	if !trusted(u) {
		return nil, fmt.Errorf("%s is not https, so anyone on the network could change the answer", diag.Quote(text))
	}
	ctx, cancel := context.WithTimeout(ctx, TotalTime)
	defer cancel()
	resp, err := New(Options{Named: []string{Authority(u)}}).fetch(ctx, u)
	if err == nil && !trusted(resp.URL) {
		err = fmt.Errorf("cannot fetch %s: a redirect leads to %s, which is not https", diag.Quote(text),
			diag.Quote(resp.URL.Redacted()))
	}
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// trusted reports whether nobody on the network can change what a URL returns.
func trusted(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && Loopback(u.Hostname())
}

// Card returns the card that an agent serves at a URL that the user typed: http
// or https, wherever the host is. The error says in one sentence what went wrong.
func Card(ctx context.Context, u *url.URL, timeout time.Duration) ([]byte, error) {
	c := New(Options{Named: []string{Authority(u)}, Timeout: timeout, Header: http.Header{"User-Agent": {"cardwright"}}})
	resp, err := c.fetch(ctx, u, "A2A-Version", "1.0")
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// fetch returns the answer to a request for a document, which has to be all there.
func (c *Client) fetch(ctx context.Context, u *url.URL, header ...string) (*Response, error) {
	resp, err := c.Ask(ctx, http.MethodGet, u, header...)
	address := diag.Quote(u.String())
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot fetch %s: %s", address, Explain(err))
	case resp.Status != http.StatusOK:
		return nil, fmt.Errorf("cannot fetch %s: the host answers %d", address, resp.Status)
	case resp.TooLarge:
		return nil, fmt.Errorf("cannot fetch %s: there are more than %d bytes", address, MaxBody)
	}
	return resp, nil
}

// Media is the media type of a response without its parameters, "" for none.
func (r *Response) Media() string {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return media
}

// Challenges are the authentication schemes that a response asks for (RFC 9110, section
// 11.6.1): each is a word without =, at the start or behind a comma.
func (r *Response) Challenges() []string {
	var schemes []string
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("WWW-Authenticate"), ","), ",") {
		if words := strings.Fields(part); len(words) > 0 && !strings.Contains(words[0], "=") {
			schemes = append(schemes, words[0])
		}
	}
	return schemes
}

// Events returns the data of the events of a stream that are there to their end
// (WHATWG HTML, section 9.2.6).
func Events(body []byte) [][]byte {
	var list [][]byte
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(body))
	for event := range strings.SplitSeq(text[:strings.LastIndex(text, "\n\n")+1], "\n\n") {
		var data []string
		for line := range strings.SplitSeq(event, "\n") {
			if value, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, strings.TrimPrefix(value, " "))
			}
		}
		if len(data) > 0 {
			list = append(list, []byte(strings.Join(data, "\n")))
		}
	}
	return list
}
