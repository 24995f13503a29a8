package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"cardwright/internal/diag"
)

// Fetch returns what the host of a URL sends for it, at most [MaxBody] bytes.
// The URL is https, or http on this machine, and so is where redirects lead.
// The error says in one sentence what went wrong, and names the URL.
func Fetch(ctx context.Context, text string) ([]byte, error) {
	u, err := hostURL(text)
	if err != nil {
		return nil, err
	}
	if !trusted(u) {
		return nil, fmt.Errorf("%s is not https, so that anybody on the way could change what it sends", diag.Quote(text))
	}
	ctx, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	resp, err := newClient(u, Options{}).ask(ctx, http.MethodGet, u)
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot fetch %s: %s", diag.Quote(text), explain(err))
	case !trusted(resp.url):
		return nil, fmt.Errorf("cannot fetch %s: a redirect leads to %s, which is not https", diag.Quote(text), diag.Quote(resp.url.Redacted()))
	case resp.status != http.StatusOK:
		return nil, fmt.Errorf("cannot fetch %s: the host answers %d", diag.Quote(text), resp.status)
	case resp.tooLarge:
		return nil, fmt.Errorf("cannot fetch %s: there are more than %d bytes", diag.Quote(text), MaxBody)
	}
	return resp.body, nil
}

// trusted tells whether nobody on the way can change what a URL stands for.
func trusted(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname())
}
