package generate

import (
	"context"
	"path"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/site"
)

// listAgents adds the files that list the agents of each site: for machines and
// for people.
func listAgents(_ context.Context, r *run) error {
	c := r.Config
	found := append(checkCatalog(c), r.checkPublish()...)
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
		r.report(faults...)
		if err := r.index(dir, s); err != nil {
			return err
		}
	}
	return nil
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
