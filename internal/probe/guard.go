package probe

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
)

// errPrivate says that a host which the user did not name is at an address that
// only this network can reach.
var errPrivate = errors.New("the host is at a private address")

// guard connects to the host that the user named at any address, and to all others
// only at public addresses. It remembers public addresses, so that the owner of
// a name cannot move it into this network between two requests.
type guard struct {
	named   string            // host:port
	resolve map[string]string // addresses of hosts, in place of what DNS says

	mu     sync.Mutex
	public map[string]bool // addresses of named hosts that were found to be public
}

func (g *guard) dial(ctx context.Context, network, asked string) (net.Conn, error) {
	asked = strings.ToLower(asked)
	address := asked
	if host, port, err := net.SplitHostPort(asked); err == nil {
		if isLocal(host) { // RFC 6761 section 6.3; few resolvers know the names below localhost
			host = "localhost"
		}
		address = net.JoinHostPort(cmp.Or(g.resolve[host], host), port)
	}
	dialer := net.Dialer{Control: func(_, resolved string, _ syscall.RawConn) error {
		if !private(resolved) || g.mayBePrivate(asked) {
			return nil
		}
		return errPrivate
	}}
	c, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if !private(c.RemoteAddr().String()) {
		g.mu.Lock()
		g.public[asked] = true
		g.mu.Unlock()
	}
	return c, nil
}

func (g *guard) mayBePrivate(address string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	host, _, _ := net.SplitHostPort(address)
	return !g.public[address] && (g.named == address || g.resolve[host] != "")
}

// loopback reports whether a host is this machine, by its name or address.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback() || isLocal(host)
}

func isLocal(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// authority is the host:port that a URL leads to, in lower case, the port of its scheme
// where it names none.
func authority(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return strings.ToLower(net.JoinHostPort(u.Hostname(), port))
}

// private reports whether an IP address with port is one that cannot be reached
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
		"0.0.0.0/8",        // this network
		"100.64.0.0/10",    // shared by a provider's customers
		"168.63.129.16/32", // of the host of each machine in Azure
		"192.0.0.0/24",     // protocol assignments
		"198.18.0.0/15",    // benchmarks
		"240.0.0.0/4",      // reserved
		"64:ff9b::/96",     // IPv4 behind NAT64
		"64:ff9b:1::/48",   // the same, for one network
		"2001::/32",        // IPv4 behind Teredo
		"2002::/16",        // IPv4 behind 6to4
		"fec0::/10",        // site-local, deprecated
		"::ffff:0:0:0/96",  // IPv4 translated
	} {
		if netip.MustParsePrefix(network).Contains(ip) {
			return true
		}
	}
	return false
}
