package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/source"
)

// linesShown is how many lines say of all agents which files become public.
const linesShown = 20

// maskedFiles are files of a skill without the credentials in their names.
func maskedFiles(f diff.Files) diff.Files {
	return diff.Files{
		Added: MaskedNode(source.NewTexts(f.Added)).Words(), Removed: MaskedNode(source.NewTexts(f.Removed)).Words(),
	}
}

// fileLines say which files of a skill become public, and which are no longer.
func fileLines(c diff.Change) []string {
	return directions(map[string]diff.Files{"": c.Files}, "", "--format json")
}

// PublicFiles says for people which files of skills become public, and which are no
// longer, by agent, from changes that can be shown: see [Printable]. With all it names
// each of them.
func PublicFiles(changes []diff.Change, all bool) []string {
	agents := map[string]map[string]diff.Files{}
	for _, c := range changes {
		if agents[c.Agent] == nil {
			agents[c.Agent] = map[string]diff.Files{}
		}
		f := agents[c.Agent][c.Skill] // of another site
		agents[c.Agent][c.Skill] = diff.Files{
			Added: slices.Concat(f.Added, c.Files.Added), Removed: slices.Concat(f.Removed, c.Files.Removed),
		}
	}
	option := "--all"
	if all {
		option = ""
	}
	var lines []string
	for _, agent := range slices.Sorted(maps.Keys(agents)) {
		lines = append(lines, directions(agents[agent], strings.TrimPrefix(agent+": ", ": "), option)...)
	}
	if rest := len(lines) - linesShown; rest > 1 && !all {
		lines = append(lines[:linesShown], fmt.Sprintf("and %d more (--all shows them)", rest))
	}
	return lines
}

// directions are a line about the files that become public, by skill, and one about
// those that are no longer. The option shows those that the lines leave out; without one
// they leave out none.
func directions(skills map[string]diff.Files, prefix, option string) []string {
	var lines []string
	for _, d := range []struct {
		one, many string
		of        func(diff.Files) []string
	}{
		{"becomes public", "become public", func(f diff.Files) []string { return f.Added }},
		{"is no longer public", "are no longer public", func(f diff.Files) []string { return f.Removed }},
	} {
		var names, counts []string
		for _, skill := range slices.Sorted(maps.Keys(skills)) {
			files := d.of(skills[skill])
			for _, file := range files {
				names = append(names, strings.TrimPrefix(skill+"/", "/")+file)
			}
			if len(files) > 0 {
				counts = append(counts, fmt.Sprintf("%s (%s)", skill, diag.Count(len(files), "file")))
			}
		}
		if len(names) == 0 {
			continue
		}
		what := diag.Count(len(names), "file") + " " + d.many
		if len(names) == 1 {
			what = "1 file " + d.one
		}
		if len(counts) > 1 && len(names) >= groupFrom && option != "" {
			names = counts // which say more than three of the names
		}
		lines = append(lines, prefix+what+": "+few(names, option))
	}
	return lines
}

// few joins the first of many names, and says how many more there are.
func few(names []string, option string) string {
	if len(names) < groupFrom || option == "" {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more (%s shows them)", strings.Join(names[:groupShown], ", "), len(names)-groupShown,
		option)
}

// FileMembers returns a member of [JSON] with every file of a skill that becomes public,
// or is no longer, by agent and skill; none where there is no such file.
func FileMembers(changes []diff.Change) []source.Member {
	changes = slices.DeleteFunc(slices.Clone(changes), func(c diff.Change) bool { return !c.Files.Changed() })
	if len(changes) == 0 {
		return nil
	}
	return []source.Member{{Key: "publicFiles", Value: source.ListOf(changes, func(c diff.Change) *source.Node {
		return source.ObjectOf("agent", c.Agent, "skill", c.Skill, "added", c.Files.Added, "removed", c.Files.Removed)
	})}}
}
