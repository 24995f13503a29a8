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

// agent is an entry of agents in the configuration. A member that a source gives is "".
type agent struct {
	ID                           string
	Name, NameFrom               string
	Description, DescriptionFrom string
	Version                      string
	URL                          string
	Provider                     *schema.Provider // whose URL only git knows
	Sources                      []entry
	Include, Exclude             []string // ids of skills
	Example                      bool     // it has no skill

	dir    string
	skills []mapping.Skill
	card   schema.Card // what the sources say
	author string      // an organization without a URL
	faulty bool        // a source has an error, which generate is to report
}

// entry is an entry of skills.from.
type entry struct {
	Type    mapping.SourceType
	Path    string
	Flag    string // a key that is true
	Exclude []string
}

// explore makes the agents: one of each directory that describes itself, and one of
// all skills outside of these.
func (p *project) explore(ctx context.Context) error {
	agents, err := p.described(ctx)
	if err != nil {
		return err
	}
	var rest []string
	dirs, taken := map[string]bool{}, map[string]bool{}
	for _, a := range agents {
		dirs[a.dir] = true
		for _, s := range a.skills {
			taken[s.Origin.File] = true
		}
	}
	for why, files := range p.scan.left { // a manifest may list what is not searched
		p.scan.left[why] = slices.DeleteFunc(files, func(file string) bool { return taken[file] })
	}
	for _, file := range p.scan.skills {
		switch {
		case !above(file, dirs) && !p.scan.lists:
			rest = append(rest, file)
		case !taken[file]:
			p.scan.leave(whyUnlisted, file)
		}
	}
	agents = slices.DeleteFunc(agents, func(a *agent) bool {
		bare := len(a.skills) == 0 && a.Sources[0].Type == mapping.TypePlugin && !a.faulty && a.dir != "."
		if bare {
			p.scan.leave(whyBare, a.dir)
		}
		return bare
	})
	if len(rest) > 0 || len(agents) == 0 {
		other, err := p.remaining(ctx, rest)
		if err != nil {
			return err
		}
		if len(other.skills) > 0 || len(agents) == 0 {
			agents = append(agents, other)
		} else {
			p.scan.leave(whyUnread, rest...)
		}
	}
	p.agents = p.once(agents)
	return p.attach(ctx)
}

// described are the agents of the directories with an agent card, a project of Forge or
// a plugin manifest.
func (p *project) described(ctx context.Context) ([]*agent, error) {
	first := map[string]entry{}
	for dir := range p.scan.plugins {
		first[dir] = entry{Type: mapping.TypePlugin, Path: dir}
	}
	for _, dir := range p.scan.forges {
		first[dir] = entry{Type: mapping.TypeForge, Path: dir}
	}
	for dir, file := range p.scan.cards {
		first[dir] = entry{Type: mapping.TypeCard, Path: file, Flag: "whole"}
	}
	var agents []*agent
	for _, dir := range slices.SortedFunc(maps.Keys(first), byPrecedence) {
		a := &agent{dir: dir}
		if err := p.add(ctx, a, first[dir]); err != nil {
			return nil, err
		}
		if first[dir].Type == mapping.TypeCard && len(a.skills) == 0 {
			if err := p.cover(ctx, a, p.below(dir)); err != nil {
				return nil, err
			}
		}
		if first[dir].Type == mapping.TypeCard && a.faulty {
			p.scan.leave(whyBroken, first[dir].Path)
			continue
		}
		agents = append(agents, a)
	}
	return agents, nil
}

// byPrecedence orders directories as copies of a skill win.
func byPrecedence(a, b string) int {
	switch {
	case a == b:
		return 0
	case mapping.Before(a+"/x", b+"/x"):
		return -1
	}
	return 1
}

// below are the skills in a directory.
func (p *project) below(dir string) []string {
	return slices.DeleteFunc(slices.Clone(p.scan.skills), func(file string) bool { return !holds(dir, file) })
}

// holds reports whether a path is dir, or of something in it.
func holds(dir, name string) bool {
	rest, in := strings.CutPrefix(name, dir)
	return dir == "." || in && (rest == "" || rest[0] == '/')
}

// above reports whether a path lies in one of the directories.
func above(name string, dirs map[string]bool) bool {
	for ; name != "."; name = path.Dir(name) {
		if dirs[name] {
			return true
		}
	}
	return dirs["."]
}

// add reads a source as generate does, and notes what it says that no earlier one does.
func (p *project) add(ctx context.Context, a *agent, e entry) error {
	g, err := p.read(ctx, e)
	a.take(e, g)
	return err
}

func (a *agent) take(e entry, g mapping.Gathered) {
	a.Sources, a.skills = append(a.Sources, e), append(a.skills, g.Skills...)
	c := g.CardPart.Card
	a.card.Name, a.card.Description = cmp.Or(a.card.Name, c.Name), cmp.Or(a.card.Description, c.Description)
	a.card.Version, a.card.Provider = cmp.Or(a.card.Version, c.Version), cmp.Or(a.card.Provider, c.Provider)
	a.author, a.faulty = cmp.Or(a.author, g.Author), a.faulty || g.Found.Worst() == diag.Error
	if len(a.card.Interfaces) == 0 {
		a.card.Interfaces = c.Interfaces
	}
}

func (p *project) read(ctx context.Context, e entry) (mapping.Gathered, error) {
	t := mapping.Tree{FS: p.root, Root: e.Path, Show: func(name string) string { return name }}
	r := mapping.Reader{BaseURL: schema.NoBase, Markets: &p.markets}
	return r.Read(ctx, t, mapping.Source{
		Type: e.Type, Path: e.Path, Exclude: e.Exclude, Flat: e.Flag == "flat", Whole: e.Flag == "whole",
	})
}

// remaining is the agent of all that no manifest describes.
func (p *project) remaining(ctx context.Context, files []string) (*agent, error) {
	a := &agent{dir: "."}
	if err := p.cover(ctx, a, files); err != nil {
		return nil, err
	}
	described := maps.Clone(p.scan.plugins)
	for _, dir := range p.scan.forges {
		described[dir] = true
	}
	for _, dir := range p.scan.crews {
		e := entry{Type: mapping.TypeSkills, Path: dir, Flag: "flat"}
		g, err := p.read(ctx, e)
		if err != nil {
			return nil, err
		}
		if len(g.Skills) > 0 && !above(dir, described) && !a.reads(g.Skills[0].Origin.File) {
			a.take(e, g)
		}
	}
	return a, nil
}

// cover adds the fewest sources that read the files and nothing else.
func (p *project) cover(ctx context.Context, a *agent, files []string) error {
	wanted := map[string]bool{}
	for _, file := range files {
		wanted[file] = true
	}
	all := &place{path: "."}
	for _, file := range p.scan.read {
		all.add(file, wanted[file])
	}
	sources := all.sources()
	if top := all.home(); top.others > 0 && all.file == "" {
		if out := shortened(top.excluded(), top.path, files); len(out) <= len(sources) {
			sources = []entry{{Type: mapping.TypeSkills, Path: top.path, Exclude: out}}
		}
	}
	for _, e := range sources {
		if err := p.add(ctx, a, e); err != nil {
			return err
		}
	}
	return nil
}

// once keeps a skill that several agents hold on the first of them. An agent that has
// nothing but copies goes.
func (p *project) once(agents []*agent) []*agent {
	type key struct{ id, text string }
	taken, ids := map[key]bool{}, map[string]bool{}
	var kept []*agent
	for _, a := range agents {
		var fresh, copies []mapping.Skill
		own := map[string]bool{}
		for _, s := range a.skills {
			switch {
			case own[s.ID]: // generate keeps one of them
				p.scan.leave(whyTaken, s.Origin.File)
				continue
			case taken[key{s.ID, s.Description}]:
				copies = append(copies, s)
				p.scan.leave(whyCopy, s.Origin.File)
			case ids[s.ID] && a.dir == "." && a.Sources[0].Type == mapping.TypeSkills:
				copies = append(copies, s)
				p.scan.leave(whyTaken, s.Origin.File)
			default:
				fresh = append(fresh, s)
			}
			own[s.ID] = true
		}
		for _, s := range fresh {
			taken[key{s.ID, s.Description}], ids[s.ID] = true, true
		}
		if len(fresh) == 0 && len(copies) > 0 {
			continue
		}
		slices.SortFunc(fresh, func(s, t mapping.Skill) int { return strings.Compare(s.ID, t.ID) })
		if a.skills = fresh; len(copies) > len(fresh) {
			a.Include = idsOf(fresh)
		} else {
			a.Exclude = idsOf(copies)
		}
		kept = append(kept, a)
	}
	return kept
}

func idsOf(skills []mapping.Skill) []string {
	var ids []string
	for _, s := range skills {
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// attach gives each source of another format to the agent whose directory it lies in,
// and a package to the agents that nothing else describes.
func (p *project) attach(ctx context.Context) error {
	for _, e := range p.scan.others {
		best := p.agents[0]
		for _, a := range p.agents {
			if holds(a.dir, e.Path) && len(a.dir) >= len(best.dir) {
				best = a
			}
		}
		if best.Sources == nil || best.Sources[0].Type != mapping.TypeCard {
			if err := p.add(ctx, best, e); err != nil {
				return err
			}
		}
	}
	for _, a := range p.agents {
		if len(p.agents) == 1 {
			a.dir = "."
		}
		a.Example = len(a.skills) == 0 && !a.faulty
		if p.scan.packages[a.dir] && (a.card.Version == "" || a.card.Description == "") {
			if err := p.add(ctx, a, entry{Type: mapping.TypePackage, Path: a.dir}); err != nil {
				return err
			}
		}
	}
	return nil
}

// reads reports whether the agent has read a file.
func (a *agent) reads(file string) bool {
	return slices.ContainsFunc(a.skills, func(s mapping.Skill) bool { return s.Origin.File == file })
}
