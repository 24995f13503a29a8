package starter

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/mapping"
	"cardwright/schema"
)

// agent is an entry of agents in the configuration.
type agent struct {
	ID               string
	Members          []member // that no source gives
	Sources          []entry
	Include, Exclude []string // ids of skills, at most one of them
	Empty            bool     // there is no skill

	dir    string
	rest   bool // it has what no manifest describes
	skills []mapping.Skill
	card   schema.Card // what the sources say
	author string      // an organization without a URL
	faulty bool        // a source has an error, which generate is to report
}

// member is a line about an agent.
type member struct{ Key, Value, Comment string }

// entry is an entry of skills.from.
type entry struct {
	Type    mapping.SourceType
	Path    string
	Flag    string // a key that is true
	Exclude []string
}

// explore makes the agents: one of each directory that describes itself, and one of all
// that lies outside of these.
func (p *project) explore(ctx context.Context) {
	by := owners{".": &agent{dir: ".", rest: true}}
	agents := p.described(ctx, by)
	loose := p.loose(by)
	all := slices.Concat(p.scan.skills, p.scan.aside)
	for a, files := range loose {
		for _, dir := range slices.Concat(p.Dirs, []string{"."}) {
			var here, rest []string
			for _, file := range files {
				if holds(dir, file) {
					here = append(here, file)
				} else {
					rest = append(rest, file)
				}
			}
			for _, e := range cover(dir, here, all) {
				a.add(e, p.read(ctx, e))
			}
			files = rest
		}
	}
	p.attach(ctx, by)
	agents = slices.DeleteFunc(agents, p.isBare)
	if main := by["."]; len(agents) == 0 || main.rest && len(main.skills) > 0 {
		agents = append(agents, main)
	} else if main.rest {
		p.scan.leave("not to be read as a skill", loose[main]...)
	}
	p.agents = p.once(agents)
	for _, a := range p.agents {
		a.Empty = len(a.skills) == 0 && !a.faulty
		if p.scan.packages[a.dir] && (a.card.Version == "" || a.card.Description == "") {
			e := entry{Type: mapping.TypePackage, Path: a.dir}
			a.add(e, p.read(ctx, e))
		}
	}
}

// owners are agents by their directories.
type owners map[string]*agent

// of returns the agent of the directory that a path lies in.
func (o owners) of(name string) *agent {
	for o[name] == nil {
		name = path.Dir(name)
	}
	return o[name]
}

// described are the agents of the directories with a manifest.
func (p *project) described(ctx context.Context, by owners) (agents []*agent) {
	for _, dir := range slices.Sorted(maps.Keys(p.scan.described)) {
		e, a := p.scan.described[dir], &agent{dir: dir}
		if a.add(e, p.read(ctx, e)); a.faulty && e.Type == mapping.TypeCard {
			p.scan.leave("not to be read as an agent card", e.Path)
			continue
		}
		by[dir], agents = a, append(agents, a)
		for _, s := range a.skills {
			p.scan.read[s.Origin.File] = true
		}
	}
	return agents
}

// loose are the skills that no manifest is to list.
func (p *project) loose(by owners) map[*agent][]string {
	for why, files := range p.scan.left { // a manifest may list what is not searched
		p.scan.left[why] = slices.DeleteFunc(files, func(file string) bool { return p.scan.read[file] })
	}
	loose := map[*agent][]string{}
	for _, file := range p.scan.skills {
		switch a := by.of(file); {
		case p.scan.read[file]:
		case a.rest && !p.scan.lists, a.is(mapping.TypeCard) && len(a.skills) == 0:
			loose[a] = append(loose[a], file)
		default:
			p.scan.leave("not listed by the manifest", file)
		}
	}
	return loose
}

// attach adds the sources of other formats to the agents that they lie in.
func (p *project) attach(ctx context.Context, by owners) {
	for _, at := range slices.Sorted(maps.Keys(p.scan.sources)) {
		e, a := p.scan.sources[at], by.of(at)
		if a.is(mapping.TypeCard) || e.Flag == "flat" && !a.rest {
			continue // its manifest says all
		}
		if g := p.read(ctx, e); len(g.Skills) > 0 {
			a.add(e, g)
		}
	}
}

// isBare notes an agent whose manifest has no skill, unless generate is to report why.
func (p *project) isBare(a *agent) bool {
	if len(a.skills) > 0 || a.faulty && a.is(mapping.TypePlugin) {
		return false
	}
	if a.dir != "." {
		p.scan.leave("manifests without a skill", a.dir)
	}
	return true
}

// read reads a source as generate does. Only the context stops it, which New reports.
func (p *project) read(ctx context.Context, e entry) mapping.Gathered {
	t := mapping.Tree{FS: p.root, Root: e.Path, Show: func(name string) string { return name }}
	r := mapping.Reader{BaseURL: schema.NoBase, Markets: &p.markets}
	g, _ := r.Read(ctx, t, mapping.Source{
		Type: e.Type, Path: e.Path, Exclude: e.Exclude, Flat: e.Flag == "flat", Whole: e.Flag == "whole",
	})
	if e.Type == mapping.TypeSkills && !p.ignoresDir(e.Path) { // by files above the working directory too
		g.Skills = slices.DeleteFunc(g.Skills, func(s mapping.Skill) bool {
			return p.Ignored(s.Origin.File, false) || p.ignoresDir(path.Dir(s.Origin.File))
		})
	}
	return g
}

// add notes a source, and what it says that no earlier one does.
func (a *agent) add(e entry, g mapping.Gathered) {
	a.Sources, a.skills = append(a.Sources, e), append(a.skills, g.Skills...)
	c := g.CardPart.Card
	a.card.Name, a.card.Description = cmp.Or(a.card.Name, c.Name), cmp.Or(a.card.Description, c.Description)
	a.card.Version, a.card.Provider = cmp.Or(a.card.Version, c.Version), cmp.Or(a.card.Provider, c.Provider)
	a.author, a.faulty = cmp.Or(a.author, g.Author), a.faulty || g.Found.Worst() == diag.Error
	if len(a.card.Interfaces) == 0 {
		a.card.Interfaces = c.Interfaces
	}
}

// is reports whether a manifest of that type describes the agent.
func (a *agent) is(t mapping.SourceType) bool { return len(a.Sources) > 0 && a.Sources[0].Type == t }

// once keeps a skill that several agents hold on the first of them. An agent that has
// nothing but copies goes.
func (p *project) once(agents []*agent) []*agent {
	type key struct{ id, text string }
	taken := map[key]bool{}
	return slices.DeleteFunc(agents, func(a *agent) bool {
		own := map[string]string{} // files by id
		all := len(a.skills)
		a.skills = slices.DeleteFunc(a.skills, func(s mapping.Skill) bool {
			file, isCopy := own[s.ID], taken[key{s.ID, s.Description}]
			switch {
			case file == s.Origin.File: // two sources read it
			case file != "": // generate keeps one of them
				p.scan.leave("with the id of another skill", s.Origin.File)
			case isCopy:
				p.scan.leave("copies of other skills", s.Origin.File)
				a.Exclude = append(a.Exclude, s.ID)
			}
			own[s.ID] = s.Origin.File
			return file != "" || isCopy
		})
		for _, s := range a.skills {
			taken[key{s.ID, s.Description}] = true
		}
		slices.SortFunc(a.skills, func(s, t mapping.Skill) int { return strings.Compare(s.ID, t.ID) })
		if len(a.skills) < len(a.Exclude) { // the shorter list
			a.Exclude = nil
			for _, s := range a.skills {
				a.Include = append(a.Include, s.ID)
			}
		}
		return all > 0 && len(a.skills) == 0
	})
}
