// Package contract checks that a running agent does what its card says.
//
// No request changes anything: each names a task that does not exist, or has the text that the caller
// supplies. Credentials go to the card's interfaces only, never along a redirect, and into no report.
package contract

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
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
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/schema"
)

// MaxCalls and the others limit a run, where [Options] says nothing else.
const (
	MaxCalls = 64
	maxBody  = 1 << 20
	callTime = 10 * time.Second
)

// Options says what to check. Card and NewID are needed.
type Options struct {
	Card   *schema.Card
	Origin *url.URL // where the card came from, nil for a file
	Below  string   // path of the card's directory on its host, "" for the root
	// Named are the hosts that the user named, as host or host:port. Only these may
	// be at private addresses, and get credentials that are for no other host.
	Named []string
	// Route leads calls for a host or host:port, in lower case, to another one.
	Route       map[string]*url.URL
	Credentials []Credential
	Certificate *tls.Certificate                  // of the client, nil for none
	Send        string                            // text of a message to send; none is sent without it
	Only, Skip  []string                          // ids of checks to make, all when empty, and not to make
	Timeout     time.Duration                     // of one call, 10 seconds when zero
	MaxCalls    int                               // 64 when zero
	NewID       func() string                     // a fresh UUID
	Lint        func(card *source.Node) diag.List // judges the cards that agents send
	Roots       *x509.CertPool                    // nil: those of the system
	Sent        *atomic.Int64                     // counts the requests, unless nil
	Dial        client.Dialer                     // nil: the network
}

// Credential is a header, query parameter or cookie that goes to the interfaces at Host, and nowhere else.
type Credential struct {
	Host, Name, Value string // Host "" stands for all hosts that the user named
}

// From says that the card comes from a URL, which names its host: this machine has several names.
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
	clients  map[[2]bool]*client.Client
	carriers []carrier // of the credentials that the card declares
	calls    int
	checks   []check
}

func newRun(o Options) *run {
	o.Timeout, o.MaxCalls = cmp.Or(o.Timeout, callTime), cmp.Or(o.MaxCalls, MaxCalls)
	return &run{Options: o, clients: map[[2]bool]*client.Client{}, carriers: carriersOf(o.Card)}
}

// client returns the client for a call, with the certificate only where credentials may go.
func (r *run) client(http2, certified bool) *client.Client {
	key := [2]bool{http2, certified}
	if r.clients[key] == nil {
		o := client.Options{
			Named: slices.Clone(r.Named), Roots: r.Roots, Timeout: r.Timeout, MaxBody: maxBody, HTTP2: http2,
			Header: http.Header{"User-Agent": {"cardwright"}}, Sent: r.Sent, Dial: r.Dial,
		}
		for _, u := range r.Route {
			o.Named = append(o.Named, u.Hostname())
		}
		if certified {
			o.Certificate = r.Certificate
		}
		r.clients[key] = client.New(o)
	}
	return r.clients[key]
}

// limit says that there are no more calls.
func (r *run) limit() string {
	return fmt.Sprintf("the limit of %s is reached; raise it with --max-calls", diag.Count(r.MaxCalls, "call"))
}

// Run calls every interface of the card in turn. The error says that ctx was canceled.
func Run(ctx context.Context, o Options) ([]report.Check, error) {
	r := newRun(o)
	budget := 6 * r.Timeout * time.Duration((r.MaxCalls+MaxCalls-1)/MaxCalls)
	bounded, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	r.served(bounded)
	for i, in := range o.Card.Interfaces {
		r.examine(bounded, i, in)
	}
	r.tokens(bounded)
	return unite(r.checks), ctx.Err()
}

// Extended returns the extended card of the first interface that can be called.
func Extended(ctx context.Context, o Options) (*source.Node, error) {
	r := newRun(o)
	why := "no interface of the card can be called"
	for i, in := range o.Card.Interfaces {
		x := r.exam(ctx, i, in)
		if wordings[x.Version] == nil || x.fault != "" || x.withheld() {
			continue
		}
		a := x.ask(call{op: extendedCard})
		if a.kind == result {
			return a.result, nil
		}
		why = fmt.Sprintf("%s answers %s with %s", x, x.name(extendedCard), a.said())
	}
	return nil, errors.New(why)
}

// peer finds where an interface is called, by the most specific route, and with which credentials.
func (r *run) peer(i int, in schema.Interface) *peer {
	p := &peer{Interface: in, pointer: "/supportedInterfaces/" + strconv.Itoa(i), target: &url.URL{}}
	u, err := client.HostURL(r.address(in))
	if err != nil {
		p.fault = fmt.Sprintf("cannot call the interface: %s", err)
		return p
	}
	p.target, p.trusted = u, r.names(u, r.Named...)
	for _, host := range []string{client.Authority(u), u.Hostname()} {
		if to := r.Route[strings.ToLower(host)]; to != nil {
			moved := *u
			moved.Scheme, moved.Host, p.target = to.Scheme, to.Host, &moved
			p.trusted = true
			break
		}
	}
	for _, c := range r.Credentials {
		if c.Host == "" && p.trusted || c.Host != "" && r.names(u, c.Host) {
			p.credentials = append(p.credentials, c)
		}
	}
	return p
}

// names reports whether a URL is on one of the hosts, which are host or host:port.
func (r *run) names(u *url.URL, hosts ...string) bool {
	return slices.ContainsFunc(hosts, func(host string) bool {
		return strings.EqualFold(host, client.Authority(u)) || strings.EqualFold(strings.Trim(host, "[]"), u.Hostname())
	})
}

// address is the URL of an interface. A gRPC host:port uses TLS, but not here and on hosts named with http.
func (r *run) address(in schema.Interface) string {
	if in.Binding != "GRPC" {
		return in.URL
	}
	text := strings.TrimPrefix(in.URL, "dns:///")
	if strings.Contains(text, "://") {
		return strings.NewReplacer("grpc://", "http://", "grpcs://", "https://").Replace(text)
	}
	u, err := url.Parse("https://" + text)
	plain := r.Origin != nil && r.Origin.Scheme == "http"
	if err == nil && u.Port() != "443" && (client.Loopback(u.Hostname()) || plain && r.names(u, r.Named...)) {
		return "http://" + text
	}
	return "https://" + text
}

// scrub takes the credentials out of a text: what a server sends may echo them.
func (r *run) scrub(text string) string {
	for _, c := range r.Credentials {
		_, secret, _ := strings.Cut(c.Value, " ")
		for _, value := range []string{c.Value, url.QueryEscape(c.Value), secret} {
			if value != "" {
				text = strings.ReplaceAll(text, value, "***")
			}
		}
	}
	return text
}

// readCard reads a card that an agent sends, nil where it is none.
func readCard(n *source.Node) *schema.Card { return dialect.Read(n, dialect.ReadOptions{}).Card }
