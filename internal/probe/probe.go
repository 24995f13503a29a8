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
	Now      func() time.Time  // for response times and certificates
	Roots    *x509.CertPool    // nil: those of the system
	Resolve  map[string]string // addresses of hosts, in place of what DNS says
	Sent     *atomic.Int64     // counts the requests, unless nil
}

// origin is that of the page that asks, as a browser names it.
const origin = "https://client.example"

// run is one probe under way.
type run struct {
	Options
	client  *client // asks as a browser does
	program *client // and as one that names no origin
	many    *client // as a browser does, with connections that are reused
	checks  []report.Check
}

// Probe fetches the card and what belongs to it, and returns the checks in the
// order in which they were made. If the host cannot be reached, that is the
// only check. An error is about the URL in the options.
func Probe(ctx context.Context, o Options) ([]report.Check, error) {
	target, err := cardURL(o.URL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, totalTime)
	defer cancel()
	r := newRun(o, target)
	card, err := r.client.ask(ctx, http.MethodGet, target)
	if err != nil {
		r.fail(diag.ProbeReachable, explain(err), hintOf(err))
		return r.checks, nil
	}
	r.pass(diag.ProbeReachable, "")
	r.connection(card)
	if card.Status != http.StatusOK && r.elsewhere(ctx, card) || !r.response(card) {
		return r.checks, nil
	}
	r.content(card)
	for _, ask := range []func(context.Context, *response){
		r.caching, r.asked, r.methods, r.crossOrigin, r.legacy, r.exposed,
	} {
		before := len(r.checks)
		if ask(ctx, card); ctx.Err() != nil {
			r.checks = r.checks[:before] // what fails now fails for want of time
			r.fail(diag.ProbeTime, fmt.Sprintf("%.0f s are not enough for all requests", totalTime.Seconds()), slowHint)
			return r.checks, nil
		}
	}
	r.files(ctx, card)
	return r.checks, nil
}

func newRun(o Options, target *url.URL) *run {
	as := clientOptions{
		named: []string{authority(target)}, header: http.Header{}, now: o.Now, roots: o.Roots, resolve: o.Resolve,
		sent: o.Sent,
	}
	as.header.Set("User-Agent", "cardwright-probe")
	r := &run{Options: o, program: newClient(as)}
	as.header = as.header.Clone()
	as.header.Set("Origin", origin)
	r.client = newClient(as)
	as.reuse = atOnce
	r.many = newClient(as)
	return r
}

func (r *run) pass(rule diag.RuleID, detail string) { r.add(rule, diag.Error, true, detail, "") }

func (r *run) fail(rule diag.RuleID, detail, hint string) {
	r.add(rule, diag.Error, false, detail, hint)
}

// require adds a check without which clients suffer.
func (r *run) require(rule diag.RuleID, ok bool, detail, hint string) {
	r.add(rule, diag.Error, ok, detail, hint)
}

// advise adds a check that a host may fail.
func (r *run) advise(rule diag.RuleID, ok bool, detail, hint string) {
	r.add(rule, diag.Warning, ok, detail, hint)
}

// add adds a check that fails with the severity and the hint unless ok.
func (r *run) add(rule diag.RuleID, severity diag.Severity, ok bool, detail, hint string) {
	name := strings.TrimPrefix(rule.String(), "probe-")
	c := report.Check{Rule: rule, Name: name, Required: severity == diag.Error, Detail: detail}
	if !ok {
		c.Severity, c.Hint = severity, hint
	}
	r.checks = append(r.checks, c)
}

// ask sends another request to the host of the card. If the host no longer
// answers, the check of the rule fails.
func (r *run) ask(ctx context.Context, rule diag.RuleID, method string, target *url.URL, header ...string) *response {
	resp, err := r.client.ask(ctx, method, target, header...)
	if err != nil {
		r.fail(rule, explain(err), "the host answered an earlier request: try again")
		return nil
	}
	return resp
}

// expected are the fields that come with what is at a path of a URL.
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
