package generate

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/internal/walk"
	"cardwright/schema"
)

// Shard is an output tree that a run for some agents has made.
type Shard struct {
	Name  string      // for people
	Files []tree.File // without sidecars and manifest
}

// at returns the place of a file of the shard.
func (s *Shard) at(file string) diag.Span { return diag.Span{File: path.Join(s.Name, file)} }

// Union joins the files of shards without a configuration: each file as it is. Key
// sets become one. Other files that belong to no agent have to be the same in all
// shards that have them.
func Union(shards []Shard) (Result, diag.List) {
	u := newUnion()
	for i := range shards {
		s := &shards[i]
		for _, f := range s.Files {
			if f.Agent == "" && path.Base(f.Path) == path.Base(tree.KeySetPath) {
				u.keys(s, f)
			} else {
				u.add(s, f)
			}
		}
	}
	u.publish()
	return Result{Public: u.files}, u.found
}

// union is files of several shards.
type union struct {
	files []tree.File
	from  map[string]*Shard // by path
	index map[string]int
	sets  map[string][]sign.Key // by path
	found diag.List
}

func newUnion() *union {
	return &union{from: map[string]*Shard{}, index: map[string]int{}, sets: map[string][]sign.Key{}}
}

func (u *union) conflict(at diag.Span, hint, format string, args ...any) {
	u.found = append(u.found, diag.New("merge-conflict", at, format, args...).WithHint(hint))
}

// add adds a file. One that is there already has to have the same bytes.
func (u *union) add(s *Shard, f tree.File) {
	i, taken := u.index[f.Path]
	switch {
	case !taken:
		u.index[f.Path], u.from[f.Path] = len(u.files), s
		u.files = append(u.files, f)
	case bytes.Equal(u.files[i].Data, f.Data):
	case f.Agent == "":
		u.conflict(s.at(f.Path),
			"run cardwright merge where the configuration is, so that the file can be made for all agents",
			"%q differs from that of %s, and belongs to no agent", path.Join(s.Name, f.Path), diag.Quote(u.from[f.Path].Name))
	default:
		u.conflict(s.at(f.Path), "generate each agent in one job, from the same commit",
			"%q differs from that of %s: agent %q", path.Join(s.Name, f.Path), diag.Quote(u.from[f.Path].Name), f.Agent)
	}
}

// keys adds the keys of a shard to the set at the path of their file.
func (u *union) keys(s *Shard, f tree.File) {
	keys, found := sign.ParseJWKS(path.Join(s.Name, f.Path), f.Data, source.Limits{}.WithDefaults())
	u.found = append(u.found, found...)
	u.sets[f.Path] = append(u.sets[f.Path], keys...)
}

// publish writes the sets of keys.
func (u *union) publish() {
	for _, name := range slices.Sorted(maps.Keys(u.sets)) {
		document, err := sign.JWKS(u.sets[name])
		if err != nil {
			u.conflict(diag.Span{File: name}, "generate all shards with the same keys",
				"the key sets %q cannot be joined: %s", name, err)
			continue
		}
		u.files = append(u.files, tree.File{Path: name, Data: schema.Write(document), Sidecars: true})
	}
}

// Join makes of shards what one run for all agents makes: their files as they are,
// and the files of each site anew. What keeps it from doing so is a finding.
func Join(ctx context.Context, req Request, shards []Shard) (Result, diag.List, error) {
	c := req.Config
	r := run{Request: &req, private: Private{Others: true}}
	u := newUnion()
	owner := u.owners(c, shards)
	for i := range c.Agents {
		a := &c.Agents[i]
		req.Agents = append(req.Agents, a.ID)
		s := owner[a.ID]
		if s == nil {
			u.conflict(a.Node.Span, "generate it in one of the jobs, with --agent "+a.ID,
				"agent %q is in none of the trees", a.ID)
			missing := &u.found[len(u.found)-1]
			missing.Agent, missing.Owner = a.ID, a.Owner
			continue
		}
		w := &work{Request: &req, agent: a}
		for _, f := range s.Files {
			if f.Agent == a.ID {
				u.take(&req, a, s, f)
			}
			if f.Path == path.Join(c.Dir(a), tree.CardPath) {
				w.public = f
			}
			if len(a.Signing) > 0 && f.Path == req.keySetPath(a) {
				u.keys(s, f)
			}
		}
		if w.public.Data == nil {
			u.conflict(s.at(""), "generate all trees with this configuration", "the tree %s has no card of agent %q at %q",
				diag.Quote(s.Name), a.ID, path.Join(c.Dir(a), tree.CardPath))
			continue
		}
		r.agents = append(r.agents, w)
		r.result.Cards = append(r.result.Cards, w.joined())
	}
	if u.found.Worst() == diag.Error {
		return Result{}, u.found, nil
	}
	u.publish()
	for i := range u.files {
		u.files[i].URL = c.URL(u.files[i].Path)
	}
	r.result.Public, r.found = u.files, u.found
	req.Published = publishedFiles(u.files)
	for _, w := range r.agents {
		w.bundles = r.keptSkills(req.siteDir(w.agent), w.agent)
	}
	if err := listAgents(&r); err != nil {
		return r.result, r.found, err
	}
	if err := r.learnPrivate(ctx); errors.Is(err, errTooMuchRead) {
		return Result{}, tooMuchRead(&req), nil
	} else if err != nil {
		return Result{}, nil, err
	}
	err := checkWords(&r)
	r.veil(r.found)
	return r.result, r.found, err
}

// learnPrivate reads what all agents keep private. A run for some agents does not read
// what the skills of other teams say of themselves, so its cards may show copies of them.
func (r *run) learnPrivate(ctx context.Context) error {
	r.meter = walk.NewMeter(r.Config.Limits)
	var all []*work
	for i := range r.Config.Agents {
		all = append(all, r.work(&r.Config.Agents[i]))
	}
	err := r.lookAt(ctx, all)
	r.guard(all)
	return err
}

// owners are the shards that the files of agents come from, by their ids. An agent
// may be in several, as long as its files are the same.
func (u *union) owners(c *config.Config, shards []Shard) map[string]*Shard {
	known := map[string]bool{}
	for i := range c.Agents {
		known[c.Agents[i].ID] = true
	}
	owner := map[string]*Shard{}
	check := newUnion()
	for i := range shards {
		s := &shards[i]
		strange := map[string]bool{}
		for _, f := range s.Files {
			switch {
			case f.Agent == "":
				continue
			case known[f.Agent]:
				check.add(s, f)
			case !strange[f.Agent]:
				strange[f.Agent] = true
				u.conflict(s.at(f.Path), "merge where the configuration is that the tree was made with",
					"the tree %s has agent %q, which the configuration does not have", diag.Quote(s.Name), f.Agent)
			}
			if owner[f.Agent] == nil {
				owner[f.Agent] = s
			}
		}
	}
	u.found = append(u.found, check.found...)
	return owner
}

// take adds a file of an agent, which has to lie where the configuration puts it.
// Whatever else lies there, no run made it.
func (u *union) take(req *Request, a *config.Agent, s *Shard, f tree.File) {
	c := req.Config
	dir := c.Dir(a)
	switch {
	case dir != "" && !strings.HasPrefix(f.Path, dir+"/") && !tree.InSkills(f.Path):
		u.conflict(s.at(f.Path), "generate all trees with this configuration",
			"%q is not in the directory of agent %q, %q", path.Join(s.Name, f.Path), a.ID, dir)
	case !req.makes(a, f):
		u.conflict(s.at(f.Path), "generate the tree again, into a new directory",
			"%q is not a file that cardwright generates for agent %q", path.Join(s.Name, f.Path), a.ID)
	case f.URL != c.URL(f.Path):
		u.conflict(s.at(f.Path), "pass --env and --base-url as for the jobs", "%q was made for another URL: %s, not %s",
			path.Join(s.Name, f.Path), diag.Quote(f.URL), diag.Quote(c.URL(f.Path)))
	default:
		u.add(s, f)
	}
}

// makes reports whether a run may make a file of the public tree for an agent.
func (req *Request) makes(a *config.Agent, f tree.File) bool {
	c, dir, site := req.Config, req.Config.Dir(a), req.siteDir(a)
	switch f.Path {
	case path.Join(dir, tree.CardPath), path.Join(dir, tree.LegacyCardPath):
		return true
	case path.Join(dir, tree.StoredPath(f.Digest())):
		return c.Hosting.Immutable
	}
	inSkills := strings.HasPrefix(f.Path, path.Join(site, tree.SkillsDir)+"/") ||
		strings.HasPrefix(f.Path, path.Join(site, tree.LegacySkillsDir)+"/")
	return inSkills && len(c.Skills.Publish) > 0
}

// joined describes the card of a shard.
func (w *work) joined() Card {
	made := Card{Agent: w.agent.ID, Owner: w.agent.Owner, Path: w.public.Path, Digest: w.public.Digest()}
	if card := discovery.ReadCard(w.public.Data); card != nil {
		made.Name, made.Version, made.Protocol, made.Skills = card.Name, card.Version, card.Protocol(), len(card.Skills)
	}
	return made
}
