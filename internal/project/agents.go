package project

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/dialect"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/internal/walk"
	"cardwright/mapping"
	"cardwright/schema"
)

// Starter is what was found out about a project, for its configuration.
type Starter struct {
	Text   []byte // the configuration
	file   string // what it is called
	Schema string // the file that describes it to editors, "" for none
	Out    string
	// BaseURL is where the output is served, "" when nobody has said.
	BaseURL string
	Agents  []*starterAgent
	Left    map[string][]string // the files that no agent gets, by the reason
	Doubts  []string            // what was found and cannot be used
	survey  *survey
	markets mapping.Markets
}

// starterAgent is what was found out about one agent: a member that a source gives
// is "".
type starterAgent struct {
	ID, IDFrom                   string
	Name                         string
	Description, DescriptionFrom string
	URL                          string
	Version                      string
	Sources                      []*starterSource
	Add                          bool // no source has a skill
	dir                          string
	names                        []string // of its skills
	brought                      schema.Card
}

// starterSource is an entry of skills.from.
type starterSource struct {
	Type    mapping.SourceType
	Path    string
	Flags   []string // keys that are true
	Exclude []string
	Gives   string // for people
	files   []string
	read    *mapping.Gathered // what is in it, nil before it was read
}

// explore finds out what it can. A directory with a manifest of its own is an agent
// when there are several, and everything else is one: one and each choose.
func explore(ctx context.Context, root fs.FS, name string, o StarterOptions) (*Starter, error) {
	v := look(root)
	s := &Starter{Out: "dist", survey: v, Left: v.left}
	agents, err := s.components(ctx)
	if err != nil {
		return nil, err
	}
	taken, ids := map[string]bool{}, map[string]string{}
	for _, a := range agents {
		for _, from := range a.Sources {
			for _, f := range from.files {
				taken[f], ids[v.kind[f].id] = true, f
			}
		}
	}
	delete(ids, "") // of subagents
	rest := slices.DeleteFunc(slices.Clone(v.skills), func(f string) bool { return taken[f] })
	rootly := slices.ContainsFunc(agents, func(a *starterAgent) bool { return a.dir == "." && len(a.names) > 0 })
	switch {
	case len(rest) > 0 && (rootly || v.listed && len(agents) > 0):
		s.leaveRest(rest, ids, true)
	case o.Each && len(agents) == 0:
		agents = s.directories(rest)
	case len(rest) > 0 || len(agents) == 0:
		if rest = s.leaveRest(rest, ids, false); len(rest) > 0 || len(agents) == 0 {
			agents = append(agents, s.remaining(rest))
		}
	}
	for _, from := range v.others {
		if from.Type != mapping.TypeForge || len(agents) == 1 && agents[0].dir == "." {
			s.attach(agents, from)
		}
	}
	if o.One || len(agents) == 2 && !o.Each && len(rest) > 0 && agents[1].dir == "." {
		agents = []*starterAgent{joined(agents)}
	}
	s.Agents = agents
	for i, a := range agents {
		if len(agents) == 1 {
			a.dir = "."
		}
		if err := s.complete(ctx, a, name); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(agents[:i], func(b *starterAgent) bool { return b.ID == a.ID }) {
			a.Name = cmp.Or(a.Name, a.brought.Name) + " " + mapping.Title(schema.Slug(a.dir))
			if a.ID = schema.Slug(a.Name); a.dir == "." {
				a.ID = fmt.Sprintf("%s-%d", a.ID, i+1)
			}
		}
	}
	if len(agents) > 1 {
		for _, a := range agents {
			a.URL = strings.Replace(a.URL, "/a2a", "/"+a.ID, 1)
		}
	}
	return s, nil
}

// components are the agents that a manifest describes: the first in the order in
// which copies win has the skills that several of them hold.
func (s *Starter) components(ctx context.Context) ([]*starterAgent, error) {
	var agents []*starterAgent
	v := s.survey
	for _, dir := range slices.Sorted(maps.Keys(v.cards)) {
		if a := s.card(v.cards[dir], dir); a != nil {
			agents = append(agents, a)
		}
	}
	for _, from := range v.others {
		if from.Type == mapping.TypeForge {
			agents = append(agents, &starterAgent{dir: from.Path, Sources: []*starterSource{{Type: from.Type, Path: from.Path}}})
		}
	}
	for _, a := range agents {
		for _, f := range v.skills { // which the card or the project of Forge speaks for
			if holds(a.dir, f) {
				a.Sources[0].files = append(a.Sources[0].files, f)
			}
		}
	}
	dirs := slices.Collect(maps.Keys(v.plugins))
	slices.SortFunc(dirs, func(a, b string) int {
		if a == b || mapping.Before(a+"/x", b+"/x") {
			return -1
		}
		return 1
	})
	taken := func(dir string) bool {
		return slices.ContainsFunc(agents, func(a *starterAgent) bool { return a.dir == dir })
	}
	more, err := s.plugins(ctx, slices.DeleteFunc(dirs, taken))
	if err != nil {
		return nil, err
	}
	agents = append(agents, more...)
	slices.SortFunc(agents, func(a, b *starterAgent) int { return strings.Compare(a.dir, b.dir) })
	return agents, nil
}

// read reads a source as generate does, once.
func (s *Starter) read(ctx context.Context, from *starterSource) (mapping.Gathered, error) {
	if from.read != nil {
		return *from.read, nil
	}
	t := walk.Tree{FS: s.survey.root, Root: from.Path, Show: func(name string) string { return name }}
	g, err := (&mapping.Reader{BaseURL: schema.NoBase, Markets: &s.markets}).Read(ctx, t,
		mapping.Source{
			Type: from.Type, Path: from.Path, Exclude: from.Exclude, Flat: slices.Contains(from.Flags, "flat"),
			Whole: slices.Contains(from.Flags, "whole"),
		})
	from.read = &g
	return g, err
}

// leaveRest leaves out the skills that have the id of one that a manifest makes public,
// and of the others those that are drafts, because no manifest does so.
func (s *Starter) leaveRest(rest []string, ids map[string]string, drafts bool) (kept []string) {
	v := s.survey
	for _, f := range rest {
		public, ok := ids[v.kind[f].id]
		switch {
		case ok && v.kind[public].text == v.kind[f].text:
			v.leave(whyCopies, f)
		case ok:
			v.leave(whyTaken, f)
		case drafts:
			v.leave(whyDrafts, f)
		default:
			kept = append(kept, f)
		}
	}
	return kept
}

// remaining is the agent of all that no manifest describes.
func (s *Starter) remaining(files []string) *starterAgent {
	v, a := s.survey, &starterAgent{dir: "."}
	files = v.own(v.best(files))
	for _, dir := range folders(files) {
		from := &starterSource{Type: mapping.TypeSkills, Path: dir}
		for _, f := range files {
			if holds(dir, f) {
				from.files = append(from.files, f)
				a.names = append(a.names, v.kind[f].name)
			}
		}
		if from.Exclude = v.except(dir, from.files); dir == "." && slices.Contains(v.all, walk.SkillName) {
			from.Flags = append(from.Flags, "nested")
		}
		a.Sources = append(a.Sources, from)
	}
	for _, dir := range v.crews {
		if len(a.Sources) == 0 || !strings.HasPrefix(dir, ".") {
			s.crew(a, dir)
		}
	}
	return a
}

// crew adds the subagents in a directory.
func (s *Starter) crew(a *starterAgent, dir string) {
	from := &starterSource{Type: mapping.TypeSkills, Path: dir, Flags: []string{"flat"}}
	g, err := s.read(context.Background(), from)
	held := slices.ContainsFunc(a.Sources, func(o *starterSource) bool { return holds(o.Path, dir) })
	if err != nil || len(g.Skills) == 0 || held {
		return
	}
	for i := range g.Skills {
		from.files = append(from.files, g.Skills[i].Origin.File)
		a.names = append(a.names, mapping.Title(g.Skills[i].Name))
	}
	a.Sources = append(a.Sources, from)
}

// directories are an agent for each directory of the project that has skills.
func (s *Starter) directories(files []string) []*starterAgent {
	byDir := map[string][]string{}
	for _, f := range files {
		dir := path.Dir(path.Dir(f))
		for base := path.Base(dir); dir != "." && (base == "skills" || strings.HasPrefix(base, ".")); base = path.Base(dir) {
			dir = path.Dir(dir)
		}
		byDir[dir] = append(byDir[dir], f)
	}
	var agents []*starterAgent
	for _, dir := range slices.Sorted(maps.Keys(byDir)) {
		a := s.remaining(byDir[dir])
		a.dir = dir
		agents = append(agents, a)
	}
	return agents
}

// joined is one agent with the sources of all.
func joined(agents []*starterAgent) *starterAgent {
	one := *agents[0]
	for _, a := range agents[1:] {
		one.Sources, one.names = append(one.Sources, a.Sources...), append(one.names, a.names...)
	}
	one.dir = "."
	return &one
}

// attach gives a source that describes no agent to the one whose directory it is in.
func (s *Starter) attach(agents []*starterAgent, from starterSource) {
	best := agents[0]
	for _, a := range agents {
		if holds(a.dir, from.Path) && len(a.dir) >= len(best.dir) {
			best = a
		}
	}
	if !slices.ContainsFunc(best.Sources, func(o *starterSource) bool {
		return o.Type == from.Type && holds(o.Path, from.Path) || o.Type == mapping.TypeCard
	}) {
		best.Sources = append(best.Sources, &from)
	}
}

// card is the agent that a card describes. One that lists its skills has no others.
func (s *Starter) card(name, dir string) *starterAgent {
	limits := source.Limits{}.WithDefaults()
	data, err := files.ReadFile(s.survey.root, name, limits.Card)
	if err != nil {
		return nil
	}
	document, _ := source.ParseJSONLenient(name, data, limits)
	card := dialect.Read(document, dialect.ReadOptions{}).Card
	if card == nil || card.Name == "" {
		return nil
	}
	a := &starterAgent{dir: dir, Sources: []*starterSource{{
		Type: mapping.TypeCard, Path: name, Flags: []string{"whole"},
	}}}
	for _, skill := range card.Skills {
		a.names = append(a.names, skill.Name)
	}
	if len(card.Signatures) > 0 {
		s.Doubts = append(s.Doubts, name+" is signed, and the signature is left out: sign again")
	}
	if len(card.Skills) == 0 {
		rest := s.remaining(slices.DeleteFunc(slices.Clone(s.survey.skills), func(f string) bool {
			return !holds(dir, f)
		}))
		a.Sources, a.names = append(a.Sources, rest.Sources...), rest.names
	}
	return a
}

// complete says what no source says of an agent.
func (s *Starter) complete(ctx context.Context, a *starterAgent, name string) error {
	for _, from := range a.Sources {
		if err := s.bring(ctx, a, from); err != nil {
			return err
		}
	}
	if s.survey.packages[a.dir] && !a.described() {
		from := &starterSource{Type: mapping.TypePackage, Path: a.dir}
		if err := s.bring(ctx, a, from); err != nil {
			return err
		}
		if from.Gives != "" {
			at := slices.IndexFunc(a.Sources, func(o *starterSource) bool { return o.Type == mapping.TypeSkills })
			if at < 0 {
				at = len(a.Sources)
			}
			a.Sources = slices.Insert(a.Sources, at, from)
		}
	}
	a.Add = !slices.ContainsFunc(a.Sources, func(o *starterSource) bool { return o.Type != mapping.TypePackage })
	a.ID, a.IDFrom = schema.Slug(a.brought.Name), ""
	if a.ID == "" {
		a.Name, a.IDFrom = s.survey.called(a.dir)
		if a.Name == "" {
			a.Name, a.IDFrom = mapping.Title(cmp.Or(schema.Slug(path.Base(a.dir)), "agent")), "from the name of the directory"
			if a.dir == "." {
				a.Name, a.IDFrom = cmp.Or(name, "Agent"), "from the name of the directory or its git remote"
			}
		}
		a.ID = cmp.Or(schema.Slug(a.Name), "agent")
	}
	if a.brought.Description == "" {
		a.Description, a.DescriptionFrom = readme(s.survey.root, a.dir), "first paragraph of README.md"
		if a.Description == "" {
			a.Description, a.DescriptionFrom = s.ofSkill(ctx, a), "what its skill does"
		}
		if a.Description == "" {
			a.Description, a.DescriptionFrom = ofSkills(a), "made of its skills"
		}
	}
	if a.brought.Version == "" {
		a.Version = "0.1.0"
	}
	if len(a.brought.Interfaces) == 0 {
		a.URL = "/a2a"
	}
	return nil
}

// bring notes what a source says of an agent that no earlier one does.
func (s *Starter) bring(ctx context.Context, a *starterAgent, from *starterSource) error {
	if from.Type == mapping.TypeSkills {
		from.Gives = "skills"
		return nil
	}
	g, err := s.read(ctx, from)
	if err != nil {
		return err
	}
	from.Gives = a.gains(g)
	if !from.excludable() && from.Type != mapping.TypeCard {
		for i := range g.Skills {
			a.names = append(a.names, mapping.Title(g.Skills[i].Name))
		}
	}
	c := g.Brought.Card
	a.brought.Name, a.brought.Description = cmp.Or(a.brought.Name, c.Name), cmp.Or(a.brought.Description, c.Description)
	a.brought.Version = cmp.Or(a.brought.Version, c.Version)
	a.brought.Provider = cmp.Or(a.brought.Provider, c.Provider)
	a.brought.DocumentationURL = cmp.Or(a.brought.DocumentationURL, c.DocumentationURL)
	if len(a.brought.Interfaces) == 0 {
		a.brought.Interfaces = c.Interfaces
	}
	return nil
}

// described reports whether a plugin, a card or Forge gives what a package would. A card
// and Forge say on purpose who the provider is, or that there is none.
func (a *starterAgent) described() bool {
	b := a.brought
	return b.Version != "" && b.Description != "" &&
		(a.Sources[0].Type != mapping.TypePlugin || b.Provider != nil && b.DocumentationURL != "")
}

// gains says for people what a source brings that none before it does.
func (a *starterAgent) gains(g mapping.Gathered) string {
	var list []string
	c := g.Brought.Card
	for _, m := range []struct {
		name string
		has  bool
	}{
		{"name", c.Name != "" && a.brought.Name == ""},
		{"description", c.Description != "" && a.brought.Description == ""},
		{"version", c.Version != "" && a.brought.Version == ""},
		{"provider", c.Provider != nil && a.brought.Provider == nil},
		{"documentation", c.DocumentationURL != "" && a.brought.DocumentationURL == ""},
		{"authentication", len(c.Security) > 0},
	} {
		if m.has {
			list = append(list, m.name)
		}
	}
	if n := len(g.Skills); n > 0 {
		list = append(list, "skills")
	}
	return strings.Join(list, ", ")
}

// ofSkill describes an agent with one skill as its author does, "" where it has several.
func (s *Starter) ofSkill(ctx context.Context, a *starterAgent) string {
	if len(a.names) != 1 {
		return ""
	}
	for _, from := range a.Sources {
		if g, err := s.read(ctx, from); err == nil && len(g.Skills) == 1 {
			return g.Skills[0].Does()
		}
	}
	return ""
}

// ofSkills describes an agent by its skills.
func ofSkills(a *starterAgent) string {
	names := slices.Compact(slices.Sorted(slices.Values(a.names)))
	of := cmp.Or(a.brought.Name, a.Name)
	switch n := len(names); n {
	case 0:
		return "Answers requests to " + of + "."
	case 1:
		return fmt.Sprintf("%s, a skill of %s.", names[0], of)
	case 2, 3:
		return fmt.Sprintf("%s and %s: skills of %s.", strings.Join(names[:n-1], ", "), names[n-1], of)
	default:
		return fmt.Sprintf("%s, %s and %d more skills of %s.", names[0], names[1], n-2, of)
	}
}

// readme is the first paragraph of prose in the README of a directory, "" for none.
func readme(root fs.FS, dir string) string {
	data, err := files.ReadFile(root, path.Join(dir, "README.md"), 1<<20)
	if err != nil {
		return ""
	}
	fenced := false
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n\n") {
		text := strings.Join(strings.Fields(paragraph), " ")
		if strings.Count(paragraph, "```")%2 == 1 {
			fenced = !fenced
			continue
		}
		if plain := mapping.Prose(text); !fenced && len(strings.Fields(plain)) > 3 && len(plain) <= 500 {
			return plain
		}
	}
	return ""
}
