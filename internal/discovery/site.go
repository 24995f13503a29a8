package discovery

import (
	"cmp"
	"slices"

	"cardwright/internal/diag"
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
	Owner     string    // who answers for it, "" when nobody is named
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
