package probe

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"syscall"
)

// errPrivate says that a redirect led to an address that only this network can
// reach.
var errPrivate = errors.New("the host led to a private address")

// guard connects to the host that the user typed wherever that is, and to any
// other host only at a public address. A name that was public once stays so:
// its owner cannot move it into this network between two requests.
type guard struct {
	typed string // host:port

	mu     sync.Mutex
	public bool // the typed host was found at a public address
}

func (g *guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	typed := address == g.typed
	if host, port, err := net.SplitHostPort(address); err == nil && isLocal(host) {
		address = net.JoinHostPort("127.0.0.1", port) // RFC 6761 section 6.3; few resolvers know the names below localhost
	}
	d := net.Dialer{Control: func(_, address string, _ syscall.RawConn) error {
		if !private(address) || typed && g.mayBePrivate() {
			return nil
		}
		return errPrivate
	}}
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err //nolint:wrapcheck // explained by explain, which knows the errors of net
	}
	if typed && !private(c.RemoteAddr().String()) {
		g.mu.Lock()
		g.public = true
		g.mu.Unlock()
	}
	return c, nil
}

func (g *guard) mayBePrivate() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.public
}

// isLocal tells whether a host is this machine by its name.
func isLocal(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// private tells whether an IP address with port is one that cannot be reached
// from everywhere (IANA special-purpose address registries).
func private(address string) bool {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return true
	}
	ip := ap.Addr().WithZone("").Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return true
	}
	for _, network := range []string{
		"0.0.0.0/8",       // this network
		"100.64.0.0/10",   // shared by a provider's customers
		"192.0.0.0/24",    // protocol assignments
		"198.18.0.0/15",   // benchmarks
		"240.0.0.0/4",     // reserved
		"64:ff9b::/96",    // IPv4 behind NAT64
		"64:ff9b:1::/48",  // the same, for one network
		"2001::/32",       // IPv4 behind Teredo
		"2002::/16",       // IPv4 behind 6to4
		"fec0::/10",       // site-local, deprecated
		"::ffff:0:0:0/96", // IPv4 translated
	} {
		if netip.MustParsePrefix(network).Contains(ip) {
			return true
		}
	}
	return false
}
