package generate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/internal/tree"
)

// listAgents adds the files that list the agents of each site: for machines and
// for people.
func listAgents(r *run) error {
	c := r.Config
	found := counted(c.Rules, slices.Concat(checkSite(c), r.checkPublish()))
	blocked := found.Worst() == diag.Error
	found = append(found, r.worthwhile(siteTexts(c))...)
	if len(c.List) > 0 && !c.Lists() {
		found = append(found, diag.New("config-unmatched", c.List[0].Span, "the cards of list are not listed anywhere").
			WithHint("set catalog: true, ard: true or html: true"))
	}
	lists := c.Catalog.Write || c.Catalog.ARD || c.Catalog.Link || c.HTML || len(c.Skills.Publish) > 0 || len(c.MCP) > 0
	if n := c.Node.Get("compress"); n != nil && !lists {
		found = append(found, diag.New("config-unmatched", n.Span, "there is no list to compress").
			WithHint("set catalog: true, ard: true, link: true or html: true"))
	}
	if !lists || blocked {
		r.report(found...)
		return nil
	}
	servers, faults, err := mcpServers(c, r.Open)
	if found = append(found, r.worthwhile(faults)...); err != nil || found.Worst() == diag.Error {
		r.report(found...)
		return err
	}
	others, faults := r.listed()
	if found = append(found, r.worthwhile(counted(c.Rules, faults))...); found.Worst() == diag.Error {
		r.report(found...)
		return nil
	}
	members := map[string][]*work{} // by the roots of their sites
	for _, w := range r.agents {
		dir := r.siteDir(w.agent)
		members[dir] = append(members[dir], w)
	}
	var listed diag.List
	for _, dir := range r.siteDirs(r.agents) {
		site, faults := r.site(dir, members[dir])
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

// worthwhile returns the findings that the run is to report.
func (r *run) worthwhile(found diag.List) diag.List {
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Info && !r.Notes })
}

// index adds the files of one site that list its agents and skills.
func (r *run) index(dir string, site site.Site) (found diag.List, err error) {
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

// site gathers the agents of a site, each as its card has it.
func (r *run) site(dir string, members []*work) (site.Site, diag.List) {
	c := r.Config
	var listed []site.Agent
	var found diag.List
	for _, w := range members {
		a, data := w.agent, w.public.Data
		if data == nil {
			continue
		}
		name := path.Join(c.Dir(a), tree.CardPath)
		inside := strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
		listed = append(listed, site.Agent{
			ID: a.ID, URL: r.Config.URL(name), Path: inside, Card: site.ReadCard(data),
			Data: data, Queries: a.Queries, Span: a.Node.Span,
		})
	}
	site := site.NewSite(site.Host{Publisher: c.Catalog.Publisher, Namespace: c.Catalog.Namespace}, listed)
	site.Title, site.Accent = cmp.Or(c.Title, site.Title), c.Accent
	site.Catalog, site.Inline, site.HasARD = c.Catalog.Write, c.Catalog.Inline, c.Catalog.ARD
	site.URL = strings.TrimSuffix(c.URL(path.Join(dir, "x")), "/x")
	site.Nested = c.Nested
	var faults diag.List
	site.Skills, faults = r.skillSet(members)
	return site, append(found, faults...)
}
