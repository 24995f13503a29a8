package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/discovery"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/tree"
)

// summary says in a few lines what was written where.
func summary(run *built, trees []outTree, reports []publish.Report) []string {
	var lines []string
	for i, t := range trees {
		if t.noteworthy(reports[i]) {
			lines = append(lines, t.headline(run, reports[i]))
		}
		if t.kind != serverTree {
			lines = append(lines, t.cardLines(run)...)
		}
		if t.kind == publicTree {
			lines = append(lines, t.indexLines(run)...)
		}
	}
	return lines
}

// oneLine says the same in one line.
func oneLine(run *built, trees []outTree, reports []publish.Report) []string {
	var parts []string
	for i, t := range trees {
		if t.noteworthy(reports[i]) {
			parts = append(parts, t.headline(run, reports[i]))
		}
	}
	return []string{strings.Join(parts, "; ")}
}

// noteworthy tells whether there is anything to say of a tree: an empty one was
// perhaps emptied long ago.
func (t outTree) noteworthy(r publish.Report) bool {
	return len(t.files) > 0 || r.Count(publish.Removed) > 0
}

// headline says in one line what a tree is and what was written to it.
func (t outTree) headline(run *built, r publish.Report) string {
	return fmt.Sprintf("%s: %s; %s", t.dir.Name, t.content(run), written(r))
}

// written says how many files were written, left alone and removed.
func written(r publish.Report) string {
	wrote := r.Count(publish.Created) + r.Count(publish.Updated)
	what := "nothing to write, all up to date"
	if wrote > 0 || r.Count(publish.Removed) > 0 {
		what = report.Plural(wrote, "file") + " written"
	}
	if n := r.Count(publish.Unchanged); n > 0 && wrote > 0 {
		what += fmt.Sprintf(", %d unchanged", n)
	}
	if n := r.Count(publish.Removed); n > 0 {
		what += fmt.Sprintf(", %d removed", n)
	}
	return what
}

// content says what is in the tree.
func (t outTree) content(run *built) string {
	if t.kind == serverTree {
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
	return report.Plural(cards, "card") + ", " + report.Plural(skills, "skill")
}

// cards are those of the run that the tree holds.
func (t outTree) cards(run *built) []generate.Card {
	return slices.DeleteFunc(slices.Clone(run.result.Cards), func(c generate.Card) bool {
		return c.Extended != (t.kind == privateTree)
	})
}

// cardLines describe the cards of the tree, a line each.
func (t outTree) cardLines(run *built) []string {
	const shown = 20
	cards := t.cards(run)
	var lines []string
	for i, c := range cards {
		if i == shown && len(cards) > shown+1 {
			return append(lines, fmt.Sprintf("  and %d more", len(cards)-shown))
		}
		lines = append(lines, fmt.Sprintf("  %s  %s %s, A2A %s, %s", paths.Join(t.dir.Name, c.Path), c.Name, c.Version,
			c.Protocol.Text(), report.Plural(c.Skills, "skill")))
	}
	return lines
}

// indexLines describe the files that list the agents, a line each.
func (t outTree) indexLines(run *built) []string {
	var lines []string
	for _, x := range run.result.Indexes {
		if x.Agents > 0 {
			lines = append(lines, fmt.Sprintf("  %s  %s, %s", paths.Join(t.dir.Name, x.Path), x.Kind,
				report.Plural(x.Agents, "agent")))
			continue
		}
		lines = append(lines, fmt.Sprintf("  %s  %s, %s", paths.Join(t.dir.Name, x.Path), x.Kind,
			report.Plural(len(x.Skills), "skill")))
	}
	return append(lines, publishedLines(run)...)
}

// publishedLines name every file that is published with a skill.
func publishedLines(run *built) []string {
	var lines []string
	for _, s := range publishedSkills(run) {
		var files []string
		for _, f := range s.Files {
			files = append(files, f.Path)
		}
		lines = append(lines, fmt.Sprintf("  skill %s, published with %s: %s", s.Name, report.Plural(len(files), "file"),
			strings.Join(files, ", ")))
	}
	return lines
}

// publishedSkills are the skills that the run published with their files.
func publishedSkills(run *built) []discovery.Skill {
	var skills []discovery.Skill
	dirs := map[string]bool{} // one of the two indexes of a site says it all
	for _, x := range run.result.Indexes {
		site := strings.TrimSuffix(strings.TrimSuffix(path.Dir(x.Path), tree.SkillsDir), tree.LegacySkillsDir)
		if len(x.Skills) == 0 || dirs[site] {
			continue
		}
		dirs[site] = true
		for _, s := range x.Skills {
			if !s.Kept {
				skills = append(skills, s)
			}
		}
	}
	return skills
}
