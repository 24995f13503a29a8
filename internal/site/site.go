package site

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Agent is one card of a site, as the catalog and the page show it.
type Agent struct {
	ID   string       // of the configuration; for cards of others, made from the name
	URL  string       // where the card is published, absolute; "" when nobody knows
	Path string       // slash path of the card from the site root, for relative links; "" when it is not in the tree
	Card *schema.Card // with its public skills
	Data []byte       // the card as published, byte for byte
	// Publisher is the domain name of who publishes the agent, "" for that of
	// the host.
	Publisher string
	Queries   []string  // that searches find it by, where they are not the examples of its skills
	Span      diag.Span // what findings about it point at
}

// Tags are those of all skills, each once, sorted bytewise.
func (a Agent) Tags() []string {
	var tags []string
	for _, s := range a.Card.Skills {
		tags = append(tags, s.Tags...)
	}
	slices.Sort(tags)
	return slices.DeleteFunc(slices.Compact(tags), func(tag string) bool { return tag == "" })
}

// Site is what one site root publishes: one host in the layout host, the whole
// output in the others.
type Site struct {
	Title   string // heading of the page
	Accent  string // color of the page as #rgb or #rrggbb, "" for the default
	Host    Host
	Agents  []Agent // with public cards only, sorted by ID
	Catalog bool    // the site has an AI Catalog, at /.well-known/ai-catalog.json
	Inline  bool    // which has the cards in it
	HasARD  bool    // and an ard.json beside it
	URL     string  // of the root of the site, without a slash at its end; "" when nobody knows
	Skills  SkillSet
	Servers []Server // that speak MCP
	Nested  []Nested // catalogs and plugins that are published elsewhere
}

// NewSite returns the site of the agents, which carries the name of who provides
// all of them.
func NewSite(host Host, agents []Agent) Site {
	slices.SortStableFunc(agents, func(a, b Agent) int { return cmp.Compare(a.ID, b.ID) })
	host.Name = organization(agents)
	title := "Agents"
	if host.Name != "" {
		title += " of " + host.Name
	}
	return Site{Title: title, Host: host, Agents: agents}
}

// organization is who provides all the agents, "" when that is not one.
func organization(agents []Agent) string {
	var name string
	for _, a := range agents {
		if a.Card.Provider == nil || name != "" && a.Card.Provider.Organization != name {
			return ""
		}
		name = a.Card.Provider.Organization
	}
	return name
}

// Host is who publishes a site.
type Host struct {
	Name      string // of the organization, for people
	Publisher string // its domain name
	Namespace string // of its agents, one or more segments divided by colons
}

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
	host := schema.Host(address)
	if rest, ok := strings.CutPrefix(host, "www."); ok && IsDomain(rest) {
		return rest
	}
	return host
}

// Listed reads a card of others, of any version or dialect, as an agent that is listed
// here and published elsewhere. It is nil where that cannot be done.
func Listed(file string, data []byte, limits source.Limits) (*Agent, diag.List) {
	root, found := source.ParseJSONLenient(file, data, limits)
	if root == nil || found.Worst() == diag.Error {
		return nil, found
	}
	for i := range found {
		found[i].Severity = diag.Info
	}
	reading := convert.Read(root, convert.ReadOptions{})
	found = slices.Concat(found, reading.Found, reading.Missing)
	if reading.Card == nil || len(reading.Missing) > 0 {
		return nil, found
	}
	a := &Agent{ID: NameID(reading.Card.Name), Card: reading.Card, Data: data, Span: diag.Span{File: file}}
	if len(found) > 0 { // the catalog holds what was made of it
		node, losses := convert.Convert(reading, reading.Card.Protocol(), schema.WireOptions{})
		if found = append(found, losses...); node == nil {
			return nil, found
		}
		a.Data = schema.Write(node)
	}
	for _, d := range lint.Card(root, lint.Options{}) {
		switch d.Rule {
		case "secret-value", "text-invisible":
			d.Severity = diag.Warning // it is somebody else's, and public already
			found = append(found, d)
		}
	}
	publisher, from := PublisherOf(a.Card, "")
	d := diag.New("catalog-publisher", a.Span, "the publisher is %s, from %s", diag.Quote(publisher), from)
	switch {
	case publisher == "":
		d.Severity, d.Message = diag.Error, "the publisher of the card is unknown, but its identifier must begin with it"
	case !IsDomain(publisher):
		d.Severity = diag.Warning
		d.Message += ", which is not a domain name"
	}
	a.Publisher = publisher
	return a, append(found, d)
}
