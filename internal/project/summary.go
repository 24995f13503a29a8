package project

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/publish"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// Summary says what was written where: in a few lines, or in one.
func Summary(run *Run, short bool) []string {
	var heads, lines []string
	for _, t := range run.Trees {
		if len(t.Files) > 0 || t.Report.Count(publish.Removed) > 0 { // else it was perhaps emptied long ago
			heads = append(heads, fmt.Sprintf("%s: %s; %s", t.Dir.Name, t.Content(run), written(t.Report)))
			lines = append(lines, heads[len(heads)-1])
		}
		if t.Kind != Servers {
			lines = append(append(lines, t.cardLines(run)...), t.removedLines()...)
		}
		if t.Kind == Public {
			lines = append(append(lines, t.indexLines(run)...), t.skillLines(run)...)
		}
	}
	if short {
		return []string{strings.Join(heads, "; ")}
	}
	return lines
}

// written says how many files were written, left alone and removed.
func written(r publish.Report) string {
	wrote := r.Count(publish.Created) + r.Count(publish.Updated)
	what := "nothing to write, all up to date"
	if wrote > 0 || r.Count(publish.Removed) > 0 {
		what = diag.Count(wrote, "file") + " written"
	}
	if n := r.Count(publish.Unchanged); n > 0 && wrote > 0 {
		what += fmt.Sprintf(", %d unchanged", n)
	}
	if n := r.Count(publish.Removed); n > 0 {
		what += fmt.Sprintf(", %d removed", n)
	}
	return what
}

// Content says what is in the tree.
func (t Output) Content(run *Run) string {
	if t.Kind == Servers {
		if len(t.servers) == 0 {
			return "no server configuration"
		}
		return "configuration for " + strings.Join(t.servers, ", ")
	}
	var cards, skills int
	for _, c := range t.cards(run) {
		cards++
		skills += c.Skills
	}
	return diag.Count(cards, "card") + ", " + diag.Count(skills, "skill")
}

// shownCards is how many cards a summary names.
const shownCards = 20

// some returns the first lines, and how many more there are.
func some(lines []string, more string) []string {
	if len(lines) <= shownCards {
		return lines
	}
	return append(lines[:shownCards:shownCards], fmt.Sprintf(more, len(lines)-shownCards))
}

// removedLines name the cards that are no longer in the tree, a line each.
func (t Output) removedLines() []string {
	var lines []string
	for _, f := range t.Report {
		if f.State == publish.Removed && path.Base(f.Path) == cardName {
			lines = append(lines, "  "+files.Join(t.Dir.Name, f.Path)+"  removed")
		}
	}
	return some(lines, "  and %d more removed")
}

// cardLines describe the cards of the tree that changed, a line each, and count the
// others. Where none changed they describe what was looked at.
func (t Output) cardLines(run *Run) []string {
	changed := t.changed()
	all := t.cards(run)
	cards := slices.DeleteFunc(slices.Clone(all), func(c generate.Card) bool { return !changed[c.Path] })
	if len(cards) == 0 {
		cards = all
	}
	var lines []string
	for _, c := range cards {
		lines = append(lines, fmt.Sprintf("  %s  %s %s, A2A %s, %s", files.Join(t.Dir.Name, c.Path), c.Name, c.Version,
			c.Protocol.Text(), diag.Count(c.Skills, "skill")))
	}
	lines = some(lines, "  and %d more")
	if same := len(all) - len(cards); same > 0 {
		lines = append(lines, "  and "+diag.Count(same, "card")+" unchanged")
	}
	return lines
}

// changed are the files that were written.
func (t Output) changed() map[string]bool {
	changed := map[string]bool{}
	for _, f := range t.Report {
		changed[f.Path] = f.State == publish.Created || f.State == publish.Updated
	}
	return changed
}

// indexLines describe the files that list the agents, a line each.
func (t Output) indexLines(run *Run) []string {
	var lines []string
	for _, x := range run.Result.Indexes {
		listed := diag.Count(len(x.Skills), "skill")
		if x.Agents > 0 {
			listed = diag.Count(x.Agents, "agent")
		}
		lines = append(lines, fmt.Sprintf("  %s  %s, %s", files.Join(t.Dir.Name, x.Path), x.Kind, listed))
	}
	return lines
}

// skillLines list the files of the skills that became public, or changed, in this run.
func (t Output) skillLines(run *Run) []string {
	changed := map[string]bool{} // names of skills
	for file, written := range t.changed() {
		_, below, ok := strings.Cut(file, site.SkillsDir+"/")
		if ok && written {
			name, _, _ := strings.Cut(below, "/")
			changed[strings.TrimSuffix(name, ".tar.gz")] = true
		}
	}
	var lines []string
	for _, s := range publishedSkills(run) {
		if changed[s.Name] {
			lines = append(lines, "    public: "+s.Name+": "+strings.Join(fileNames(s), ", "))
		}
	}
	return lines
}

func fileNames(s site.Skill) (names []string) {
	for _, f := range s.Files {
		names = append(names, f.Path)
	}
	return names
}

// publishedSkills are the skills that the run published with their files.
func publishedSkills(run *Run) []site.Skill {
	var skills []site.Skill
	for _, x := range run.Result.Indexes {
		skills = append(skills, x.Skills...)
	}
	return skills
}

// Members is what generate adds to the findings in a machine format.
func Members(run *Run, changed map[string]bool) []source.Member {
	list := source.ArrayOf()
	for _, c := range run.Result.Cards {
		t := Output{Kind: Public}
		if c.Extended {
			t.Kind = Private
		}
		list.Items = append(list.Items, source.ObjectOf(
			"agent", c.Agent,
			"path", c.Path,
			"sha256", c.Digest.String(),
			"skills", c.Skills,
			"changed", changed[t.key(c.Path)],
		))
	}
	members := []source.Member{{Key: "cards", Value: list}}
	if skills := publishedSkills(run); skills != nil {
		published := source.ListOf(skills, func(s site.Skill) *source.Node {
			return source.ObjectOf("skill", s.Name, "agent", s.Agent, "files", fileNames(s))
		})
		members = append(members, source.Member{Key: "published", Value: published})
	}
	return members
}
