package probe

import (
	"net/netip"
	"strings"

	"cardwright/internal/diag"
)

// ParseResolve reads the values of --resolve: HOST:ADDR.
func ParseResolve(list []string) (map[string]string, error) {
	found := map[string]string{}
	for _, text := range list {
		host, address, _ := strings.Cut(text, ":")
		ip, err := netip.ParseAddr(strings.Trim(address, "[]"))
		if err != nil || host == "" {
			return nil, diag.UsageError("write a host and an IP address: --resolve agents.acme.example:203.0.113.7",
				"--resolve %s is not HOST:ADDR", diag.Quote(text))
		}
		found[strings.ToLower(host)] = ip.String()
	}
	return found, nil
}
