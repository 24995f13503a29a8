package publish

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// fewestLost is how many agents, or skills of one, may go without a question.
const fewestLost = 3

// losses refuses a run that removes more than half of the published agents, or more
// than half of the skills of one of them, where these are [fewestLost] or more: as a
// rule a file was cut off, or a directory is empty that should not be.
func (s *survey) losses() diag.List {
	before, after := map[string]string{}, map[string]*target{}
	for _, e := range s.old.Files {
		if isCard(e.Path) {
			before[e.Agent] = e.Path
		}
	}
	for _, t := range s.targets {
		if isCard(t.Path) {
			after[t.Agent] = t
		}
	}
	for _, e := range s.last.manifest.Files { // and those that the run leaves alone
		if isCard(e.Path) && after[e.Agent] == nil {
			after[e.Agent] = &target{site: same}
		}
	}
	var found diag.List
	ids := slices.Sorted(maps.Keys(before))
	gone := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return after[id] != nil })
	found = append(found, s.loss(tree.ManifestName, "published agents", gone, len(ids))...)
	for _, id := range ids {
		t := after[id]
		if t == nil || t.site == same {
			continue
		}
		data, err := read(s.root, before[id], tree.MaxFile)
		if err != nil {
			continue // there is no card any more, which the visit of its folder has found
		}
		was, now := skillsOf(data), skillsOf(t.Data)
		gone := slices.DeleteFunc(slices.Clone(was), func(skill string) bool { return slices.Contains(now, skill) })
		found = append(found, s.loss(before[id], fmt.Sprintf("skills of the agent %q", id), gone, len(was))...)
	}
	return found
}

func (s *survey) loss(file, what string, gone []string, of int) diag.List {
	if len(gone) < fewestLost || 2*len(gone) <= of {
		return nil
	}
	named := gone[:min(len(gone), 8)]
	rest := ""
	if n := len(gone) - len(named); n > 0 {
		rest = fmt.Sprintf(" and %d more", n)
	}
	return diag.List{problem(ruleRemoval, s.dir, file,
		fmt.Sprintf("the run would remove %d of the %d %s: %s%s", len(gone), of, what, strings.Join(named, ", "), rest),
		"check the configuration and the sources; if the removal is intended, run the command again with --force")}
}

func isCard(p string) bool {
	return !tree.InSkills(p) && slices.Contains([]string{path.Base(tree.CardPath), tree.ExtendedCardName}, path.Base(p))
}

// skillsOf returns the ids on a card in the form in which cards are written.
func skillsOf(card []byte) []string {
	var ids []string
	for line := range bytes.Lines(card) {
		if id, ok := bytes.CutPrefix(line, []byte(`      "id": "`)); ok {
			ids = append(ids, string(bytes.TrimRight(id, "\",\r\n")))
		}
	}
	return ids
}
