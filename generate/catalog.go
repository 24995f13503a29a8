package generate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/tree"
)

// listAgents adds the files that list the agents of each site: for machines and
// for people.
func listAgents(r *run) error {
	c := r.Config
	found := counted(c.Rules, slices.Concat(checkSite(c), r.checkPublish()))
	blocked := found.Worst() == diag.Error
	found = append(found, r.ofOthers(siteTexts(c))...)
	if len(c.List) > 0 && !c.Lists() {
		found = append(found, diag.New("config-unmatched", c.List[0].Span, "the cards of list are not listed anywhere").
			WithHint("set catalog: true, ard: true or html: true"))
	}
	lists := c.Catalog.Write || c.Catalog.ARD || c.Catalog.Link || c.HTML || len(c.Skills.Publish) > 0 || len(c.MCP) > 0
	if n := c.Node.Get("compress"); n != nil && !lists && !c.Skipped {
		found = append(found, diag.New("config-unmatched", n.Span, "there is no list to compress").
			WithHint("set catalog: true, ard: true, link: true or html: true"))
	}
	if !lists || blocked {
		r.report(found...)
		return nil
	}
	servers, faults, err := mcpServers(c, r.Open, r.privateTool)
	if found = append(found, r.ofOthers(faults)...); err != nil || found.Worst() == diag.Error || r.result.Others != nil {
		r.report(found...)
		return err
	}
	others, faults := r.listed()
	if found = append(found, r.ofOthers(counted(c.Rules, faults))...); found.Worst() == diag.Error {
		r.report(found...)
		return nil
	}
	made := make(map[*config.Agent]*work, len(r.agents))
	for _, w := range r.agents {
		made[w.agent] = w
	}
	members := map[string][]*config.Agent{} // by the roots of their sites
	for i := range c.Agents {
		dir := r.siteDir(&c.Agents[i])
		members[dir] = append(members[dir], &c.Agents[i])
	}
	var listed diag.List
	for _, dir := range r.siteDirs(r.agents) {
		site, faults := r.site(dir, members[dir], made)
		site.Agents = append(site.Agents, others...)
		listed = append(listed, faults...)
		site.Servers = servers
		more, err := r.index(dir, site)
		if listed = append(listed, newAmong(listed, more)...); err != nil {
			return err
		}
	}
	r.report(append(found, counted(c.Rules, listed)...)...)
	return nil
}

// ofOthers returns the findings that are about what this run makes, and keeps the
// errors of agents that it leaves alone.
func (r *run) ofOthers(found diag.List) diag.List {
	var own diag.List
	for _, d := range found {
		switch {
		case d.Agent == "" || len(r.Agents) == 0 || slices.Contains(r.Agents, d.Agent):
			if d.Severity > diag.Info || r.Notes {
				own = append(own, d)
			}
		case d.Severity == diag.Error || r.Strict && d.Severity == diag.Warning:
			d.Severity = diag.Error
			r.result.Others = append(r.result.Others, d)
		}
	}
	return own
}

// index adds the files of one site that list its agents and skills.
func (r *run) index(dir string, site discovery.Site) (found diag.List, err error) {
	c := r.Config
	agents := func(name, kind string, data []byte) {
		r.result.addIndex(r.file("", path.Join(dir, name), data), Index{Kind: kind, Agents: len(site.Agents)})
	}
	for _, f := range site.Skills.Files() {
		r.result.Public = append(r.result.Public, r.file(f.Agent, path.Join(dir, f.Path), f.Data))
	}
	for _, f := range site.ServerCards() {
		r.result.Public = append(r.result.Public, r.file("", path.Join(dir, f.Path), f.Data))
	}
	if len(c.Skills.Publish) > 0 {
		for _, f := range site.Skills.Indexes() {
			r.result.addIndex(r.file("", path.Join(dir, f.Path), f.Data),
				Index{Kind: "Agent Skills", Skills: site.Skills.Skills})
		}
	}
	if c.Catalog.Write {
		data, faults := site.AICatalog()
		found = append(found, faults...)
		agents(tree.CatalogPath, "AI Catalog", data)
	}
	if c.Catalog.ARD {
		data, faults := site.ARD()
		found = append(found, newAmong(found, faults)...)
		agents(tree.ARDPath, "ARD", data)
	}
	if c.Catalog.Link {
		agents(tree.APICatalogPath, "API catalog", site.APICatalog())
	}
	if c.HTML {
		data, err := site.Page()
		if err != nil {
			return found, err
		}
		agents(tree.PagePath, "page", data)
	}
	return found, nil
}

// newAmong returns the findings that are not among those before.
func newAmong(before, found diag.List) diag.List {
	type key struct {
		rule, message string
		at            diag.Span
	}
	known := make(map[key]bool, len(before))
	for _, d := range before {
		known[key{d.Rule, d.Message, d.Span}] = true
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return known[key{d.Rule, d.Message, d.Span}] })
}

func (r *Result) addIndex(f tree.File, x Index) {
	x.Path = f.Path
	r.Public = append(r.Public, f)
	r.Indexes = append(r.Indexes, x)
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
	known := map[string]bool{}
	for _, w := range agents {
		if dir := req.siteDir(w.agent); w.public.Data != nil && !known[dir] {
			known[dir] = true
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// site gathers the agents of a site, each as its card has it: those that this
// run leaves alone with the card that they have on disk, if they have any. The
// cards are read back, so that a run for one agent makes the bytes that one for
// all makes.
func (r *run) site(dir string, members []*config.Agent, made map[*config.Agent]*work) (discovery.Site, diag.List) {
	c := r.Config
	var listed []discovery.Agent
	var found diag.List
	for _, a := range members {
		name := path.Join(c.Dir(a), tree.CardPath)
		data := r.Published.File(false, name)
		if w := made[a]; w != nil {
			data = w.public.Data
		}
		if data == nil {
			continue
		}
		card := discovery.ReadCard(data)
		if card == nil {
			found = append(found, diag.New("catalog-unread", a.Node.Span,
				"agent %q is not listed, because its card on disk, %q, cannot be read", a.ID, name).
				WithHint("run cardwright generate without --agent"))
			continue
		}
		inside := strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
		listed = append(listed, discovery.Agent{
			ID: a.ID, Owner: a.Owner, URL: r.Config.URL(name), Path: inside, Card: card,
			Data: data, Queries: a.Queries, Span: a.Node.Span,
		})
	}
	site := discovery.NewSite(discovery.Host{Publisher: c.Catalog.Publisher, Namespace: c.Catalog.Namespace}, listed)
	site.Title, site.Accent = cmp.Or(c.Title, site.Title), c.Accent
	site.Catalog, site.Inline, site.HasARD = c.Catalog.Write, c.Catalog.Inline, c.Catalog.ARD
	site.URL = strings.TrimSuffix(c.URL(path.Join(dir, "x")), "/x")
	site.Nested = c.Nested
	var faults diag.List
	site.Skills, faults = r.skillSet(dir, members, made)
	return site, append(found, faults...)
}
