package lint

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// absolute returns text as an absolute URL with a host, nil when it is none.
func absolute(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Hostname() == "" {
		return nil
	}
	return u
}

// web returns text as an absolute http or https URL, nil when it is none.
func web(text string) *url.URL {
	if u := absolute(text); u != nil && (u.Scheme == "http" || u.Scheme == "https") {
		return u
	}
	return nil
}

// hostOf returns the host that a URL or a host:port names, in lower case and
// without a final dot, "" when there is none.
func hostOf(text string) string {
	host := dialHost(text)
	if u := absolute(text); u != nil {
		host = u.Hostname()
	}
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

// dialHost returns the host of the address form of gRPC, host:port with IPv6 addresses
// in brackets, "" for another text.
func dialHost(text string) string {
	u, err := url.Parse("//" + text)
	if err != nil || u.Host != text || u.Port() == "" || len(u.Port()) > len("65535") {
		return ""
	}
	if _, err := netip.ParseAddr(u.Hostname()); err != nil && strings.Contains(u.Hostname(), ":") {
		return ""
	}
	return u.Hostname()
}

// isLoopback reports whether host never leaves the machine.
func isLoopback(host string) bool {
	if within(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// isPlaceholder reports whether host is a name or an address that no agent can have:
// RFC 2606 and 6761 names, RFC 5737 and 3849 addresses, the unspecified address,
// and what people write for a name of their own: your-domain.com. Names below .example and .test
// are not among them: documentation and tests use those on purpose.
func isPlaceholder(host string) bool {
	if within(host, "example.com", "example.net", "example.org", "invalid", "localhost") {
		return true
	}
	if slices.ContainsFunc(strings.Split(host, "."), isYours) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsUnspecified() || inNetworks(ip, "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",
		"2001:db8::/32"))
}

// isYours reports whether a label of a host name is a placeholder such as yourdomain.
func isYours(label string) bool {
	what, ok := strings.CutPrefix(label, "your")
	return ok && slices.Contains([]string{
		"domain", "company", "org", "organization", "host", "server", "agent", "app",
		"site",
	}, strings.TrimPrefix(what, "-"))
}

// isPrivate reports whether host can be reached from inside one network only:
// loopback, private and link-local addresses, those that clouds give their machines
// for metadata, names of local zones, and names without a dot.
func isPrivate(host string) bool {
	ip, err := netip.ParseAddr(host)
	if err == nil {
		ip = ip.WithZone("").Unmap()
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() ||
			inNetworks(ip, "100.64.0.0/10", "168.63.129.16/32", "192.0.0.0/24")
	}
	return inLocalZone(host) || !strings.Contains(host, ".") ||
		within(host, "localtest.me", "lvh.me") // which public DNS resolves to 127.0.0.1
}

// inLocalZone reports whether host has an ending that public DNS does not have, such as those
// of offices and of services in Kubernetes.
func inLocalZone(host string) bool {
	return within(host, "corp", "home.arpa", "internal", "lan", "local", "svc")
}

// within reports whether host is one of the zones or a name below one.
func within(host string, zones ...string) bool {
	for _, zone := range zones {
		if rest, ok := strings.CutSuffix(host, zone); ok && (rest == "" || strings.HasSuffix(rest, ".")) {
			return true
		}
	}
	return false
}

func inNetworks(ip netip.Addr, networks ...string) bool {
	for _, network := range networks {
		if netip.MustParsePrefix(network).Contains(ip.Unmap()) {
			return true
		}
	}
	return false
}
