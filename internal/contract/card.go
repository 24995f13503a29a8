package contract

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// served compares the card with the one at the well-known path of its host.
func (r *run) served(ctx context.Context) {
	if !r.wanted(ruleCard) {
		return
	}
	v := r.check(nil, ruleCard, "")
	u := r.wellKnown()
	switch {
	case u == nil:
		v.skip("no interface has a web host")
		return
	case r.Origin != nil && u.String() == r.Origin.String():
		v.pass("the card was fetched from its well-known URL")
		return
	}
	r.calls++
	resp, err := r.http.Do(ctx, client.Request{
		Method: http.MethodGet, URL: u,
		Header: http.Header{"A2A-Version": {r.newest()}}, Follow: true,
	})
	const hint = "deploy the card there, or pass --skip contract-card if it is served elsewhere"
	if err != nil {
		hint := hint
		if client.Private(err) {
			hint = "to call this host, add --connect-to " + u.Hostname()
		}
		v.fail(diag.Error, hint, "%s returns no card: %s", diag.Quote(u.String()), client.Explain(err))
		return
	}
	if a := ofHTTP(resp); a.kind != result || resp.Status != http.StatusOK {
		v.fail(diag.Error, hint, "%s returns no card: %s", diag.Quote(u.String()), a.said)
		return
	}
	root, found := source.ParseJSON("", resp.Body, source.Limits{})
	c := readCard(root)
	if found.Worst() == diag.Error || c == nil {
		v.fail(diag.Error, hint, "%s does not return a card", diag.Quote(u.String()))
		return
	}
	if changes := diff.Cards(r.Card, r.asPromised(c)); diff.Worst(changes) > diff.None {
		v.fail(diag.Error, hint, "%s serves a different card: %s", diag.Quote(u.String()), summary(changes))
		return
	}
	v.pass("%s serves the same card", u)
}

// asPromised returns a served card with the URLs of the checked card in place
// of those that --connect-to names: a server under test puts its own address
// into its card.
func (r *run) asPromised(c *schema.Card) *schema.Card {
	if len(r.Route) == 0 {
		return c
	}
	out := *c
	out.Interfaces = slices.Clone(c.Interfaces)
	for i := range out.Interfaces {
		served := &out.Interfaces[i]
		for _, in := range r.Card.Interfaces {
			p := &peer{Interface: in}
			if in.Binding == served.Binding && r.aim(p) == "" && samePlace(p.target, served.URL) {
				served.URL = in.URL
				break
			}
		}
	}
	return &out
}

// samePlace tells whether a URL leads to where an interface was called. This
// machine has several names.
func samePlace(target *url.URL, text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != target.Scheme || u.Port() != target.Port() || u.RequestURI() != target.RequestURI() {
		return false
	}
	local := client.Loopback(u.Hostname()) || u.Hostname() == "0.0.0.0" // which servers listen at
	return strings.EqualFold(u.Hostname(), target.Hostname()) || local && client.Loopback(target.Hostname())
}

// summary says what differs, the worst first.
func summary(changes []diff.Change) string {
	var list []string
	for _, c := range changes {
		if c.Class > diff.None {
			list = append(list, c.Message)
		}
	}
	return few(list)
}

// wellKnown is where clients look for the card of the first interface that is on
// a web host.
func (r *run) wellKnown() *url.URL {
	if r.Origin != nil && strings.HasSuffix(r.Origin.Path, "/"+tree.CardPath) {
		return r.Origin
	}
	for _, in := range r.Card.Interfaces {
		p := &peer{Interface: in}
		if in.Binding == "GRPC" || r.aim(p) != "" {
			continue
		}
		u := *p.target
		u.Path, u.RawPath, u.RawQuery = "/", "", ""
		return u.JoinPath(r.Below, tree.CardPath)
	}
	return nil
}

// newest is the newest version that the card speaks.
func (r *run) newest() string {
	version := "0.3"
	for _, in := range r.Card.Interfaces {
		version = max(version, in.Version)
	}
	return version
}

// tokens asks for the URLs where clients get their tokens. No credentials go
// there.
func (r *run) tokens(ctx context.Context) {
	if !r.wanted(ruleTokenURL) {
		return
	}
	for _, name := range sortedKeys(r.Card.SecuritySchemes) {
		s := r.Card.SecuritySchemes[name]
		at := source.Pointer("/securitySchemes", name)
		if s.OpenIDConnectURL != "" {
			r.issuer(ctx, at, s.OpenIDConnectURL, "/.well-known/openid-configuration")
		}
		if s.OAuth2MetadataURL != "" {
			r.issuer(ctx, at, s.OAuth2MetadataURL, "/.well-known/oauth-authorization-server")
		}
		for _, f := range s.Flows {
			if f.TokenURL != "" {
				r.get(ctx, at, f.TokenURL)
			}
		}
	}
}

// get requests a URL and reports one that does not answer. Most statuses are
// fine: token endpoints expect a POST.
func (r *run) get(ctx context.Context, pointer, text string) *client.Response {
	v := r.check(nil, ruleTokenURL, pointer)
	u, err := client.HostURL(text)
	if err != nil {
		v.fail(diag.Error, "set it to a URL of the identity provider", "%s", err)
		return nil
	}
	if r.calls++; r.calls > maxCalls || ctx.Err() != nil {
		v.skip("%s was not fetched: the limit of calls or time is reached", diag.Quote(text))
		return nil
	}
	resp, err := r.http.Do(ctx, client.Request{Method: http.MethodGet, URL: u})
	switch {
	case err != nil && client.Private(err):
		v.skip("%s is in a private network; to call it, add --connect-to %s", diag.Quote(text), u.Hostname())
	case err != nil:
		v.fail(diag.Error, "check the URL in the card and the identity provider", "%s does not answer: %s",
			diag.Quote(text), client.Explain(err))
	case resp.Status == http.StatusNotFound || resp.Status == http.StatusGone ||
		resp.Status >= http.StatusInternalServerError:
		v.fail(diag.Error, "check the URL in the card and the identity provider", "%s returns %s", diag.Quote(text),
			httpStatus(resp.Status))
	default:
		v.pass("%s answers %s", text, httpStatus(resp.Status))
		return resp
	}
	return nil
}

// issuer requests the metadata of an issuer, which must name that issuer.
func (r *run) issuer(ctx context.Context, pointer, address, suffix string) {
	before := len(r.checks)
	resp := r.get(ctx, pointer, address)
	if resp == nil {
		return
	}
	r.checks = r.checks[:before] // says more below
	v := r.check(nil, ruleTokenURL, pointer)
	node, found := source.ParseJSON("", resp.Body, source.Limits{})
	switch issuer := node.Get("issuer").Word(); {
	case resp.Status != http.StatusOK || found.Worst() == diag.Error || issuer == "":
		v.fail(diag.Error, "set it to the URL of the metadata document", "%s returns %s, but not the metadata of an issuer",
			diag.Quote(address), httpStatus(resp.Status))
	case !issues(issuer, address, suffix):
		v.fail(diag.Error, "set it to the metadata of the issuer that tokens name", "%s names another issuer: %s",
			diag.Quote(address), diag.Quote(issuer))
	default:
		v.pass("%s is the metadata of its issuer", address)
	}
}

// issues tells whether the metadata at a URL belongs to the issuer: OpenID
// Connect Discovery, section 4, appends the suffix; RFC 8414 inserts it between
// host and path.
func issues(issuer, at, suffix string) bool {
	u, err := url.Parse(issuer)
	if err != nil {
		return false
	}
	appended := strings.TrimSuffix(issuer, "/") + suffix
	inserted := fmt.Sprintf("%s://%s%s%s", u.Scheme, u.Host, suffix, strings.TrimSuffix(u.Path, "/"))
	return at == appended || at == inserted || !strings.Contains(at, "/.well-known/")
}
