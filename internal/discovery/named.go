package discovery

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"cardwright/schema"
)

// longestID bounds an id that is made from a name, in bytes.
const longestID = 100

// NameID makes the id of an agent from the name on its card.
func NameID(name string) string {
	id := schema.Slug(name)
	if len(id) > longestID {
		cut := longestID
		for !utf8.RuneStart(id[cut]) {
			cut--
		}
		id = strings.TrimRight(id[:cut], "-")
	}
	if id == "" {
		return "agent"
	}
	return id
}

// PublisherOf returns the host name of who seems to publish a card, and which
// part of it tells: the provider, the URL where the card is published, or the
// preferred interface. A domain name goes before any other name. Both are ""
// when there is none.
func PublisherOf(c *schema.Card, address string) (publisher, told string) {
	var sources [][2]string
	if c.Provider != nil {
		sources = append(sources, [2]string{c.Provider.URL, "the URL of its provider"})
	}
	sources = append(sources, [2]string{address, "the URL of the card"})
	if len(c.Interfaces) > 0 {
		sources = append(sources, [2]string{c.Interfaces[0].URL, "the URL of its preferred interface"})
	}
	for _, fits := range []func(string) bool{IsDomain, func(host string) bool { return PublisherFault(host) == "" }} {
		for _, s := range sources {
			if host := hostOf(s[0]); fits(host) {
				return host, s[1]
			}
		}
	}
	return "", ""
}

// IsDomain reports whether the publisher of an identifier is a domain name, and
// not the name of some machine or an address.
func IsDomain(publisher string) bool {
	_, err := netip.ParseAddr(publisher)
	return err != nil && strings.Contains(publisher, ".") && PublisherFault(publisher) == ""
}

// hostOf is the host of a URL, or of the host:port that gRPC uses, without www.
func hostOf(address string) string {
	if !strings.Contains(address, "://") {
		address = "//" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if rest, ok := strings.CutPrefix(host, "www."); ok && IsDomain(rest) {
		return rest
	}
	return host
}
