package project

import (
	"cardwright/internal/source"
)

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
