package project

import (
	"cardwright/internal/source"
)

// Members is what generate adds to the findings in a machine format.
func Members(run *Run, changed map[string]bool) []source.Member {
	var list []*source.Node
	for _, c := range run.Result.Cards {
		t := Tree{Kind: Public}
		if c.Extended {
			t.Kind = Private
		}
		node := &source.Node{Kind: source.Object}
		node.SetText("agent", c.Agent)
		node.SetText("path", c.Path)
		node.SetText("sha256", c.Digest.String())
		node.Set("skills", source.NewInt(c.Skills))
		node.Set("changed", source.NewBool(changed[t.key(c.Path)]))
		list = append(list, node)
	}
	made := source.Member{Key: "cards", Value: &source.Node{Kind: source.Array, Items: list}}
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
		node := &source.Node{Kind: source.Object}
		node.SetText("skill", s.Name)
		node.SetText("agent", s.Agent)
		node.SetTexts("files", files)
		list = append(list, node)
	}
	if list == nil {
		return nil
	}
	return []source.Member{{Key: "published", Value: &source.Node{Kind: source.Array, Items: list}}}
}
