package generate

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/internal/catalog"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// siteFiles are the files that list the agents of each site: the AI Catalog.
func (req *Request) siteFiles(agents []*work) ([]schema.File, diag.List) {
	c := req.Config
	if !c.Catalog.Write {
		return nil, nil
	}
	found := req.checkCatalog()
	if found.Worst() == diag.Error {
		return nil, found
	}
	var files []schema.File
	for _, dir := range req.siteDirs(agents) {
		site, faults := req.site(dir, agents)
		data, more := site.AICatalog()
		found = slices.Concat(found, faults, more)
		files = append(files, req.file("", path.Join(dir, catalog.Path), catalog.MediaType, data))
	}
	return files, found
}

// siteDir is the root of the site that an agent is on, below that of the tree.
func (req *Request) siteDir(a *config.Agent) string {
	if req.Config.Layout == config.Host {
		return a.Host
	}
	return ""
}

// siteDirs are the roots of the sites that this run writes to.
func (req *Request) siteDirs(agents []*work) []string {
	var dirs []string
	for _, w := range agents {
		if dir := req.siteDir(w.agent); w.made.Data != nil && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// site gathers the agents of a site. Those that this run leaves alone are on it
// with the cards that they have on disk.
func (req *Request) site(dir string, agents []*work) (catalog.Site, diag.List) {
	c := req.Config
	site := catalog.Site{
		Host:    catalog.Host{Publisher: c.Catalog.Publisher, Namespace: c.Catalog.Namespace},
		Catalog: c.Catalog.Write,
	}
	var found diag.List
	for i := range c.Agents {
		a := &c.Agents[i]
		if req.siteDir(a) != dir {
			continue
		}
		listed := catalog.Agent{ID: a.ID, Span: a.Node.Span}
		name := path.Join(c.Dir(a), cardPath)
		if at := slices.IndexFunc(agents, func(w *work) bool { return w.agent == a }); at >= 0 {
			listed.Card, listed.Data = agents[at].public()
		} else {
			var faults diag.List
			listed.Card, listed.Data, faults = req.leftAlone(a, name)
			found = append(found, faults...)
		}
		if listed.Card == nil {
			continue
		}
		listed.URL = req.url(name)
		listed.Path = strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
		site.Agents = append(site.Agents, listed)
	}
	slices.SortFunc(site.Agents, func(a, b catalog.Agent) int { return cmp.Compare(a.ID, b.ID) })
	site.Host.Name = organization(site.Agents)
	site.Title = cmp.Or(site.Host.Name, c.Catalog.Publisher, "Agents")
	return site, found
}

// public is the public card of the agent with its skills, nil when there is
// none.
func (w *work) public() (*schema.Card, []byte) {
	for i := range w.cards {
		d := &w.cards[i]
		if d.extended || w.made.Data == nil {
			continue
		}
		card := *d.card
		card.Skills = make([]schema.Skill, len(d.skills))
		for i, s := range d.skills {
			card.Skills[i] = s.Skill
		}
		return &card, w.made.Data
	}
	return nil, nil
}

// leftAlone is the card of an agent that this run does not make, as it is on
// disk. One that was never written is on no site.
func (req *Request) leftAlone(a *config.Agent, name string) (*schema.Card, []byte, diag.List) {
	if req.Published == nil {
		return nil, nil, nil
	}
	data := req.Published(false, name)
	if data == nil {
		return nil, nil, nil
	}
	root, found := source.ParseJSON(name, data, req.Config.Limits)
	if found.Worst() < diag.Error {
		if r := schema.Read(root, schema.ReadOptions{}); r.Card != nil {
			return r.Card, data, nil
		}
	}
	return nil, nil, diag.List{{
		Rule: "catalog-unread", Severity: diag.Warning, Span: a.Node.Span,
		Message: fmt.Sprintf("agent %q is not listed, because its card on disk, %q, cannot be read", a.ID, name),
		Hint:    "run cardwright generate without --agent",
	}}
}

// organization is who provides all the agents, "" when that is not one.
func organization(agents []catalog.Agent) string {
	var name string
	for _, a := range agents {
		if a.Card.Provider == nil || name != "" && a.Card.Provider.Organization != name {
			return ""
		}
		name = a.Card.Provider.Organization
	}
	return name
}

// checkCatalog reports what keeps the catalogue from being written, and what it
// will lack.
func (req *Request) checkCatalog() diag.List {
	c := req.Config
	var found diag.List
	report := func(severity diag.Severity, key, message, hint string) {
		at := c.Node.Get(key)
		if at == nil {
			at = c.Node.Get("catalog")
		}
		found = append(found, diag.Diagnostic{Rule: "config-value", Severity: severity, Message: message, Span: at.Span, Hint: hint})
	}
	publisher := c.Catalog.Publisher
	switch fault := catalog.PublisherFault(publisher); {
	case publisher == "":
		report(diag.Error, "publisher", "the catalogue needs a publisher, of which the identifiers of its entries are made", "add publisher: acme.example, with the domain name of who publishes the agents; it stays the same in every environment")
	case fault != "":
		report(diag.Error, "publisher", fmt.Sprintf("the publisher %q %s", publisher, fault), "use a domain name such as acme.example; one with other letters in the form of DNS, xn--…")
	case !strings.Contains(publisher, "."):
		report(diag.Warning, "publisher", fmt.Sprintf("the publisher %q is no domain name, which the identifiers of a catalogue are to begin with", publisher), "use a domain name such as acme.example")
	}
	if namespace := c.Catalog.Namespace; namespace != "" {
		if fault := catalog.NamespaceFault(namespace); fault != "" {
			report(diag.Error, "namespace", fmt.Sprintf("the namespace %q %s", namespace, fault), "use letters, digits, dots, hyphens and underscores, and colons between segments")
		}
	}
	if c.Layout != config.Host && c.BaseURL == "" {
		report(diag.Warning, "catalog", "without baseUrl nobody knows the URLs of the cards, so that the catalogue embeds the cards instead of linking to them", "set baseUrl, or pass --base-url")
	}
	return found
}
