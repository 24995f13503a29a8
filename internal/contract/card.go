package contract

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// served compares the card with the one at the well-known path of its host.
func (r *run) served(ctx context.Context) {
	if !r.wanted("contract-card") {
		return
	}
	v := r.check("contract-card", "")
	u := r.wellKnown()
	switch {
	case r.Origin != nil:
		v.pass("the card was fetched from %s", r.Origin)
		return
	case u == nil:
		v.skip("no interface has a web host")
		return
	}
	hint := "deploy the card there, or pass --skip contract-card if it is served elsewhere"
	resp := r.fetch(ctx, v, u.String(), hint, http.Header{"A2A-Version": {r.Card.Interfaces[0].Version}})
	if resp == nil {
		return
	}
	at, a := diag.Quote(u.String()), ofHTTP(resp)
	root, found := source.ParseJSON("", resp.Body, source.Limits{})
	c := readCard(root)
	if a.kind != result || resp.Status != http.StatusOK || found.Worst() == diag.Error || c == nil {
		v.fail(diag.Error, hint, "%s returns no card: %s", at, a.code)
		return
	}
	var changes []string // the worst first
	for _, change := range diff.Cards(r.Card, r.asPromised(c)) {
		if change.Class > diff.None {
			changes = append(changes, change.Message)
		}
	}
	if len(changes) > 0 {
		v.fail(diag.Error, hint, "%s serves a different card: %s", at, few(changes))
		return
	}
	v.pass("%s serves the same card", u)
}

// asPromised returns a served card with the URLs of the checked one: a server under test has its own address in it.
func (r *run) asPromised(c *schema.Card) *schema.Card {
	out := *c
	out.Interfaces = slices.Clone(c.Interfaces)
	for i := range out.Interfaces {
		served := &out.Interfaces[i]
		for j, in := range r.Card.Interfaces {
			p := r.peer(j, in)
			if in.Binding == served.Binding && p.fault == "" && samePlace(p.target, r.address(*served)) {
				served.URL = in.URL
				break
			}
		}
	}
	return &out
}

// samePlace reports whether a URL leads to where an interface was called.
func samePlace(target *url.URL, text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != target.Scheme || u.Port() != target.Port() ||
		strings.TrimSuffix(u.RequestURI(), "/") != strings.TrimSuffix(target.RequestURI(), "/") {
		return false
	}
	local := client.Loopback(u.Hostname()) || u.Hostname() == "0.0.0.0" // which servers listen at
	return strings.EqualFold(u.Hostname(), target.Hostname()) || local && client.Loopback(target.Hostname())
}

// wellKnown is where clients look for the card of the first interface that is on a web host.
func (r *run) wellKnown() *url.URL {
	for i, in := range r.Card.Interfaces {
		p := r.peer(i, in)
		if in.Binding == "GRPC" || p.fault != "" {
			continue
		}
		u := *p.target
		u.Path, u.RawPath, u.RawQuery = "/", "", ""
		return u.JoinPath(r.Below, tree.CardPath)
	}
	return nil
}

// tokens asks for the URLs where clients get their tokens, without credentials.
func (r *run) tokens(ctx context.Context) {
	if !r.wanted("contract-token-url") {
		return
	}
	hint := "check the URL in the card and the identity provider"
	for _, name := range slices.Sorted(maps.Keys(r.Card.SecuritySchemes)) {
		s := r.Card.SecuritySchemes[name]
		v := r.check("contract-token-url", source.Pointer("/securitySchemes", name))
		for _, metadata := range []string{s.OpenIDConnectURL, s.OAuth2MetadataURL} {
			if resp := r.fetch(ctx, v, metadata, hint, nil); resp != nil {
				v.issuer(resp, metadata)
			}
		}
		for _, f := range s.Flows {
			if resp := r.fetch(ctx, v, f.TokenURL, hint, nil); resp != nil { // endpoints for tokens expect a POST
				v.pass("%s answers %s", f.TokenURL, httpStatus(resp.Status))
			}
		}
	}
}

// fetch requests a URL of the card without credentials. It ends the check, and returns nil, where nothing is there.
func (r *run) fetch(ctx context.Context, v verdict, text, hint string, header http.Header) *client.Response {
	if text == "" {
		return nil
	}
	u, err := client.HostURL(text)
	if err != nil {
		v.fail(diag.Error, hint, "%s", err)
		return nil
	}
	if r.calls++; r.calls > r.MaxCalls || ctx.Err() != nil {
		v.skip("%s was not fetched: %s", diag.Quote(text), r.limit())
		return nil
	}
	q := client.Request{Method: http.MethodGet, URL: u, Header: header, Follow: header != nil}
	resp, err := r.client(false, false).Do(ctx, q)
	switch {
	case err != nil && client.Private(err):
		v.skip("%s is in a private network; to call it, add --connect-to %s", diag.Quote(text), u.Hostname())
	case err != nil:
		v.fail(diag.Error, hint, "%s does not answer: %s", diag.Quote(text), client.Explain(err))
	case slices.Contains([]int{http.StatusNotFound, http.StatusGone}, resp.Status) || resp.Status >= 500:
		v.fail(diag.Error, hint, "%s returns %s", diag.Quote(text), httpStatus(resp.Status))
	default:
		return resp
	}
	return nil
}

// metadataPath is what a metadata URL has beyond that of its issuer: at the end, or in RFC 8414 after the host.
var metadataPath = parallel.Regexp(`/\.well-known/(openid-configuration|oauth-authorization-server)`)

// issuer judges the metadata of an issuer, which must name that issuer.
func (v verdict) issuer(resp *client.Response, at string) {
	node, found := source.ParseJSON("", resp.Body, source.Limits{})
	bare := func(u string) string { return strings.TrimSuffix(metadataPath().ReplaceAllString(u, ""), "/") }
	switch issuer := node.Get("issuer").Word(); {
	case resp.Status != http.StatusOK || found.Worst() == diag.Error || issuer == "":
		v.fail(diag.Error, "set it to the URL of the metadata document", "%s returns %s, but not the metadata of an issuer",
			diag.Quote(at), httpStatus(resp.Status))
	case metadataPath().MatchString(at) && bare(at) != bare(issuer):
		v.fail(diag.Error, "set it to the metadata of the issuer that tokens name", "%s names another issuer: %s",
			diag.Quote(at), diag.Quote(issuer))
	default:
		v.pass("%s is the metadata of its issuer", at)
	}
}

const twoCards = "generate both cards from the same sources: generate --private-out DIR writes the extended one"

// extended asks for the extended card without credentials, and with them.
func (x *exam) extended(v verdict) {
	op, declared := x.name(extendedCard), isTrue(x.Card.Capabilities.ExtendedAgentCard)
	open := x.ask(call{op: extendedCard, as: nobody})
	a, allowed := open, (declared || open.kind == denied) && len(x.credentials) > 0 && x.known.kind != denied
	if allowed && open.kind != unasked {
		a = x.ask(call{op: extendedCard})
	}
	but, public := "capabilities.extendedAgentCard is true, but "+op, readCard(open.result)
	switch {
	case a.is(extensionRequired):
		v.fail(diag.Warning, "make the server read A2A-Extensions of this call, which a2a-go 2.4.0 does not do over gRPC",
			"%s returns %s, although the extensions were sent", op, a.said())
		return
	case !declared:
		x.unpromised(v, op, a, a.kind == result && readCard(a.result) != nil, unsupported)
		return
	case open.kind == result && public != nil && diff.Worst(diff.Cards(x.Card, public)) == diff.None:
		v.fail(diag.Warning, "refuse the call without credentials; @a2a-js/sdk returns the public card instead",
			"%s without credentials returns the public card", op)
	case open.kind == result:
		if x.secured() && x.open.kind != denied {
			v = v.because(unchecked)
		}
		v.fail(diag.Error, "return the extended card to authenticated clients only",
			"%s without credentials returns the extended card", op)
		return
	case open.kind == denied && len(x.carriers) > 0 && x.ask(call{op: extendedCard, as: mistake}).kind == result:
		v.because(unvalidated).fail(diag.Error, validate, "%s with made-up credentials returns the extended card", op)
		return
	}
	switch {
	case a.kind != denied && v.undecided(a, but):
	case !allowed && a.shows() != missing:
		v.pass("refused without credentials: %s; the card itself was not requested", open.said())
	case a.kind == result:
		x.judgeExtended(v, a.result)
	case a.kind == denied:
		v.fail(diag.Error, "check the credentials and their scopes", "%s with your credentials returns %s", op, a.said())
	default:
		v.fail(diag.Error, "configure an extended card in the server, or set capabilities.extendedAgentCard to false",
			"%s returns %s", but, a.said())
	}
}

// judgeExtended checks that an extended card has no errors and takes nothing back.
func (x *exam) judgeExtended(v verdict, n *source.Node) {
	fault, severity := x.extendedFault(x.Lint(n))
	c := readCard(n)
	if c == nil {
		v.fail(diag.Error, twoCards, "%s does not return a card", x.name(extendedCard))
		return
	}
	switch contrary, cause := x.contrary(x.asPromised(c)); {
	case len(contrary) > 0 && severity != diag.Error:
		v.because(cause).fail(diag.Error, twoCards, "the extended card contradicts the public one: %s", few(contrary))
	case severity > 0:
		v.fail(severity, twoCards, "the extended card has an error: %s", fault)
	default:
		v.pass("refused without credentials; with credentials, the card is of this agent and has every public skill")
	}
}

// aboutSecurity are changes that the extended card may make: who gets it has shown credentials.
var aboutSecurity = parallel.Regexp("^(scheme|security|requirement)")

// contrary are the differences of another agent, or of promises taken back, for which the public card may lie.
func (x *exam) contrary(c *schema.Card) (list []string, cause string) {
	for _, change := range diff.Cards(x.Card, c) {
		identity := slices.Contains([]string{"name-changed", "provider-changed"}, change.Rule) ||
			strings.HasPrefix(change.Rule, "capability-")
		if identity || change.Class == diff.Breaking && !aboutSecurity().MatchString(change.Rule) {
			list = append(list, change.Message)
			says := map[string]string{"capability-gained": " works", "capability-lost": " is missing"}[change.Rule]
			cause = strings.ReplaceAll(strings.TrimPrefix(change.Pointer(), "/"), "/", ".") + says
		}
	}
	hosts := map[string]bool{}
	for _, in := range x.Card.Interfaces {
		hosts[x.run.peer(0, in).target.Hostname()] = true
	}
	for _, in := range c.Interfaces {
		if !hosts[x.run.peer(0, in).target.Hostname()] {
			list = append(list, "it has an interface on another host, "+diag.Quote(in.URL))
		}
	}
	return list, cause
}

// sdk is one whose answers can be recognized by their words.
type sdk struct {
	name string
	says func() *regexp.Regexp
}

var sdks = []sdk{
	{"@a2a-js/sdk or a framework on it", parallel.Regexp(`"?(Task not found: |Bug: toJson|Streaming \(and thus)`)},
	{"a2a-go", parallel.Regexp(`task not found(: no active execution)?$|^push notification not supported$`)},
	{"trpc-a2a-go", parallel.Regexp("^Authenticated extended card not configured$")},
}

// ofSDKs are faults that SDKs make in extended cards, by the rule that reports them.
var ofSDKs = []struct{ rule, version, binding, says string }{
	{
		"security-requirement-shape", "", "",
		"a2a-go up to 2.4.0 (its issue 430) and @a2a-js/sdk 0.3 over HTTP+JSON write requirements like this",
	},
	{"scheme-shape", "0.3", "HTTP+JSON", "@a2a-js/sdk 1.3.0 writes schemes like this for clients of 0.3"},
}

// extendedFault returns the worst finding about an extended card.
func (x *exam) extendedFault(found diag.List) (fault string, severity diag.Severity) {
	for _, d := range found {
		if d.Severity < diag.Error || severity == diag.Error || x.Binding == "GRPC" && x.Version == "0.3" {
			continue // in 0.3 over gRPC, schemes have another form than in JSON
		}
		fault, severity = fmt.Sprintf("%s (%s)", d.Message, d.Rule), diag.Error
		for _, sdk := range ofSDKs {
			if sdk.rule == d.Rule && (sdk.version == "" || sdk.version == x.Version && sdk.binding == x.Binding) {
				fault, severity = fault+", "+sdk.says, diag.Warning
			}
		}
	}
	return fault, severity
}
