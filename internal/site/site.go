package site

import (
	"cmp"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/convert"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Agent is one card of a site.
type Agent struct {
	ID   string       // of the configuration
	URL  string       // where the card is published, absolute, or "" if the base URL is unknown
	Path string       // slash path of the card below the root of the site
	Card *schema.Card // with its public skills
	Data []byte       // the card as published
}

// Tags returns the tags of all skills, each once, sorted bytewise.
func (a Agent) Tags() []string {
	var tags []string
	for _, s := range a.Card.Skills {
		tags = append(tags, s.Tags...)
	}
	slices.Sort(tags)
	return slices.DeleteFunc(slices.Compact(tags), func(tag string) bool { return tag == "" })
}

// Site is what one site publishes: one host in the layout host, else the whole tree.
type Site struct {
	Publisher string  // domain name
	URL       string  // of the root, without a slash at its end, or "" if it is unknown
	Agents    []Agent // with public cards only
	Skills    []Skill // that are published with their files
	Catalog   bool    // the site has an AI Catalog
}

// organization returns the provider of all agents, "" if that is not one.
func (s Site) organization() string {
	var name string
	for _, a := range s.Agents {
		if a.Card.Provider == nil || name != "" && a.Card.Provider.Organization != name {
			return ""
		}
		name = a.Card.Provider.Organization
	}
	return name
}

// sortedAgents returns the agents by their names.
func (s Site) sortedAgents() []Agent {
	return slices.SortedStableFunc(slices.Values(s.Agents), func(a, b Agent) int {
		byName := strings.Compare(strings.ToLower(a.Card.Name), strings.ToLower(b.Card.Name))
		return cmp.Or(byName, strings.Compare(a.ID, b.ID))
	})
}

// domain is a domain name with at least two labels, in its DNS form.
var domain = regexp.MustCompile(`^(?i:[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.|$)){2,}$`)

// IsDomain reports whether a text is a domain name that a publisher can have.
func IsDomain(text string) bool {
	_, err := netip.ParseAddr(text)
	return err != nil && len(text) <= 253 && !strings.HasSuffix(text, ".") && domain.MatchString(text)
}

// ReadCard reads a card as clients do. It returns nil if that is impossible.
func ReadCard(data []byte) *schema.Card {
	root, _ := source.ParseJSONUpTo("", data, len(data)+1)
	if root == nil {
		return nil
	}
	return convert.Read(root, convert.ReadOptions{}).Card
}
