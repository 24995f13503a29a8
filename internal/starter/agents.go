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
	Example                      bool     // nothing gives it a skill

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
	for _, file := range p.scan.skills {
		inside := slices.ContainsFunc(agents, func(a *agent) bool { return holds(a.dir, file) })
		switch {
		case !inside && !p.scan.lists:
			rest = append(rest, file)
		case !slices.ContainsFunc(agents, func(a *agent) bool { return a.reads(file) }):
			p.scan.leave(whyUnlisted, file)
		}
	}
	agents = slices.DeleteFunc(agents, func(a *agent) bool {
		return len(a.skills) == 0 && a.Sources[0].Type == mapping.TypePlugin && !a.faulty
	})
	if len(rest) > 0 || len(agents) == 0 {
		other, err := p.remaining(ctx, rest)
		if err != nil {
			return err
		}
		agents = append(agents, other)
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

func holds(dir, name string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// reads reports whether the agent has read a file.
func (a *agent) reads(file string) bool {
	return slices.ContainsFunc(a.skills, func(s mapping.Skill) bool { return s.Origin.File == file })
}

// add reads a source as generate does, and notes what it says that no earlier one does.
func (p *project) add(ctx context.Context, a *agent, e entry) error {
	g, err := p.read(ctx, e)
	if err != nil {
		return err
	}
	a.Sources, a.skills = append(a.Sources, e), append(a.skills, g.Skills...)
	c := g.Brought.Card
	a.card.Name, a.card.Description = cmp.Or(a.card.Name, c.Name), cmp.Or(a.card.Description, c.Description)
	a.card.Version, a.card.Provider = cmp.Or(a.card.Version, c.Version), cmp.Or(a.card.Provider, c.Provider)
	a.author, a.faulty = cmp.Or(a.author, g.Author), a.faulty || g.Found.Worst() == diag.Error
	if len(a.card.Interfaces) == 0 {
		a.card.Interfaces = c.Interfaces
	}
	return nil
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
	for _, dir := range p.scan.crews {
		if p.inside(dir) {
			continue
		}
		g, err := p.read(ctx, entry{Type: mapping.TypeSkills, Path: dir, Flag: "flat"})
		if err != nil {
			return nil, err
		}
		if len(g.Skills) > 0 && !a.reads(g.Skills[0].Origin.File) {
			if err := p.add(ctx, a, entry{Type: mapping.TypeSkills, Path: dir, Flag: "flat"}); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// inside reports whether a directory describes itself, or one above it does.
func (p *project) inside(dir string) bool {
	for plugin := range p.scan.plugins {
		if holds(plugin, dir) {
			return true
		}
	}
	return slices.ContainsFunc(p.scan.forges, func(d string) bool { return holds(d, dir) })
}

// cover adds the fewest sources that read the files and nothing else.
func (p *project) cover(ctx context.Context, a *agent, files []string) error {
	if len(files) == 0 {
		return nil
	}
	wanted := map[string]bool{}
	for _, file := range files {
		wanted[file] = true
	}
	others := slices.DeleteFunc(slices.Clone(p.scan.read), func(file string) bool { return wanted[file] })
	paths := covering(".", files, others)
	sources := make([]entry, 0, len(paths))
	for _, at := range paths {
		sources = append(sources, entry{Type: mapping.TypeSkills, Path: at})
	}
	if top := home(files); len(paths) > 1 && !slices.Contains(files, "SKILL.md") {
		if out := excluding(top, files, others); len(out) < len(paths) {
			sources = []entry{{Type: mapping.TypeSkills, Path: top, Exclude: out}}
		}
	}
	for _, e := range sources {
		if err := p.add(ctx, a, e); err != nil {
			return err
		}
	}
	return nil
}

// covering are the paths below dir that hold all files and none of the others.
func covering(dir string, files, others []string) []string {
	in := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(file string) bool { return !holds(dir, file) })
	}
	files, others = in(files), in(others)
	rooted := slices.ContainsFunc(files, func(file string) bool { return path.Dir(file) == dir })
	switch {
	case len(files) == 0:
		return nil
	case len(others) == 0 && (!rooted || len(files) == 1 && dir != "."):
		return []string{home(files)}
	}
	var paths []string
	for _, next := range children(dir, files) {
		if mapping.IsSkillName(path.Base(next)) {
			paths = append(paths, next)
			continue
		}
		paths = append(paths, covering(next, files, others)...)
	}
	return paths
}

// children are the files and directories directly below dir that lead to files.
func children(dir string, files []string) []string {
	set := map[string]bool{}
	for _, file := range files {
		rest := strings.TrimPrefix(file, dir+"/")
		if dir == "." {
			rest = file
		}
		first, _, _ := strings.Cut(rest, "/")
		set[path.Join(dir, first)] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// home is the deepest directory in which the directories of all skills lie, so that a
// new skill next to them is found too.
func home(files []string) string {
	all := strings.Split(path.Dir(path.Dir(files[0])), "/")
	for _, file := range files[1:] {
		parts := strings.Split(path.Dir(path.Dir(file)), "/")
		same := 0
		for same < min(len(all), len(parts)) && all[same] == parts[same] {
			same++
		}
		all = all[:same]
	}
	return cmp.Or(path.Join(all...), ".")
}

// excluding are the outermost paths below dir that hold others and no files, relative
// to dir.
func excluding(dir string, files, others []string) []string {
	set := map[string]bool{}
	for _, other := range others {
		if !holds(dir, other) {
			continue
		}
		at := other
		full := func(up string) bool {
			return slices.ContainsFunc(files, func(f string) bool { return holds(up, f) })
		}
		for up := path.Dir(at); up != dir && !full(up); up = path.Dir(up) {
			at = up
		}
		if dir != "." {
			at = strings.TrimPrefix(at, dir+"/")
		}
		set[at] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// once keeps a skill that several agents hold on the first of them. An agent that has
// nothing but copies goes.
func (p *project) once(agents []*agent) []*agent {
	type key struct{ id, text string }
	taken, ids := map[key]bool{}, map[string]bool{}
	var kept []*agent
	for _, a := range agents {
		var fresh, copies []mapping.Skill
		for _, s := range a.skills {
			switch {
			case taken[key{s.ID, s.Description}]:
				copies = append(copies, s)
				p.scan.leave(whyCopy, s.Origin.File)
			case ids[s.ID] && a.dir == "." && a.Sources[0].Type == mapping.TypeSkills:
				copies = append(copies, s)
				p.scan.leave(whyTaken, s.Origin.File)
			default:
				fresh = append(fresh, s)
			}
		}
		for _, s := range fresh {
			taken[key{s.ID, s.Description}], ids[s.ID] = true, true
		}
		if len(fresh) == 0 && len(copies) > 0 {
			continue
		}
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
		a.Example = len(a.skills) == 0 && len(a.Sources) == 0
		if p.scan.packages[a.dir] && (a.card.Version == "" || a.card.Description == "") {
			if err := p.add(ctx, a, entry{Type: mapping.TypePackage, Path: a.dir}); err != nil {
				return err
			}
		}
	}
	return nil
}
