package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"cardwright/internal/diag"
)

// Fetch returns what the host of a URL sends for it, at most 4 MiB.
// The URL is https, or http on this machine, and so is where redirects lead.
// The error says in one sentence what went wrong, and names the URL.
func Fetch(ctx context.Context, text string) ([]byte, error) {
	u, err := hostURL(text)
	if err != nil {
		return nil, err
	}
	name := diag.Quote(text)
	if !trusted(u) {
		return nil, fmt.Errorf("%s is not https, so anyone on the network could change the answer", name)
	}
	ctx, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	resp, err := newClient(Options{}, authority(u), 0).ask(ctx, http.MethodGet, u, "Origin", "")
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot fetch %s: %s", name, explain(err))
	case resp.Status != http.StatusOK:
		return nil, fmt.Errorf("cannot fetch %s: the host answers %d", name, resp.Status)
	case resp.TooLarge:
		return nil, fmt.Errorf("cannot fetch %s: there are more than %d bytes", name, maxBody)
	case !trusted(resp.URL):
		return nil, fmt.Errorf("cannot fetch %s: a redirect leads to %s, which is not https", name,
			diag.Quote(resp.URL.Redacted()))
	}
	return resp.Body, nil
}

// trusted reports whether the response for a URL cannot be changed on the network.
func trusted(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname())
}
