package generate

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/files"
	"cardwright/internal/secret"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/mapping"
	"cardwright/schema"
)

// publishes reports whether skills may be published with their files.
func (req *Request) publishes() bool { return len(req.Config.Skills.Publish) > 0 }

// publishSkills gathers the files of the skills of the public card that
// agentSkills.publish names.
func publishSkills(_ context.Context, w *work) error {
	publish := w.Config.Skills.Publish
	if len(publish) == 0 {
		return nil
	}
	named := newPatterns("agentSkills.publish", publish)
	public := map[string]bool{}
	for _, s := range w.cards[0].skills {
		public[s.ID] = true
		pattern := named.match(s.ID)
		if pattern == nil {
			continue
		}
		h, ok := w.homes[s.Origin.File]
		if !ok {
			w.unpublished(s, pattern, "it has no directory with a SKILL.md")
			continue
		}
		if err := w.publishSkill(s, pattern, h); err != nil {
			return err
		}
	}
	for i := range w.skills {
		if s := &w.skills[i]; !public[s.ID] {
			if pattern := named.match(s.ID); pattern != nil {
				w.unpublished(s, pattern, "it is not on the public card")
			}
		}
	}
	w.matched = named.Used
	return nil
}

// unpublished notes a skill that publish names and that the agent does not publish:
// a pattern with wildcards may well mean others.
func (w *work) unpublished(s *mapping.Skill, pattern *config.Text, why string) {
	severity := diag.Info
	if pattern.Value == s.ID {
		severity = diag.Warning
	}
	d := diag.New("agent-skills-unpublished", s.Origin, "the skill %s is not published with its files: %s",
		diag.Quote(s.ID), why)
	w.unbundled = append(w.unbundled, unpublishedSkill{s.ID, d.WithSeverity(severity).
		WithRelated(diag.Related{Span: pattern.Span, Message: "the pattern " + diag.Quote(pattern.Value)})})
}

// unpublishedSkill is a skill that an agent does not publish, and what is said of it if
// no other agent does either.
type unpublishedSkill struct {
	id    string
	found diag.Diagnostic
}

// publishSkill gathers the files of one skill. What the text rules find in them
// stops the run, or leaves the skill out where the configuration wants that.
func (w *work) publishSkill(s *mapping.Skill, pattern *config.Text, h mapping.Home) error {
	d := discovery.Gather(h.Tree, h.Name, discovery.Options{
		Limits: w.Config.Limits, Format: discovery.Format(w.Config.Skills.Format),
		Unpublishable: w.Unpublishable, IsKey: w.keys.In,
	})
	texts := slices.DeleteFunc(d.Texts(), func(f diag.Diagnostic) bool { return f.Severity == diag.Info && !w.Notes })
	judged := w.counted(texts)
	if w.agent.Skills.OnError == config.SkipSkill && judged.Worst() == diag.Error {
		for _, finding := range judged {
			if finding.Severity == diag.Error {
				w.found.add(ofSignature, finding.WithSeverity(diag.Warning).
					WithHint("the skill is not published with its files until it is fixed"))
			}
		}
		return nil
	}
	w.report(texts...)
	d.Skill.Agent, d.Skill.Span = w.agent.ID, s.Origin
	d.Skill.Title, d.Skill.Tags, d.Skill.Examples = s.Name, s.Tags, s.Examples
	switch {
	case d.Skill.Name == "" && d.Found.Worst() < diag.Error:
		w.unpublished(s, pattern, "its SKILL.md is left out")
	case d.Found.Worst() < diag.Error:
		if err := d.Pack(); err != nil {
			return fmt.Errorf("publishing the skill %q: %w", s.ID, err)
		}
		w.bundles = append(w.bundles, d.Skill)
		w.bundled = append(w.bundled, s.ID)
	}
	w.report(d.Found...)
	return nil
}

// checkPublish reports the patterns of agentSkills.publish that match no skill.
func (r *run) checkPublish() diag.List {
	publish := r.Config.Skills.Publish
	if len(publish) == 0 || len(r.Agents) > 0 {
		return nil // the skill of another agent may be meant
	}
	all := newPatterns("agentSkills.publish", publish)
	said := map[string]bool{} // by id: published, or reported
	for _, w := range r.agents {
		for i, used := range w.matched {
			all.Used[i] = all.Used[i] || used
		}
		for _, id := range w.bundled {
			said[id] = true
		}
	}
	found := all.faults()
	for i := range found {
		found[i].Severity = max(found[i].Severity, diag.Warning)
	}
	if slices.Contains(r.Config.Targets, "google") && r.Config.Skills.Format != string(discovery.Zip) {
		found = append(found, diag.New("target-google", firstPlace(r.Config.Node, "/agentSkills/format", "/agentSkills"),
			"the Agent Registry of Google takes skills as zip only").WithSeverity(diag.Info).
			WithHint("set agentSkills.format: zip"))
	}
	for _, w := range r.agents {
		for _, p := range w.unbundled {
			if !said[p.id] {
				found = append(found, p.found)
			}
			said[p.id] = true
		}
	}
	return found
}

// skillSet joins what the agents of a site publish of skills. A skill that
// several have is published once.
func (r *run) skillSet(dir string, members []*config.Agent, made map[*config.Agent]*work) (discovery.SkillSet,
	diag.List,
) {
	c := r.Config
	set := discovery.SkillSet{Format: discovery.Format(c.Skills.Format), Legacy: c.Skills.Legacy, AtRoot: atRoot(c)}
	var found diag.List
	first := map[string]int{}
	for _, a := range members {
		var skills []discovery.Skill
		if w := made[a]; w != nil {
			skills = w.bundles
		} else {
			skills = r.keptSkills(dir, a)
		}
		for _, s := range skills {
			i, taken := first[s.Name]
			if !taken {
				first[s.Name] = len(set.Skills)
				set.Skills = append(set.Skills, s)
				continue
			}
			other := set.Skills[i]
			switch {
			case other.Kept && !s.Kept: // as it is now, where a run for all puts it
				s.Agent = other.Agent
				set.Skills[i] = s
			case s.Kept:
			case !sameFiles(other, s):
				found = append(found, diag.New("agent-skills-duplicate",
					s.Span, "the agents %q and %q publish different skills under the name %s", other.Agent, s.Agent,
					diag.Quote(s.Name)).
					WithHint("rename one of them, or publish one").
					WithRelated(diag.Related{Span: other.Span, Message: "the other one"}))
			}
		}
	}
	slices.SortStableFunc(set.Skills, func(a, b discovery.Skill) int { return strings.Compare(a.Name, b.Name) })
	return set, found
}

func sameFiles(a, b discovery.Skill) bool {
	return slices.EqualFunc(a.Files, b.Files, func(a, b discovery.SkillFile) bool {
		return a.Path == b.Path &&
			bytes.Equal(a.Data, b.Data)
	}) && bytes.Equal(a.Packed, b.Packed)
}

// atRoot reports whether the sites are at the roots of their hosts.
func atRoot(c *config.Config) bool {
	if c.Layout == config.Host {
		return true
	}
	_, rest, ok := strings.Cut(c.BaseURL, "://")
	return ok && !strings.Contains(rest, "/")
}

// keptSkills are the skills that an agent which this run leaves alone publishes
// on disk: those whose files the manifest gives to it.
func (r *run) keptSkills(dir string, a *config.Agent) []discovery.Skill {
	var kept []discovery.Skill
	files := r.publishedFiles(dir)[a.ID]
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if s, ok := r.keptSkill(path.Join(dir, tree.SkillsDir, name), files[name]); ok {
			s.Agent, s.Span = a.ID, a.Node.Span
			kept = append(kept, r.describe(a, s))
		}
	}
	return kept
}

// publishedFiles are the files of skills below a directory that the manifest on disk gives
// to each agent, by skill: relative to its directory, and "" for its archive. What
// the index on disk says of them is not asked.
func (r *run) publishedFiles(dir string) map[string]map[string][]string {
	if known, ok := r.skillFiles[dir]; ok {
		return known
	}
	byAgent := map[string]map[string][]string{}
	for _, e := range r.Published.Manifest().Files {
		f, ok := discovery.FileOfSkill(e.Path)
		other := f.Format != "" && f.Format != discovery.Format(r.Config.Skills.Format)
		if !ok || other || f.Legacy || f.Site != dir || !discovery.IsSkillName(f.Skill) {
			continue
		}
		if byAgent[e.Agent] == nil {
			byAgent[e.Agent] = map[string][]string{}
		}
		byAgent[e.Agent][f.Skill] = append(byAgent[e.Agent][f.Skill], f.Path)
	}
	if r.skillFiles == nil {
		r.skillFiles = map[string]map[string]map[string][]string{}
	}
	r.skillFiles[dir] = byAgent
	return byAgent
}

// keptSkill reads a skill back from its published files.
func (r *run) keptSkill(dir string, files []string) (discovery.Skill, bool) {
	data := r.Published.File(false, path.Join(dir, discovery.SkillName))
	if data == nil || !slices.Contains(files, discovery.SkillName) {
		return discovery.Skill{}, false
	}
	header, _ := source.ReadFrontmatter(bytes.NewReader(data), dir,
		source.FrontmatterOptions{Limits: r.Config.Limits, NoRepair: true})
	s := discovery.FromHeader(header)
	s.Kept = true
	s.Files = []discovery.SkillFile{{Path: discovery.SkillName, Data: data}}
	for _, file := range files {
		if file == "" {
			s.Packed = r.Published.File(false, dir+"."+r.Config.Skills.Format)
		} else {
			s.Listed = append(s.Listed, file)
		}
	}
	discovery.SortFiles(s.Listed)
	return s, s.Name == path.Base(dir)
}

// describe adds to a skill what the card of its agent says of it.
func (r *run) describe(a *config.Agent, s discovery.Skill) discovery.Skill {
	card := discovery.ReadCard(r.Published.File(false, path.Join(r.Config.Dir(a), tree.CardPath)))
	if card == nil {
		return s
	}
	i := slices.IndexFunc(card.Skills, func(k schema.Skill) bool { return k.ID == s.Name })
	if i >= 0 {
		s.Title, s.Tags, s.Examples = card.Skills[i].Name, card.Skills[i].Tags, card.Skills[i].Examples
	}
	return s
}

// privateKeys reads the private keys that the configuration names, for any agent: those
// in files for any environment. What cannot be read cannot be published either.
func (req *Request) privateKeys() *secret.Keys {
	keys := &secret.Keys{}
	if !req.publishes() || req.Open == nil {
		return keys
	}
	places := map[string]diag.Span{} // of the names of files
	for n := range req.Config.Node.All() {
		if name, ok := strings.CutPrefix(n.Get("key").ScalarText(), "file:"); ok {
			places[name] = n.Get("key").Span
		}
	}
	variables := map[string]bool{}
	for i := range req.Config.Agents {
		for _, s := range req.Config.Agents[i].Signing {
			switch kind, name, _ := strings.Cut(s.Key, ":"); kind {
			case "file":
				places[name] = s.Span
			case "env":
				variables[name] = true
			}
		}
	}
	for name := range variables {
		if req.Keys != nil && req.Keys.Variable != nil {
			keys.Add([]byte(req.Keys.Variable(name)))
		}
	}
	for name, at := range places {
		tree, err := req.Open(name, at)
		if err != nil {
			continue
		}
		if data, err := files.ReadFile(tree.FS, tree.Root, req.Config.Limits.WithDefaults().Source); err == nil {
			keys.Add(data)
		}
	}
	return keys
}
