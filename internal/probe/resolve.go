package probe

import (
	"net"
	"net/netip"
	"strconv"
	"strings"

	"cardwright/internal/diag"
)

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
