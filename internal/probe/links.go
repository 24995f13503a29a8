package probe

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// Link is a URL in a card, with the kind of document that it must lead to.
type Link struct {
	Kind LinkKind
	URL  string
}

// LinkKind says what a link must lead to.
type LinkKind uint8

// The kinds of links.
const (
	Documentation LinkKind = iota // a page for people
	Metadata                      // a JSON object about an authorization server
	Token                         // an endpoint that takes POST
)

// mostLinks is how many links of a card are fetched: a card may list thousands.
const mostLinks = 32

// links fetches each link of the card once.
func (r *run) links(ctx context.Context, card *client.Response) {
	if r.Links == nil {
		return
	}
	seen := map[Link]bool{}
	for _, l := range r.Links(card.Body) {
		if seen[l] {
			continue
		}
		if len(seen) == mostLinks {
			r.advise("links", false, fmt.Sprintf("the card has more than %d links; only the first are fetched", mostLinks),
				"check the others by hand")
			return
		}
		seen[l] = true
		r.link(ctx, l)
	}
}

// link fetches one link, once and without credentials.
func (r *run) link(ctx context.Context, l Link) {
	status, resp := "not a web URL", &client.Response{}
	if u, err := client.HostURL(l.URL); err == nil {
		answer, err := r.client.Ask(ctx, http.MethodGet, u, "Accept", "*/*")
		if err == nil {
			status, resp = strconv.Itoa(answer.Status), answer
		} else {
			status = client.Explain(err)
		}
	}
	detail := safeURL(l.URL) + ": " + status
	switch l.Kind {
	case Documentation:
		r.advise("link-documentation", resp.Status == http.StatusOK, detail,
			"correct the URL in the card, or publish the page")
	case Token: // what answers GET with 400 or 405 is there
		there := resp.Status != 0 && resp.Status < 500 && resp.Status != http.StatusNotFound && resp.Status != http.StatusGone
		r.require("link-token", there, detail, "correct the URL in the card: clients request tokens there")
	case Metadata:
		object := false
		if resp.Status == http.StatusOK {
			root, _ := source.ParseJSON("", resp.Body, source.Limits{})
			if object = root.Is(source.Object); !object {
				detail += ", but not a JSON object"
			}
		}
		r.require("link-metadata", object, detail, "correct the URL in the card: clients read there how to get a token")
	}
}

// safeURL quotes a URL without credentials and query.
func safeURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "not a URL"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return diag.Quote(u.String())
}
