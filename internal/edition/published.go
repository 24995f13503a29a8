package edition

import (
	"strings"

	"cardwright/internal/diff"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// skillsIndex is where a site lists the skills that it publishes with their files.
const skillsIndex = tree.SkillsDir + "/" + tree.SkillsIndexName

// isSkillsIndex tells whether a file of a tree lists published skills.
func isSkillsIndex(file string) bool {
	return file == skillsIndex || strings.HasSuffix(file, "/"+skillsIndex)
}

// Published are the skills that a tree publishes with their files, by where they
// are listed and their names. An index that cannot be read lists none.
func (e *Edition) Published() map[string]diff.PublishedSkill {
	skills := map[string]diff.PublishedSkill{}
	for _, file := range e.Files {
		if !e.Tree || !isSkillsIndex(file) {
			continue
		}
		limit := e.Limits.WithDefaults().Card
		data, err := e.Read(file, limit)
		if err != nil {
			continue
		}
		root, _ := source.ParseJSON(file, data, e.Limits)
		list := root.Get("skills")
		if !list.Is(source.Array) {
			continue
		}
		for _, item := range list.Items {
			text := func(key string) string {
				if n := item.Get(key); n.Is(source.String) {
					return n.Text
				}
				return ""
			}
			skills[file+" "+text("name")] = diff.PublishedSkill{
				Name: text("name"), Description: text("description"),
				Digest: text("digest"),
			}
		}
	}
	return skills
}
