package config

import (
	"slices"
	"testing"
	"testing/fstest"
)

// What a file of include with errors may keep private, of the skills that its agents
// may read.
func TestDoubts(t *testing.T) {
	const config = "version: 1\ninclude: [{files: teams/b.yaml, reads: [shared]}, teams/a.yaml]\n"
	const agent = "agents: [{id: a, name: A, description: Does it., version: 1.0.0, " +
		"interfaces: [{url: https://a.example/}]}]\n"
	all := []string{"deploy", "pdf", "x"}
	for text, private := range map[string][]string{
		"agents: [{id: b, skills: {include: [deploy]}}":                                        nil,
		"agents: [{id: b, skills: {extended: [deploy, pd*]}}":                                  {"deploy", "pdf"},
		"agents: [{id: b, skills: {extended: [\"deploy\"], include: [\"*\"]}}":                 {"deploy"},
		"agents:\n  - id: b\n    skills:\n      extended:\n        - deploy\n        - ?\n  [": {"deploy", "x"},
		"agents:\n  - id: [b]\n    skills:\n      extended:\n        - p*\n":                   {"pdf"},
		"agents: [{id: b, skills: {overlay: {pdf: {name: P, visibility: hidden}}}}":            {"pdf"},
		"agents: [{id: b, skills: {\"extended\": [\"[dp]*\"]}}":                                all,
		"agents: [{id: b, skills: {extended: [\"\\x64eploy\"]}}":                               all,
		"agents: [{id: ${b}, version: \"${v}\", signing: {}}":                                  nil,
		"agents: [{id: ${b}, skills: {extended: [deploy]}, signing: {}}":                       all,
		"agents: [{id: b, name: [], skills: {extended: [deploy]}}]":                            {"deploy"},
		"agents: [{id: b, name: B, skills: {extended: [\"*\"]}}":                               all,
	} {
		files := fstest.MapFS{"teams/a.yaml": {Data: []byte(agent)}, "teams/b.yaml": {Data: []byte(text)}}
		c, found := Load([]byte(config), Options{
			File:  "cardwright.yaml",
			Files: &Files{FS: files, Name: "cardwright.yaml", Show: func(name string) string { return "p/" + name }},
		})
		if c == nil || len(c.Agents) != 1 {
			t.Fatal(found)
		}
		for _, id := range all {
			covered, elsewhere := false, false
			for _, d := range c.Doubts {
				covered = covered || d.Covers("p/shared/"+id+"/SKILL.md", id)
				elsewhere = elsewhere || d.Covers("p/other/"+id+"/SKILL.md", id)
			}
			if covered != slices.Contains(private, id) || elsewhere {
				t.Errorf("%s: %s is covered: %v, elsewhere: %v", text, id, covered, elsewhere)
			}
		}
	}
}
