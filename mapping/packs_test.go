package mapping

import (
	"strings"
	"testing"

	"cardwright/schema"
)

func TestPackManifest(t *testing.T) {
	for _, tt := range []struct{ in, want, version, found string }{
		{`name: web.scrape
version: v2
author: someone@example.org
license: MIT
description: Reads a web page.
category: web
tags: [browser, Web, spa]
needs_session: true
handler: {type: command, command: [./scrape], env: [TOKEN=x]}
examples:
  - {name: one, description: Read the front page, input: {url: "https://example.org"}}
  - {name: two, input: {}}
  - Read the front page of acme.example
trust: {signed_by: someone}
`, "web.scrape|web.scrape|Reads a web page.|web,browser,spa|Read the front page of acme.example", "v2", ""},
		{"{name: a, description: b}", "a|a|b|pack|", "", ""},
		{"{name: a, description: b, version: 1.10, tags: x}", "a|a|b|x|", "1.10", ""},
		{"name: a\ndescription: issue #1 of 2", "a|a|issue|pack|", "", "2:14 warning source-comment-cut"},
		{"description: b", "desk.pack|desk.pack|b|pack|", "", "1:1 info source-name-missing"},
		{"name: a", "", "", "1:7 warning source-description-missing"},
		{"- name: a", "", "", "1:1 warning source-invalid"},
		{"", "", "", "1:1 warning source-invalid"},
	} {
		p, found := packManifest(yaml(t, tt.in), "desk.pack/helmdeck-pack.yaml")
		got, version := "", ""
		if p != nil {
			got, version = brief(p.Skill.Skill), p.Version
			tt.want += "|application/json|application/json"
		}
		if got != tt.want || version != tt.version || ruled(found) != tt.found {
			t.Errorf("%s: got %q of %q, %s, want %q of %q, %s", tt.in, got, version, ruled(found), tt.want, tt.version, tt.found)
		}
	}
}

func TestPackSchemas(t *testing.T) {
	for in, want := range map[string]string{
		`{"type": "array"}`:   `{"type": "array"}`,
		`{"required": ["a"]}`: `{"type": "object", "required": ["a"]}`,
		`{"properties": {"a": "string", "b": {"type": "number"}}}`: `{"type": "object", ` +
			`"properties": {"a": {"type": "string"}, "b": {"type": "number"}}}`,
		`["a"]`: `["a"]`,
	} {
		p, _ := packManifest(document(t, `{"name": "a", "description": "b", "input_schema": `+in+`}`), "")
		if !p.Input.Node.Equal(document(t, want)) || p.Input.Pointer != "/input_schema" || p.Output.Node != nil {
			t.Errorf("%s: got %+v", in, p.Input)
		}
	}
}

func TestLatest(t *testing.T) {
	for _, tt := range []struct{ versions, want string }{
		{"v1", "v1"},
		{"v9 v10 v2", "v10"},
		{"v010 v9", "v010"},
		{"v2 v1.10", "v2"},
		{"none v1", "v1"},
		{"stable v1 beta", "v1"},
		{"v1 V1", "v1 V1"},
	} {
		packs := []Pack{{Skill: Skill{Skill: schema.Skill{ID: "other"}}, Version: "v0"}}
		for v := range strings.FieldsSeq(tt.versions) {
			packs = append(packs, Pack{Skill: Skill{Skill: schema.Skill{ID: "a", Description: v}}, Version: v})
		}
		skills, found := latest(packs)
		var got []string
		for _, s := range skills[1:] {
			got = append(got, s.Description)
		}
		if strings.Join(got, " ") != tt.want || len(found) != len(packs)-len(skills) {
			t.Errorf("%s: got %s, %s", tt.versions, got, ruled(found))
		}
	}
}

func TestPackIndex(t *testing.T) {
	names, found := packIndex(yaml(t,
		"catalog_version: v1\npacks:\n"+
			"  - {name: web.scrape, version: v1, path: ../../etc}\n  - cmd.run\n  - {version: v1}\n"))
	if len(names) != 2 || names[0].Text != "web.scrape" || names[1].Span.String() != "f:4:5" ||
		ruled(found) != "5:5 warning source-name-missing" {
		t.Errorf("got %v, %s", names, ruled(found))
	}
	if _, found := packIndex(yaml(t, "packs: 1")); ruled(found) != "1:1 error source-invalid" {
		t.Errorf("got %s", ruled(found))
	}
}

// What Helmdeck calls a pack: by its program, its name or its directory.
func TestPackCalled(t *testing.T) {
	for _, tt := range []struct{ file, in, id, found string }{
		{"p/desk/helmdeck-pack.yaml", "name: a", "a", ""},
		{"p/desk/helmdeck-pack.yaml", "version: v1", "desk", "1:1 info source-name-missing"},
		{"p/sort.helmdeck-pack.json", "name: cmd.sort", "cmd.sort", ""},
		{"p/sort.helmdeck-pack.json", "name: sort", "cmd.sort", "1:7 info source-name-missing"},
	} {
		p, found := packManifest(yaml(t, tt.in+"\ndescription: b"), tt.file)
		if p.ID != tt.id || ruled(found) != tt.found {
			t.Errorf("%s: got %s, %s, want %s, %s", tt.file, p.ID, ruled(found), tt.id, tt.found)
		}
	}
}
