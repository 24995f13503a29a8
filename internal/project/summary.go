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

// Summary says in a few lines what was written where.
func Summary(run *Run) []string {
	var lines []string
	for i, t := range run.Trees {
		if t.noteworthy(run.Reports[i]) {
			lines = append(lines, t.headline(run, run.Reports[i]))
		}
		if t.Kind != Servers {
			lines = append(append(lines, t.cardLines(run, run.Reports[i])...), t.removedLines(run.Reports[i])...)
		}
		if t.Kind == Public {
			lines = append(append(lines, t.indexLines(run)...), skillLines(run, run.Reports[i])...)
		}
	}
	return lines
}

// OneLine says the same in one line.
func OneLine(run *Run) []string {
	var parts []string
	for i, t := range run.Trees {
		if t.noteworthy(run.Reports[i]) {
			parts = append(parts, t.headline(run, run.Reports[i]))
		}
	}
	return []string{strings.Join(parts, "; ")}
}

// noteworthy reports whether there is anything to say of a tree: an empty one was
// perhaps emptied long ago.
func (t Output) noteworthy(r publish.Report) bool {
	return len(t.Files) > 0 || r.Count(publish.Removed) > 0
}

// headline says in one line what a tree is and what was written to it.
func (t Output) headline(run *Run, r publish.Report) string {
	return fmt.Sprintf("%s: %s; %s", t.Dir.Name, t.Content(run), written(r))
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

// removedLines name the cards that are no longer in the tree, a line each.
func (t Output) removedLines(r publish.Report) []string {
	var lines []string
	rest := 0
	for _, f := range r {
		switch {
		case f.State != publish.Removed || path.Base(f.Path) != path.Base(site.CardPath):
		case len(lines) == shownCards:
			rest++
		default:
			lines = append(lines, "  "+files.Join(t.Dir.Name, f.Path)+"  removed")
		}
	}
	if rest > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more removed", rest))
	}
	return lines
}

// cardLines describe the cards of the tree that changed, a line each, and count the
// others. Where none changed they describe what was looked at.
func (t Output) cardLines(run *Run, r publish.Report) []string {
	changed := map[string]bool{}
	for _, f := range r {
		changed[f.Path] = f.State == publish.Created || f.State == publish.Updated
	}
	all := t.cards(run)
	cards := slices.DeleteFunc(slices.Clone(all), func(c generate.Card) bool { return !changed[c.Path] })
	if len(cards) == 0 {
		cards = all
	}
	var lines []string
	for _, c := range cards[:min(len(cards), shownCards)] {
		lines = append(lines, fmt.Sprintf("  %s  %s %s, A2A %s, %s", files.Join(t.Dir.Name, c.Path), c.Name, c.Version,
			c.Protocol.Text(), diag.Count(c.Skills, "skill")))
	}
	if more := len(cards) - shownCards; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	if same := len(all) - len(cards); same > 0 {
		lines = append(lines, "  and "+diag.Count(same, "card")+" unchanged")
	}
	return lines
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
func skillLines(run *Run, r publish.Report) []string {
	changed := map[string]bool{} // names of skills
	for _, f := range r {
		_, below, ok := strings.Cut(f.Path, site.SkillsDir+"/")
		if ok && (f.State == publish.Created || f.State == publish.Updated) {
			name, _, _ := strings.Cut(below, "/")
			changed[strings.TrimSuffix(name, ".tar.gz")] = true
		}
	}
	var lines []string
	for _, s := range publishedSkills(run) {
		var names []string
		for _, f := range s.Files {
			names = append(names, f.Path)
		}
		if changed[s.Name] {
			lines = append(lines, "    public: "+s.Name+": "+strings.Join(names, ", "))
		}
	}
	return lines
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
	made := source.Member{Key: "cards", Value: list}
	return append([]source.Member{made}, publishedMember(run)...)
}

// publishedMember is what generate adds of the skills that are published with their
// files, nothing when there are none.
func publishedMember(run *Run) []source.Member {
	var list []*source.Node
	for _, s := range publishedSkills(run) {
		var files []string
		for _, f := range s.Files {
			files = append(files, f.Path)
		}
		list = append(list, source.ObjectOf("skill", s.Name, "agent", s.Agent, "files", files))
	}
	if list == nil {
		return nil
	}
	return []source.Member{{Key: "published", Value: source.ArrayOf(list...)}}
}
