package generate

import (
	"context"
	"path"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// listAgents adds the files that list the agents of each site: for machines and
// for people.
func listAgents(_ context.Context, r *run) error {
	c := r.Config
	found := counted(c.Rules, append(append(checkCatalog(c), checkPage(c)...), r.checkPublish()...))
	found = append(found, r.worthwhile(siteTexts(c))...)
	r.report(found...)
	if found.Worst() == diag.Error || !c.Catalog && !c.HTML && len(c.Skills) == 0 {
		return nil
	}
	members := map[string][]*work{} // by the roots of their sites
	for _, w := range r.agents {
		dir := r.siteDir(w.agent)
		members[dir] = append(members[dir], w)
	}
	for _, dir := range r.siteDirs(r.agents) {
		s, faults := r.site(dir, members[dir])
		r.report(counted(c.Rules, faults)...)
		if err := r.index(dir, s); err != nil {
			return err
		}
	}
	return nil
}

// worthwhile returns the findings that the run is to report.
func (req *Request) worthwhile(found diag.List) diag.List {
	var kept diag.List
	for _, d := range found {
		if d.Severity != diag.Info || req.Notes {
			kept = append(kept, d)
		}
	}
	return kept
}

// index adds the files of one site that list its agents and skills.
func (r *run) index(dir string, s site.Site) error {
	c := r.Config
	if len(c.Skills) > 0 {
		for _, f := range s.SkillFiles() {
			file := r.file(f.Agent, path.Join(dir, f.Path), f.Data)
			if path.Base(f.Path) == site.SkillsIndexName {
				r.result.addIndex(file, Index{Kind: "Agent Skills", Skills: s.Skills})
				continue
			}
			r.result.Public = append(r.result.Public, file)
		}
	}
	if c.Catalog {
		r.result.addIndex(r.file("", path.Join(dir, site.CatalogPath), s.AICatalog()),
			Index{Kind: "AI Catalog", Agents: len(s.Agents)})
	}
	if c.HTML {
		data, err := s.Page()
		if err != nil {
			return err
		}
		r.result.addIndex(r.file("", path.Join(dir, site.PagePath), data), Index{Kind: "page", Agents: len(s.Agents)})
	}
	return nil
}

func (r *Result) addIndex(f site.File, x Index) {
	x.Path = f.Path
	r.Public = append(r.Public, f)
	r.Indexes = append(r.Indexes, x)
}

// siteDir is the root of the site of an agent, below the root of the tree.
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
	s := site.Site{
		Publisher: c.Publisher, Catalog: c.Catalog, URL: strings.TrimSuffix(c.URL(path.Join(dir, "x")), "/x"),
	}
	for _, w := range members {
		data := w.public.Data
		if data == nil {
			continue
		}
		name := path.Join(c.Dir(w.agent), site.CardPath)
		s.Agents = append(s.Agents, site.Agent{
			ID: w.agent.ID, URL: c.URL(name), Path: strings.TrimPrefix(strings.TrimPrefix(name, dir), "/"),
			Card: site.ReadCard(data), Data: data,
		})
	}
	var found diag.List
	s.Skills, found = r.skillSet(members)
	return s, found
}

// siteTexts judges the texts that become public and are on no card: as names of
// directories, and in lists. The findings of each agent are checked by its own
// rules.
func siteTexts(c *config.Config) diag.List {
	var found diag.List
	for i := range c.Agents {
		a := &c.Agents[i]
		texts := counted(a.Rules, unplaced(lint.Texts(gather(a.Node, "id", "path", "host"))))
		if len(c.Agents) > 1 {
			texts = texts.OfAgent(a.ID)
		}
		found = append(found, texts...)
	}
	for _, d := range counted(c.Rules, unplaced(lint.Texts(gather(c.Node, "publisher")))) {
		if d.Rule == diag.SecretValue { // the others are about prose
			found = append(found, d)
		}
	}
	return found
}

// unplaced returns findings about texts without their places in what was made to
// judge them.
func unplaced(found diag.List) diag.List {
	for i := range found {
		found[i].Pointer = ""
	}
	return found
}

// gather returns what some members hold as descriptions, which are judged.
func gather(n *source.Node, keys ...string) *source.Node {
	texts := &source.Node{Kind: source.Object}
	for _, key := range keys {
		if v := n.Get(key); v != nil {
			texts.Members = append(texts.Members, source.Member{Key: "description", KeySpan: v.Span, Value: v})
		}
	}
	return texts
}
