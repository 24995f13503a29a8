package probe

import (
	"context"
	"crypto/x509"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

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
	Now      func() time.Time  // for certificates
	Roots    *x509.CertPool    // nil: the roots of the system
	Resolve  map[string]string // addresses of hosts, in place of what DNS says
	Sent     *atomic.Int64     // counts the requests, unless nil
}

// origin is the origin of the page that asks, as a browser names it.
const origin = "https://client.example"

// run is one probe under way.
type run struct {
	Options
	published
	client *client   // with a new connection for each request
	many   *client   // with connections that are reused
	asked  *response // at the URL of the options
	site   *response // the first card below that URL, if there is none at the URL itself
	checks []report.Check
}

// check is a row of a table of checks.
type check struct {
	rule diag.RuleID
	find func(*run, context.Context, *response) verdict
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

// responseChecks look at the response to the first request. They need no card.
func responseChecks() []check {
	return []check{
		{diag.ProbeTLS, (*run).tls},
		{diag.ProbeRedirects, (*run).redirects},
		{diag.ProbeStatus, (*run).status},
		{diag.ProbeContentType, (*run).contentType},
		{diag.ProbeEncoding, (*run).encoding},
	}
}

// cardChecks look at a card and send further requests, in the order of what a fault costs.
func cardChecks() []check {
	return []check{
		{diag.ProbeBytes, (*run).bytes},
		{diag.ProbeETag, (*run).etag},
		{diag.ProbeNotModified, (*run).notModified},
		{diag.ProbeCORS, (*run).cors},
		{diag.ProbePreflight, (*run).preflight},
		{diag.ProbeHeaders, (*run).headers},
		{diag.ProbeCacheControl, (*run).cacheControl},
		{diag.ProbeLegacy, (*run).legacy},
		{diag.ProbeSignature, (*run).signature},
		{diag.ProbeExposed, (*run).exposed},
		{diag.ProbeMethods, (*run).methods},
	}
}

// Probe fetches the card and what belongs to it, and returns the checks in the order of
// what a fault costs. If the host cannot be reached, that is the only check. An error is
// about the URL in the options.
func Probe(ctx context.Context, o Options) ([]report.Check, error) {
	target, err := cardURL(o.URL)
	if err != nil {
		return nil, err
	}
	r := newRun(o, target)
	short, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	if r.asked, err = r.client.ask(short, http.MethodGet, target); err != nil {
		r.add(diag.ProbeReachable, verdict{faults: []fault{{diag.Error, explain(err), hintOf(err)}}})
		return r.checks, nil
	}
	r.add(diag.ProbeReachable, verdict{ok: r.asked.Proto})
	r.discover(short)
	card := r.card(short)
	r.all(short, responseChecks(), card)
	if card.readable() && !card.TooLarge {
		r.all(short, cardChecks(), card)
	}
	r.files(ctx, card)
	r.documents(card)
	return r.checks, nil
}

func newRun(o Options, target *url.URL) *run {
	as := clientOptions{named: []string{authority(target)}, roots: o.Roots, resolve: o.Resolve, sent: o.Sent}
	r := &run{Options: o, client: newClient(as), published: published{bodies: map[string][]byte{}}}
	as.reuse = atOnce
	r.many = newClient(as)
	return r
}

// all makes the checks of a table until the time is up.
func (r *run) all(ctx context.Context, table []check, card *response) {
	for _, c := range table {
		v := c.find(r, ctx, card)
		if ctx.Err() != nil { // what failed now failed for want of time
			late := verdict{}
			late.fail(fmt.Sprintf("%.0f s are not enough for all requests", totalTime.Seconds()), slowHint)
			r.add(diag.ProbeTime, late)
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

// ask sends another request to the host of the card. If the host no longer answers, it
// adds a fault and returns nil.
func (r *run) ask(ctx context.Context, v *verdict, method string, target *url.URL, header ...string) *response {
	resp, err := r.client.ask(ctx, method, target, header...)
	if err != nil {
		v.fail(explain(err), "the host answered an earlier request: try again")
		return nil
	}
	return resp
}

// expected returns the headers that come with what is at a path of a URL.
func (r *run) expected(urlPath string) []hosting.Header {
	headers, _ := hosting.NewTable(r.Settings).Headers(urlPath)
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
