package contract

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/source"
	"cardwright/schema"
)

// The limits of a run.
const (
	maxCalls = 64
	maxBody  = 1 << 20
	// callTime is how long one call may take, where [Options] says nothing else.
	callTime = 10 * time.Second
)

// Options says what to check. Card and NewID are needed.
type Options struct {
	Card *schema.Card
	// Origin is where the card came from, nil for a file.
	Origin *url.URL
	// Below is the path of the card's directory on its host, "" for the root.
	Below string
	// Named are the hosts that the user named. Only these may be at private
	// addresses, and get credentials over plain http.
	Named []string
	// Route leads calls for a host, as the card spells it, to another one.
	Route map[string]*url.URL
	// Credentials are headers that go to the interfaces, and nowhere else.
	Credentials http.Header
	Send        string                            // text of a message to send; none is sent without it
	Only, Skip  []string                          // ids of checks to make, all when empty, and not to make
	Timeout     time.Duration                     // of one call, 10 seconds when zero
	NewID       func() string                     // a fresh UUID
	Lint        func(card *source.Node) diag.List // judges the cards that agents send
	Roots       *x509.CertPool                    // nil: those of the system
	Sent        *atomic.Int64                     // counts the requests, unless nil
}

// From says that the card comes from a URL that the user typed, which names its
// host: for this machine, all of its names.
func (o *Options) From(u *url.URL) {
	o.Origin = u
	o.Named = append(o.Named, u.Hostname())
	if client.Loopback(u.Hostname()) {
		o.Named = append(o.Named, "localhost", "127.0.0.1", "::1")
	}
}

// run is one examination under way.
type run struct {
	Options
	http, http2 *client.Client
	calls       int
	checks      []Check
}

// peer is one interface of the card, and where it is asked.
type peer struct {
	schema.Interface
	pointer string // of the interface in the card
	target  *url.URL
	trusted bool // credentials may go there
}

func (p *peer) String() string { return p.Binding + " " + p.Version + " " + p.URL }

// newRun prepares the clients.
func newRun(o Options) *run {
	if o.Timeout == 0 {
		o.Timeout = callTime
	}
	for _, u := range o.Route {
		o.Named = append(o.Named, u.Hostname())
	}
	of := client.Options{
		Named: o.Named, Roots: o.Roots, Timeout: o.Timeout, MaxBody: maxBody,
		Header: http.Header{"User-Agent": {"cardwright"}}, Sent: o.Sent,
	}
	r := &run{Options: o, http: client.New(of)}
	of.HTTP2 = true
	r.http2 = client.New(of)
	return r
}

// Run calls every interface of the card, and returns the checks in the order in
// which they were made. The error says that ctx was canceled.
func Run(ctx context.Context, o Options) ([]Check, error) {
	r := newRun(o)
	bounded, cancel := context.WithTimeout(ctx, 6*r.Timeout)
	defer cancel()
	r.served(bounded)
	for i, in := range o.Card.Interfaces {
		r.examine(bounded, i, in)
	}
	r.tokens(bounded)
	return r.checks, ctx.Err() //nolint:wrapcheck // that of the caller
}

// examine makes the checks of one interface.
func (r *run) examine(ctx context.Context, i int, in schema.Interface) {
	p := &peer{Interface: in, pointer: "/supportedInterfaces/" + strconv.Itoa(i)}
	reachable := r.check(p, ruleReachable, p.pointer+"/url")
	switch {
	case wordings[p.Version] == nil:
		reachable.skip("cardwright does not speak A2A %s", p.Version)
		return
	case !slices.Contains([]string{"JSONRPC", "HTTP+JSON", "GRPC"}, p.Binding):
		reachable.skip("cardwright does not speak the binding %s", diag.Quote(p.Binding))
		return
	}
	if err := r.aim(p); err != "" {
		reachable.fail(diag.Error, "write the URL as https://HOST/…", "%s", err)
		return
	}
	open := r.ask(ctx, p, call{op: getTask, anonymous: true})
	if !r.reached(p, reachable, open) {
		return
	}
	known := open
	if len(r.Credentials) > 0 && p.trusted {
		known = r.ask(ctx, p, call{op: getTask})
	}
	version := r.spoken(ctx, p, known)
	if version == "" {
		r.notSpoken(ctx, p, known)
		return
	}
	r.security(p, open)
	if version != p.Version {
		r.wrongVersion(p, version, known)
		return
	}
	if known.kind == denied {
		r.lockedOut(p, known)
		r.extended(ctx, p, true)
		return
	}
	r.spokenToo(p, known)
	r.versionRefused(ctx, p)
	r.streaming(ctx, p)
	r.push(ctx, p)
	r.extended(ctx, p, false)
	r.extensions(ctx, p)
	r.send(ctx, p)
}

// aim finds the URL at which the interface is called.
func (r *run) aim(p *peer) (fault string) {
	text := p.URL
	if p.Binding == "GRPC" {
		text = r.grpcURL(text)
	}
	u, err := client.HostURL(text)
	if err != nil {
		return fmt.Sprintf("cannot call the interface: %s", err)
	}
	p.trusted = u.Scheme == "https" || r.isNamed(u) || client.Loopback(u.Hostname())
	for host, to := range r.Route {
		if strings.EqualFold(host, u.Hostname()) || strings.EqualFold(host, u.Host) {
			moved := *u
			moved.Scheme, moved.Host, p.trusted = to.Scheme, to.Host, true
			u = &moved
			break
		}
	}
	if r.Origin != nil && !r.isNamed(u) {
		p.trusted = false // a card that came over the network may name any host
	}
	p.target = u
	return ""
}

// grpcURL makes a URL of the host:port of a gRPC interface. Without a scheme it
// uses TLS, except on this machine and on hosts that were named with http.
func (r *run) grpcURL(text string) string {
	text = strings.TrimPrefix(text, "dns:///")
	switch scheme, rest, ok := strings.Cut(text, "://"); {
	case ok && scheme == "grpc":
		return "http://" + rest
	case ok && scheme == "grpcs":
		return "https://" + rest
	case ok:
		return text
	}
	u, err := url.Parse("https://" + text)
	plain := r.Origin != nil && r.Origin.Scheme == "http"
	if err == nil && u.Port() != "443" && (client.Loopback(u.Hostname()) || plain && r.isNamed(u)) {
		return "http://" + text
	}
	return "https://" + text
}

func (r *run) isNamed(u *url.URL) bool {
	return slices.Contains(r.Named, u.Hostname()) || slices.Contains(r.Named, client.Authority(u))
}

// scrub takes the credentials out of a text: what a server sends may echo them.
func (r *run) scrub(text string) string {
	for _, values := range r.Credentials {
		for _, v := range values {
			text = strings.ReplaceAll(text, v, "***")
			if _, secret, ok := strings.Cut(v, " "); ok && secret != "" {
				text = strings.ReplaceAll(text, secret, "***")
			}
		}
	}
	return text
}

func encode(n *source.Node) []byte { return schema.Write(n) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Extended returns the extended card of the first interface that can be called.
func Extended(ctx context.Context, o Options) (*source.Node, error) {
	r := newRun(o)
	why := "no interface of the card can be called"
	for i, in := range o.Card.Interfaces {
		p := &peer{Interface: in, pointer: "/supportedInterfaces/" + strconv.Itoa(i)}
		if wordings[p.Version] == nil || r.aim(p) != "" || !p.trusted {
			continue
		}
		a := r.ask(ctx, p, call{op: extendedCard})
		if a.kind == result {
			return a.result, nil
		}
		why = fmt.Sprintf("%s answers %s with %s", p, operationText(p, extendedCard), a.said)
	}
	return nil, errors.New(why)
}

// readCard reads a card that an agent sends, nil where it is none.
func readCard(n *source.Node) *schema.Card { return dialect.Read(n, dialect.ReadOptions{}).Card }
