package probe

import (
	"context"
	"crypto/x509"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/report"
)

// Options says what to probe and what to compare it with. Only URL is needed.
type Options struct {
	URL      string           // of a card, or of the agent whose card is below /.well-known
	Tree     fs.FS            // output tree that was deployed
	Settings hosting.Settings // how it was meant to be hosted
	Lint     func(card []byte) diag.List
	Verify   func(card []byte) string // why no signature of the card is good, "" when one is
	Now      func() time.Time         // for response times and certificates
	Roots    *x509.CertPool           // nil: those of the system
	Resolve  map[string]string        // addresses of hosts, in place of what DNS says
	Sample   int                      // of the other files, check so many; 0 for all
	NoLegacy bool                     // nobody wants agent.json to be there
	Sent     *atomic.Int64            // counts the requests, unless nil
	Dial     client.Dialer            // nil: the network
}

// someOrigin is what a browser names as the page that asks, where scripts of all may.
const someOrigin = "https://client.example"

// origin is that of a page whose scripts may read the card.
func (o Options) origin() string { return someOrigin }

// run is one probe under way.
type run struct {
	Options
	client  *client.Client // asks as a browser does
	program *client.Client // and as one that names no origin
	many    *client.Client // as a browser does, with connections that are reused
	checks  []report.Check
}

// Probe fetches the card and what belongs to it, and returns the checks in the
// order in which they were made. If the host cannot be reached, that is the
// only check. An error is about the URL in the options.
func Probe(ctx context.Context, o Options) ([]report.Check, error) {
	target, err := client.CardURL(o.URL)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, client.TotalTime)
	defer cancel()
	as := client.Options{
		Named: append(slices.Sorted(maps.Keys(o.Resolve)), client.Authority(target)), Now: o.Now, Roots: o.Roots,
		Resolve: o.Resolve, Sent: o.Sent, Dial: o.Dial, Header: http.Header{"User-Agent": {"cardwright-probe"}},
	}
	r := &run{Options: o, program: client.New(as)}
	as.Header = http.Header{"User-Agent": {"cardwright-probe"}, "Origin": {o.origin()}}
	r.client = client.New(as)
	as.Reuse = atOnce
	r.many = client.New(as)
	card, err := r.client.Ask(ctx, "GET", target)
	if err != nil {
		r.fail("reachable", client.Explain(err), client.Hint(err))
		return r.checks, nil
	}
	r.pass("reachable", "")
	r.connection(card)
	if card.Status == http.StatusNotFound {
		if elsewhere := r.elsewhere(ctx, card.URL); elsewhere != "" {
			r.fail("status", "404, but there is a card at "+diag.Quote(elsewhere),
				"give clients that URL, or serve the card at the one that you give them")
			return r.checks, nil
		}
	}
	if !r.document(card) {
		return r.checks, nil
	}
	r.content(card)
	for _, ask := range []func(context.Context, *client.Response){
		r.caching, r.asked, r.methods, r.crossOrigin, r.legacy, r.keys, r.exposed,
	} {
		before := len(r.checks)
		if ask(ctx, card); ctx.Err() != nil {
			r.checks = r.checks[:before] // what fails now fails for want of time
			r.fail("time", fmt.Sprintf("%.0f s are not enough for all requests", client.TotalTime.Seconds()), slowHint)
			return r.checks, nil
		}
	}
	r.files(ctx, card)
	return r.checks, nil
}

func (r *run) pass(name, detail string) { r.add(name, diag.Error, true, detail, "") }

func (r *run) fail(name, detail, hint string) { r.add(name, diag.Error, false, detail, hint) }

// require adds a check without which clients suffer.
func (r *run) require(name string, ok bool, detail, hint string) {
	r.add(name, diag.Error, ok, detail, hint)
}

// advise adds a check that a host may fail.
func (r *run) advise(name string, ok bool, detail, hint string) {
	r.add(name, diag.Warning, ok, detail, hint)
}

// add adds a check that fails with the severity and the hint unless ok.
func (r *run) add(name string, severity diag.Severity, ok bool, detail, hint string) {
	c := report.Check{Rule: "probe-" + name, Name: name, Required: severity == diag.Error, Detail: detail}
	if !ok {
		c.Severity, c.Hint = severity, hint
	}
	r.checks = append(r.checks, c)
}

// ask sends another request to the host of the card. If the host no longer
// answers, the check of the given name fails.
func (r *run) ask(ctx context.Context, name, method string, target *url.URL, header ...string) *client.Response {
	resp, err := r.client.Ask(ctx, method, target, header...)
	if err != nil {
		r.fail(name, client.Explain(err), "the host answered an earlier request: try again")
		return nil
	}
	return resp
}

// headers are the fields that come with what is at a path of a URL.
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
