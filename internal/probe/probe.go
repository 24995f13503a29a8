package probe

import (
	"context"
	"crypto/x509"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/report"
	"cardwright/internal/sign"
)

// Options says what to probe and what to compare it with. Only URL is needed.
type Options struct {
	URL      string            // of a card, or of the agent whose card is below /.well-known
	Tree     fs.FS             // output tree that was deployed
	Settings hosting.Settings  // how it was meant to be hosted
	Trust    *sign.Trust       // if set, the card needs a signature that is good by it
	NoLegacy bool              // agent.json is not meant to be there
	Roots    *x509.CertPool    // nil: the roots of the system
	Resolve  map[string]string // addresses of hosts, in place of what DNS says
	Sent     *atomic.Int64     // counts the requests, unless nil
}

// origin is the origin of the page that asks, as a browser names it.
const origin = "https://client.example"

// run is one probe under way.
type run struct {
	options Options
	tree    tree
	host    *host
	client  *client   // with a new connection for each request
	asked   *response // at the URL of the options
	site    *response // the first card below that URL, if there is none at the URL itself
	checks  []report.Check
}

// checks is the table of checks, in the order of what a fault costs.
var checks = []struct {
	rule  diag.RuleID
	bytes bool // it is about a card that can be read
	find  func(*run, context.Context, *response) verdict
}{
	{diag.ProbeTLS, false, (*run).tls},
	{diag.ProbeRedirects, false, (*run).redirects},
	{diag.ProbeStatus, false, (*run).status},
	{diag.ProbeContentType, false, (*run).contentType},
	{diag.ProbeEncoding, false, (*run).encoding},
	{diag.ProbeBytes, true, (*run).bytes},
	{diag.ProbeETag, true, (*run).etag},
	{diag.ProbeNotModified, true, (*run).notModified},
	{diag.ProbeCORS, true, (*run).cors},
	{diag.ProbePreflight, true, (*run).preflight},
	{diag.ProbeHeaders, true, (*run).headers},
	{diag.ProbeCacheControl, true, (*run).cacheControl},
	{diag.ProbeLegacy, true, (*run).legacy},
	{diag.ProbeSignature, true, (*run).signature},
	{diag.ProbeExposed, true, (*run).exposed},
}

// verdict is what a check found. The zero value means that the check does not apply.
type verdict struct {
	ok     string // what was found, if there are no faults
	faults []fault
}

// fault is one thing that is wrong, and how to fix it.
type fault struct {
	severity     diag.Severity
	detail, hint string
}

// fail adds a fault that clients suffer from.
func (v *verdict) fail(detail, hint string) {
	v.faults = append(v.faults, fault{diag.Error, detail, hint})
}

// warn adds a fault that clients can live with.
func (v *verdict) warn(detail, hint string) {
	v.faults = append(v.faults, fault{diag.Warning, detail, hint})
}

// Probe fetches the card and what belongs to it, and returns the checks in the order of
// what a fault costs. If the host cannot be reached, that is the only check. An error is
// about the URL in the options.
func Probe(ctx context.Context, o Options) ([]report.Check, error) {
	target, err := cardURL(o.URL)
	if err != nil {
		return nil, err
	}
	r := &run{options: o, tree: tree{o.Tree}, client: newClient(o, authority(target), 0)}
	r.host = &host{client: newClient(o, authority(target), atOnce), bodies: map[string][]byte{}}
	short, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	if r.asked, err = r.client.ask(short, http.MethodGet, target); err != nil {
		r.add(diag.ProbeReachable, verdict{faults: []fault{{diag.Error, explain(err), hintOf(err)}}})
		return r.checks, nil
	}
	r.add(diag.ProbeReachable, verdict{ok: r.asked.Proto})
	r.host.discover(short, r.asked.URL)
	card := r.card(short)
	r.all(short, card)
	r.files(ctx, card)
	r.checks = append(r.checks, r.host.documents(card)...)
	return r.checks, nil
}

// card returns the card to check: the response to the first request, or a card below the
// URL, or a card where clients would not find it. Without any, it returns that response.
func (r *run) card(ctx context.Context) *response {
	if r.asked.Status == http.StatusOK && !isPage(r.asked) {
		return r.asked
	}
	if r.site = r.below(ctx); r.site != nil {
		return r.site
	}
	if len(r.host.cards) > 0 {
		return r.host.cards[0]
	}
	return r.asked
}

// below returns the first card of a site that has agents, but no card at its own URL. The
// catalog of a preview or a new server names the host that it is for.
func (r *run) below(ctx context.Context) *response {
	for _, list := range r.host.lists {
		_, named := r.host.list(list)
		i := slices.IndexFunc(named, isCard)
		if i < 0 || dirOf(list) != dirOf(r.asked.URL) {
			continue
		}
		if resp, err := r.client.ask(ctx, http.MethodGet, at(list, named[i].Path)); err == nil && resp.readable() {
			return resp
		}
	}
	return nil
}

// all makes the checks of the table until the time is up.
func (r *run) all(ctx context.Context, card *response) {
	for _, c := range checks {
		if c.bytes && (!card.readable() || card.TooLarge) {
			continue
		}
		v := c.find(r, ctx, card)
		if ctx.Err() != nil { // what failed now failed for want of time
			v = verdict{}
			v.fail(fmt.Sprintf("%.0f s are not enough for all requests", totalTime.Seconds()), slowHint)
			r.add(diag.ProbeTime, v)
			return
		}
		r.add(c.rule, v)
	}
}

// add adds a verdict to the result: one line, or one for each fault.
func (r *run) add(rule diag.RuleID, v verdict) {
	c := report.Check{Rule: rule, Name: strings.TrimPrefix(rule.String(), "probe-"), Required: true, Detail: v.ok}
	if v.faults == nil && v.ok != "" {
		r.checks = append(r.checks, c)
	}
	for _, f := range v.faults {
		c.Severity, c.Required, c.Detail, c.Hint = f.severity, f.severity == diag.Error, f.detail, f.hint
		r.checks = append(r.checks, c)
	}
}

// expected returns the headers that come with what is at a path of a URL.
func (r *run) expected(urlPath string) []hosting.Header {
	headers, _ := hosting.NewTable(r.options.Settings).Headers(urlPath)
	return headers
}

// orNone quotes the value of a header.
func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return diag.Quote(value)
}

// join returns all values of a header as one.
func join(h http.Header, name string) string { return strings.Join(h.Values(name), ", ") }

// listed reports whether a comma-separated header names an item, or everything.
func listed(h http.Header, name, item string) bool {
	for part := range strings.SplitSeq(join(h, name), ",") {
		part = strings.TrimSpace(part)
		if strings.EqualFold(part, item) || part == "*" {
			return true
		}
	}
	return false
}
