package probe

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"cardwright/internal/cardfile"
	"cardwright/internal/client"
	"cardwright/internal/contract"
	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/schema"
)

// CaptureOptions say which card is captured.
type CaptureOptions struct {
	URL      string
	Given    *cardfile.Promise     // a card that the user has fetched, in place of a URL
	Headers  []contract.Credential // that the extended card is asked for with
	Extended bool                  // the card for authenticated clients
	Timeout  time.Duration
	NewID    func() string // a fresh UUID
}

// Captured is a card that an agent serves, as a source file has it.
type Captured struct {
	Node   *source.Node
	Found  diag.List // what the source file does not say
	Form   string    // what the card is written in
	Skills int
}

// Capture asks an agent for its card.
func Capture(ctx context.Context, o CaptureOptions) (*Captured, error) {
	served, err := o.Given, error(nil)
	if served == nil {
		served, err = cardfile.Served(ctx, o.URL, o.Timeout)
	}
	if err != nil {
		return nil, err
	}
	reading := served.Reading
	if o.Extended {
		if reading, err = o.extended(ctx, served); err != nil {
			return nil, err
		}
	}
	node, found := CapturedSource(reading.Card, served.From)
	found = slices.Concat(reading.Found, found).Sorted()
	for i := range found {
		found[i].Span = diag.Span{} // the file has other lines
		found[i].Severity = min(found[i].Severity, diag.Warning)
	}
	return &Captured{Node: node, Found: found, Form: reading.Form, Skills: len(reading.Card.Skills)}, nil
}

// extended is the card for authenticated clients.
func (o CaptureOptions) extended(ctx context.Context, served *cardfile.Promise) (*dialect.Reading, error) {
	options := contract.Options{Card: served.Card, Credentials: o.Headers, NewID: o.NewID, Timeout: o.Timeout}
	options.From(served.From)
	node, err := contract.Extended(ctx, options)
	if err != nil {
		return nil, diag.UsageError("cardwright contract "+o.URL+" says more", "%s", err)
	}
	r := dialect.Read(node, dialect.ReadOptions{})
	if r.Card == nil {
		return nil, diag.UsageError("", "the extended card of the agent is not a card")
	}
	return r, nil
}

// Differences are what differs between a card that was captured before and what is
// served now.
func (c *Captured) Differences(before *cardfile.Promise) []diff.Comparison {
	now := dialect.Read(c.Node, dialect.ReadOptions{})
	return diff.Agents(map[string]diff.Side{"": {Card: before.Card}}, map[string]diff.Side{"": {Card: now.Card}})
}

// ParseResolve reads the values of --resolve: HOST:ADDR, or HOST:PORT:ADDR as curl
// wants it.
func ParseResolve(list []string) (map[string]string, error) {
	found := map[string]string{}
	for _, text := range list {
		host, rest, _ := strings.Cut(text, ":")
		name, address := host, rest
		if _, err := netip.ParseAddr(strings.Trim(rest, "[]")); err != nil {
			port, after, _ := strings.Cut(rest, ":")
			if n, err := strconv.ParseUint(port, 10, 16); err == nil && n > 0 {
				name, address = net.JoinHostPort(host, port), after
			}
		}
		ip, err := netip.ParseAddr(strings.Trim(address, "[]"))
		if err != nil || host == "" {
			return nil, diag.UsageError("write a host and an IP address: --resolve agents.acme.example:203.0.113.7",
				"--resolve %s is not HOST:ADDR", diag.Quote(text))
		}
		found[strings.ToLower(name)] = ip.String()
	}
	return found, nil
}

// CapturedSource returns a card for a source file: in the form of its protocol version,
// with [schema.HostVariable] for the agent's own host, and without signatures,
// which are valid only for the bytes that were served. Without a URL that it came
// from, nothing is replaced. The findings say what is left out, and which addresses
// lead to this machine only.
func CapturedSource(served *schema.Card, from *url.URL) (*source.Node, diag.List) {
	c := *served
	c.Signatures = nil
	node, found := schema.Wire(&c, c.Protocol(), schema.WireOptions{})
	if from != nil {
		rebase(node, origins(from))
	}
	for i, in := range c.Interfaces {
		_, address, ok := strings.Cut(in.URL, "://")
		if !ok {
			address = in.URL
		}
		host, _, err := net.SplitHostPort(address)
		own := from != nil && from.Scheme == "http" && host == from.Hostname()
		if in.Binding == "GRPC" && err == nil && (own || client.Loopback(host) || host == "0.0.0.0" || host == "::") {
			found = append(found, diag.New("interface-private-host", diag.Span{}, "the address %s is that of the running agent",
				diag.Quote(in.URL)).WithPointer(fmt.Sprintf("/supportedInterfaces/%d/url", i)).
				WithHint("set the public address with interfaces in cardwright.yaml, which override those of the file"))
		}
	}
	return node, found
}

// origins returns the spellings of an agent's own host: the one in the URL, and
// all names of this machine.
func origins(from *url.URL) []string {
	list := []string{from.Scheme + "://" + from.Host}
	if !client.Loopback(from.Hostname()) {
		return list
	}
	port := ""
	if p := from.Port(); p != "" {
		port = ":" + p
	}
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]", "0.0.0.0"} {
		if o := from.Scheme + "://" + host + port; !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	return list
}

// rebase replaces the origins in all texts that begin with one.
func rebase(n *source.Node, origins []string) {
	if n.Is(source.String) {
		for _, o := range origins {
			if rest, ok := schema.CutHost(n.Text, o); ok {
				n.Text = schema.HostVariable + rest
				return
			}
		}
	}
	for _, item := range n.Items {
		rebase(item, origins)
	}
	for _, m := range n.Members {
		rebase(m.Value, origins)
	}
}
