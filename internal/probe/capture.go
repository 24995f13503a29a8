package probe

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

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
