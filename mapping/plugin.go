package mapping

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

func readPackage(_ context.Context, r *Reader, tree Tree, src Source) (Gathered, error) {
	d := r.describe(tree, TypePackage)
	if d.none() {
		return Gathered{Found: diag.List{src.unusable("it has no manifest of a package")}}, nil
	}
	return d.gathered(src), nil
}

// none reports whether there is no manifest.
func (d *described) none() bool { return len(d.files) == 0 && len(d.found) == 0 }

// gathered is what manifests say about the card.
func (d *described) gathered(src Source) Gathered {
	d.Origin = src.Span
	return Gathered{CardPart: d.CardPart, Author: d.author, Rank: d.rank, Found: d.found}
}

// readPlugin reads what a plugin says about itself, and the skills that it makes public.
func readPlugin(ctx context.Context, r *Reader, tree Tree, src Source) (Gathered, error) {
	d := r.describe(tree, TypePlugin)
	if d.none() {
		return Gathered{Found: diag.List{src.unusable("it has no plugin.json, and no marketplace lists it")}}, nil
	}
	g := d.gathered(src)
	skills, agents := d.places(tree)
	w := newWalker(tree, src)
	for i, name := range append(skills, agents...) {
		name = d.inSkills(tree, name)
		at := path.Join(tree.Root, name)
		why, left := "", w.excludedAbove(at)
		switch {
		case left != nil && !there(tree, at):
			continue
		case !fs.ValidPath(at) || !within(tree.Root, at):
			why = "it is outside the plugin"
		case !there(tree, at):
			why = "it does not exist"
		case inside(tree.FS, tree.Root, at) != nil:
			why = "it is a link out of the plugin"
		}
		if why != "" {
			g.Found = append(g.Found, d.missing(tree, name, why))
			continue
		}
		part, sub := src, tree
		sub.Root, part.Flat, part.Path = at, i >= len(skills), path.Join(src.Path, name)
		part.Exclude, part.base, part.left = below(src.Exclude, path.Clean(name)), tree.Root, left
		more, err := readSkillFiles(ctx, r, sub, part)
		if err != nil {
			return Gathered{}, err
		}
		g.Skills, g.Found = append(g.Skills, more.Skills...), append(g.Found, more.Found...)
	}
	g.Skills = g.once()
	g.Found = append(g.Found, d.unlisted(tree, src, g.Skills)...)
	for i := range g.Skills {
		s := &g.Skills[i]
		if tags := d.keywordsOf(s); s.Fallback && len(tags) > 0 {
			s.Tags, s.Fallback = tags, false
		}
	}
	return g, nil
}

const (
	maxKeywords  = 256 // of manifests that are looked for in the text of each skill
	mostKeywords = 8   // that a skill has for tags
)

// keywordsOf returns the keywords of the plugin that occur in the text of a skill.
func (d *described) keywordsOf(s *Skill) (tags []string) {
	text := Plain(s.Name + " " + s.Description)
	for _, k := range d.keywords {
		if len(tags) < mostKeywords && strings.Contains(text, Plain(k)) {
			tags = append(tags, k)
		}
	}
	return tags
}

// places are where the skills and the subagents of a plugin are: where its
// manifests say, or else where every tool looks for them, or directly in the plugin.
func (d *described) places(tree Tree) (skills, agents []string) {
	skills, agents = d.skills, slices.DeleteFunc(d.agents, func(s string) bool { return s == "" })
	if len(skills) == 0 && !d.listed {
		switch {
		case isDir(tree, "skills"):
			skills = []string{"skills"}
		case isFile(tree, path.Join(tree.Root, SkillName)):
			skills = []string{SkillName}
		default:
			skills = skillDirs(tree)
		}
	}
	if len(agents) == 0 && isDir(tree, "agents") {
		agents = []string{"agents"}
	}
	return slices.Compact(skills), agents
}

// skillDirs are the directories in a plugin that are skills.
func skillDirs(tree Tree) (names []string) {
	entries, _ := fs.ReadDir(tree.FS, tree.Root) // describe has read files in it
	for _, e := range entries {
		file := path.Join(e.Name(), SkillName)
		if !strings.HasPrefix(file, ".") && Foreign(e.Name()) == "" && !IsCopy(file) &&
			isFile(tree, path.Join(tree.Root, file)) {
			names = append(names, e.Name())
		}
	}
	return names
}

// once drops what the manifest has listed twice.
func (g *Gathered) once() []Skill {
	seen := map[string]bool{}
	return slices.DeleteFunc(g.Skills, func(s Skill) bool {
		again := seen[s.Origin.File]
		seen[s.Origin.File] = true
		return again
	})
}

// unlisted names the skills and the subagents that the lists of a plugin leave out.
func (d *described) unlisted(tree Tree, src Source, taken []Skill) diag.List {
	known := map[string]bool{}
	for i := range taken {
		known[taken[i].Origin.File] = true
	}
	var found diag.List
	leave := func(file, what string) {
		if !known[file] {
			found = append(found, diag.New(diag.SourceExcluded, diag.Top(file),
				"the %s is left out of the card: the plugin lists others, and not this one", what).CostsSkill())
		}
	}
	if d.listed {
		_ = findSkills(tree, src, func(f Match) bool {
			leave(f.Path, "skill")
			return true
		})
	}
	if len(d.agents) > 0 {
		entries, _ := fs.ReadDir(tree.FS, path.Join(tree.Root, "agents")) // most plugins have none
		for _, e := range entries {
			if path.Ext(e.Name()) == ".md" {
				leave(tree.Show(path.Join(tree.Root, "agents", e.Name())), "subagent")
			}
		}
	}
	return found
}

// inSkills is the path that an entry of a list means: a bare name is looked up in the
// directory of skills.
func (d *described) inSkills(tree Tree, name string) string {
	if strings.Contains(name, "/") || there(tree, path.Join(tree.Root, name)) {
		return name
	}
	if in := path.Join("skills", name); isDir(tree, in) {
		return in
	}
	return name
}

func (d *described) missing(tree Tree, name, why string) diag.Diagnostic {
	at := diag.Span{File: tree.Show(append(d.files, tree.Root)[0])}
	found := diag.New(diag.SourceIncomplete, at, "the manifest lists %s, but %s", diag.Quote(name), why)
	if base := path.Clean(name); (base == "skills" || base == "agents") && !there(tree, path.Join(tree.Root, base)) {
		found.Severity = diag.Info // some tools always list these
	}
	return found
}

// below returns the patterns of a source for a directory in it.
func below(patterns []string, dir string) []string {
	var out []string
	for _, p := range patterns {
		out = append(out, strings.TrimPrefix(p, dir+"/"))
	}
	return out
}

func there(tree Tree, name string) bool {
	_, err := fs.Stat(tree.FS, name)
	return err == nil
}

func isFile(tree Tree, name string) bool {
	info, err := fs.Stat(tree.FS, name)
	return err == nil && info.Mode().IsRegular()
}

func isDir(tree Tree, name string) bool {
	info, err := fs.Stat(tree.FS, path.Join(tree.Root, name))
	return err == nil && info.IsDir()
}
