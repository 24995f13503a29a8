package mapping

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
	for _, tt := range []struct{ name, in, want string }{
		{"as it is", `{"type": "array"}`, `{"type": "array"}`},
		{"of an object", `{"required": ["a"]}`, `{"type": "object", "required": ["a"]}`},
		{
			"names of types", `{"properties": {"a": "string", "b": {"type": "number"}}}`,
			`{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}}`,
		},
		{"no schema at all", `["a"]`, `["a"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := packManifest(document(t, `{"name": "a", "description": "b", "input_schema": `+tt.in+`}`), "desk.pack/helmdeck-pack.yaml")
			number := func(text string) any { return text }
			if d := cmp.Diff(document(t, tt.want).Any(number), p.Input.Node.Any(number)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if p.Input.Pointer != "/input_schema" || p.Output.Node != nil {
				t.Errorf("pointer %q, output %v", p.Input.Pointer, p.Output.Node)
			}
		})
	}
}

func TestLatest(t *testing.T) {
	pack := func(id, version string) Pack {
		return Pack{Skill: Skill{Skill: schema.Skill{ID: id, Description: version}}, Version: version}
	}
	for _, tt := range []struct {
		name     string
		versions []string
		want     []string
	}{
		{"one", []string{"v1"}, []string{"v1"}},
		{"numbers", []string{"v9", "v10", "v2"}, []string{"v10"}},
		{"leading zeros", []string{"v010", "v9"}, []string{"v010"}},
		{"no number", []string{"v2", "v1.10"}, []string{"v2"}},
		{"none", []string{"", "v1"}, []string{"v1"}},
		{"words", []string{"stable", "v1", "beta"}, []string{"v1"}},
		{"the same twice", []string{"v1", "V1"}, []string{"v1", "V1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			packs := []Pack{pack("other", "v0")}
			for _, v := range tt.versions {
				packs = append(packs, pack("a", v))
			}
			skills, found := latest(packs)
			var got []string
			for _, s := range skills[1:] {
				got = append(got, s.Description)
			}
			if d := cmp.Diff(tt.want, got); d != "" || len(found) != len(tt.versions)-len(got) {
				t.Errorf("(-want +got):\n%s%s", d, shown(found))
			}
		})
	}
}

func TestPackIndex(t *testing.T) {
	names, found := packIndex(yaml(t,
		"catalog_version: v1\npacks:\n"+
			"  - {name: web.scrape, version: v1, path: ../../etc}\n  - cmd.run\n  - {version: v1}\n"))
	var got []string
	for _, n := range names {
		got = append(got, n.Text+" "+n.Span.String())
	}
	if d := cmp.Diff([]string{"web.scrape f:3:12", "cmd.run f:4:5"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if want := "5:5 warning source-name-missing: the index lists a pack without a name\n"; shown(found) != want {
		t.Errorf("got %s", shown(found))
	}
	if _, found := packIndex(yaml(t, "packs: 1")); shown(
		found) != "1:1 error source-invalid: the index has no list of packs\n" {
		t.Errorf("got %s", shown(found))
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
