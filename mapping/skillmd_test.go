package mapping

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/schema"
)

// parse reads the YAML of a header as if it stood in skills/pdf/SKILL.md.
func parse(t *testing.T, yaml string) *source.Node {
	t.Helper()
	text := "---\n" + strings.TrimSpace(yaml) + "\n---\n"
	header, found := source.ReadFrontmatter(strings.NewReader(text), file.Path, source.FrontmatterOptions{})
	if header == nil {
		t.Fatalf("no header: %v", found)
	}
	return header
}

var file = Match{Path: "skills/pdf/SKILL.md", Dir: "pdf"}

// told returns the findings, one a line, as place, severity, rule and message.
func told(found diag.List) string {
	var b strings.Builder
	for _, d := range found.Sorted() {
		fmt.Fprintf(&b, "%d:%d %s %s: %s\n", d.Span.Line, d.Span.Column, d.Severity, d.Rule, d.Message)
	}
	return b.String()
}

func TestSkillMD(t *testing.T) {
	tests := []struct {
		name, header string
		want         schema.Skill
		found        string
	}{
		{
			name:   "minimal",
			header: "name: pdf\ndescription: Reads PDF files.",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads PDF files."},
		},
		{
			name: "A2A members as strings",
			header: `
name: pdf
description: Reads PDF files.
title: PDF Tools
tags: [ignored]
examples: [ignored]
metadata:
  a2a-id: acme-pdf
  a2a-name: PDF
  a2a-description: Fills in forms.
  a2a-tags: Forms, pdf, PDF, "two words"
  a2a-examples: |
    Merge a.pdf, b.pdf
    - Fill in "this" form
  a2a-input-modes: application/pdf, text/plain
  a2a-output-modes: |
    application/pdf
    text/plain
`,
			want: schema.Skill{
				ID: "acme-pdf", Name: "PDF", Description: "Fills in forms.",
				Tags:        []string{"Forms", "pdf", "two words"},
				Examples:    []string{"Merge a.pdf, b.pdf", `Fill in "this" form`},
				InputModes:  []string{"application/pdf", "text/plain"},
				OutputModes: []string{"application/pdf", "text/plain"},
			},
		},
		{
			name: "A2A members in a map",
			header: `
name: pdf
description: Reads PDF files.
metadata:
  a2a: {tags: [forms, 1.10], inputModes: [application/pdf], examples: ["Merge a, b"], id: nested}
  a2a-id: flat
`,
			want: schema.Skill{
				ID: "flat", Name: "pdf", Description: "Reads PDF files.", Tags: []string{"forms", "1.10"},
				InputModes: []string{"application/pdf"}, Examples: []string{"Merge a, b"},
			},
		},
		{
			name:   "metadata as JSON text",
			header: "name: pdf\ndescription: Reads.\nmetadata: '{\"category\": \"office\", \"a2a\": {\"id\": \"acme-pdf\"}}'",
			want:   schema.Skill{ID: "acme-pdf", Name: "pdf", Description: "Reads.", Tags: []string{"office"}},
		},
		{
			name:   "metadata null",
			header: "name: pdf\ndescription: Reads.\nmetadata:",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
		},
		{
			name:   "metadata text",
			header: "name: pdf\ndescription: Reads.\nmetadata: none of it",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
			found:  "4:11 info source-metadata: metadata is not a map and is not read\n",
		},
		{
			name:   "metadata list",
			header: "name: pdf\ndescription: Reads.\nmetadata: [a]",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
			found:  "4:11 info source-metadata: metadata is not a map and is not read\n",
		},
		{
			name: "tags from everywhere, category first",
			header: `
name: pdf
description: Reads.
tags: [Forms, pdf, {not: text}, "", 2024-01-01]
keywords: PDF, print
category: Office
metadata:
  clawdbot: {tags: [bot]}
  tags: "[scan, 'ocr']"
  domain: documents
  category: office
`,
			want: schema.Skill{
				ID: "pdf", Name: "pdf", Description: "Reads.",
				Tags: []string{"Office", "Forms", "pdf", "2024-01-01", "print", "documents", "scan", "ocr", "bot"},
			},
			found: "4:20 info source-metadata: an entry of tags has no text and is not read\n",
		},
		{
			name: "tags from metadata of others",
			header: `
name: pdf
description: Reads.
domain: [office]
metadata:
  keywords: print, scan
  acme: {category: documents, domain: paper}
`,
			want: schema.Skill{
				ID: "pdf", Name: "pdf", Description: "Reads.",
				Tags: []string{"office", "print", "scan", "documents", "paper"},
			},
		},
		{
			name: "tags between spaces",
			header: "name: pdf\ndescription: Reads.\ntags: forms c++ node.js\nkeywords: Portable documents\n" +
				"category: scan and print",
			want: schema.Skill{
				ID: "pdf", Name: "pdf", Description: "Reads.",
				Tags: []string{"scan and print", "forms", "c++", "node.js", "Portable documents"},
			},
		},
		{
			name:   "own tags are not split at spaces",
			header: "name: pdf\ndescription: Reads.\nmetadata: {a2a-tags: 'paper forms, print'}",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads.", Tags: []string{"paper forms", "print"}},
		},
		{
			name:   "entries that have no text",
			header: "name: pdf\ndescription: Reads.\ntags: [{name: forms}, print]\nexamples: [[nested]]",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads.", Tags: []string{"print"}},
			found: "4:8 info source-metadata: an entry of tags has no text and is not read\n" +
				"5:12 info source-metadata: an entry of examples has no text and is not read\n",
		},
		{
			name:   "a list that is a map",
			header: "name: pdf\ndescription: Reads.\nexamples: {first: Fill in this form.}",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
			found:  "4:11 info source-metadata: examples is a map and is not read\n",
		},
		{
			name:   "a name that is a list",
			header: "name: [TODO: name it]\ndescription: Reads.",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
			found:  "2:7 warning source-name-missing: the name is an array, not text, its id is \"pdf\"\n",
		},
		{
			name: "empty values are absent",
			header: "name: pdf\ntitle: ''\ndescription: Reads.\n" +
				"metadata: {a2a-name: ' ', a2a-tags: '', a2a-id: null}\ntags: []",
			want: schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
		},
		{
			name:   "values by their spelling",
			header: "name: no\ndescription: 1.10\ntags: [yes, 0x1F, 1_000]",
			want:   schema.Skill{ID: "no", Name: "no", Description: "1.10", Tags: []string{"yes", "0x1F", "1_000"}},
			found:  "2:7 warning source-name-directory: the name \"no\" differs from the directory \"pdf\"\n",
		},
		{
			name:   "description is trimmed and nothing else",
			header: "name: pdf\ndescription: \"\\n  One  two\\r\\n   <three> \\t\\n\\nfour & é \\n\"",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "One  two\n   <three>\n\nfour & é"},
		},
		{
			name:   "display name",
			header: "name: pdf\ndescription: Reads.\ntitle: Last\ndisplay_name: Second\ndisplayName: First",
			want:   schema.Skill{ID: "pdf", Name: "First", Description: "Reads."},
		},
		{
			name:   "name as title",
			header: "name: Invoice Automation\ndescription: Reads.",
			want:   schema.Skill{ID: "invoice-automation", Name: "Invoice Automation", Description: "Reads."},
			found: `2:7 warning source-name-directory: the name "Invoice Automation" differs from the directory "pdf"
2:7 warning source-name-format: the name "Invoice Automation" does not follow the format of Agent Skills; ` +
				`the id is "invoice-automation"
`,
		},
		{
			name:   "name is the directory but for its format",
			header: "name: PDF\ndescription: Reads.",
			want:   schema.Skill{ID: "pdf", Name: "PDF", Description: "Reads."},
			found: "2:7 warning source-name-format: the name \"PDF\" does not follow the format of Agent Skills; " +
				"the id is \"pdf\"\n",
		},
		{
			name:   "name without letters",
			header: "name: '!!!'\ndescription: Reads.",
			want:   schema.Skill{ID: "pdf", Name: "!!!", Description: "Reads."},
			found: `2:7 warning source-name-directory: the name "!!!" differs from the directory "pdf"
2:7 warning source-name-format: the name "!!!" does not follow the format of Agent Skills; the id is "pdf"
`,
		},
		{
			name:   "no name",
			header: "description: Reads.",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
			found:  "2:1 warning source-name-missing: the skill has no name, its id is \"pdf\"\n",
		},
		{
			name:   "long description counts characters",
			header: "name: pdf\ndescription: " + strings.Repeat("ä", 1025),
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: strings.Repeat("ä", 1025)},
			found:  "3:14 warning source-description-long: the description has 1025 characters, Agent Skills allows 1024\n",
		},
		{
			name:   "longest description",
			header: "name: pdf\ndescription: " + strings.Repeat("ä", 1024),
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: strings.Repeat("ä", 1024)},
		},
		{
			name:   "comment cuts the description",
			header: "name: pdf # of Acme\ndescription: Closes issue #12 and #13.",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Closes issue"},
			found:  "3:14 warning source-comment-cut: the description ends before \" #\", which starts a comment\n",
		},
		{
			name:   "unknown keys",
			header: "name: pdf\ndescription: Reads.\nmetadata: {a2a-tag: x, a2a: {colour: red}, a2amazing: x}",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
			found: `4:12 warning source-key-unknown: unknown key "a2a-tag" for A2A
4:30 warning source-key-unknown: unknown key "colour" for A2A
`,
		},
		{
			name:   "A2A key at the top level",
			header: "name: pdf\ndescription: Reads.\na2a-id: acme-pdf",
			want:   schema.Skill{ID: "acme-pdf", Name: "pdf", Description: "Reads."},
			found:  "4:1 warning source-key-unknown: \"a2a-id\" is at the top level\n",
		},
		{
			name:   "invocation",
			header: "name: pdf\ndescription: Reads.\ndisable-model-invocation: true\nuser-invocable: false",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
			found: `4:27 info source-invocation: the skill says that models must not call it, the skill is published anyway
5:17 info source-invocation: the skill says that users must not call it, the skill is published anyway
`,
		},
		{
			name:   "invocation not restricted",
			header: "name: pdf\ndescription: Reads.\ndisable-model-invocation: false\nuser-invocable: true",
			want:   schema.Skill{ID: "pdf", Name: "pdf", Description: "Reads."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			skill, found := SkillMD(parse(t, tt.header), file)
			if skill == nil {
				t.Fatalf("no skill: %v", found)
			}
			if d := cmp.Diff(tt.want, skill.Skill); d != "" {
				t.Errorf("skill (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.found, told(found)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
			if skill.Fallback != (len(skill.Tags) == 0) {
				t.Errorf("Fallback = %t with tags %q", skill.Fallback, skill.Tags)
			}
		})
	}
}

func TestSkillMDLeftOut(t *testing.T) {
	tests := []struct{ name, header, found string }{
		{"no description", "name: pdf", "2:1 warning source-description-missing: the skill has no description\n"},
		{
			"empty description", "name: pdf\ndescription: '  '",
			"3:14 warning source-description-missing: the description is empty\n",
		},
		{
			"description null", "name: pdf\ndescription:",
			"3:13 warning source-description-missing: the description is empty\n",
		},
		{
			"description a comment", "name: pdf\ndescription: # Title",
			"3:13 warning source-description-missing: the description is empty: what follows \" #\" is a comment\n",
		},
		{
			"description a list", "description: [a, b]",
			"2:14 warning source-description-missing: the description is an array, not text\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			skill, found := SkillMD(parse(t, tt.header), file)
			if skill != nil {
				t.Errorf("got a skill: %+v", skill)
			}
			if d := cmp.Diff(tt.found, told(found)); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
		})
	}
}

func TestSkillMDDirectory(t *testing.T) {
	tests := []struct {
		name, header string
		file         Match
		id, title    string
	}{
		{"unknown", "description: Reads.", Match{AnyName: true}, "skill", "skill"},
		{
			"as written",
			"description: Reads.",
			Match{Dir: "Web Tools", AnyName: true},
			"web-tools",
			"Web Tools",
		},
		{"no letters", "name: '?'\ndescription: Reads.", Match{Dir: "!"}, "skill", "?"},
		{"another name", "name: y\ndescription: Reads.", Match{Dir: "x", AnyName: true}, "y", "y"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			skill, found := SkillMD(parse(t, tt.header), tt.file)
			if skill.ID != tt.id || skill.Name != tt.title {
				t.Errorf("got id %q, name %q, want %q, %q", skill.ID, skill.Name, tt.id, tt.title)
			}
			if tt.file.AnyName && strings.Contains(told(found), "source-name-directory") {
				t.Errorf("the directory was held against the name: %s", told(found))
			}
		})
	}
}

func TestSkillMDPlaces(t *testing.T) {
	skill, _ := SkillMD(parse(t, `
name: pdf
description: Reads.
tags:
  - forms
  - print
metadata:
  a2a-examples: "Fill in this form"
`), file)
	got := map[string]string{"": skill.Origin.String()}
	for _, p := range skill.Places {
		got[p.Pointer] = p.Span.String()
	}
	want := map[string]string{
		"":             "skills/pdf/SKILL.md:2:7",
		"/id":          "skills/pdf/SKILL.md:2:7",
		"/name":        "skills/pdf/SKILL.md:2:7",
		"/description": "skills/pdf/SKILL.md:3:14",
		"/tags":        "skills/pdf/SKILL.md:5:5",
		"/tags/0":      "skills/pdf/SKILL.md:5:5",
		"/tags/1":      "skills/pdf/SKILL.md:6:5",
		"/examples":    "skills/pdf/SKILL.md:8:17",
		"/examples/0":  "skills/pdf/SKILL.md:8:17",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("places (-want +got):\n%s", d)
	}
}

func FuzzSkillMD(f *testing.F) {
	for _, s := range []string{
		"name: pdf\ndescription: Reads.",
		"name: '!'\ndescription: a\nmetadata: {a2a: {tags: [x]}, tags: '[a, b]'}",
		"description: \"\\r\\n x \\0\"\nmetadata: '{\"a2a-tags\": \"[1]\"}'",
		"tags: {a: b}\ncategory: [[x]]\ndescription: x # y\na2a-visibility: z",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, yaml string) {
		header, _ := source.ReadFrontmatter(strings.NewReader("---\n"+yaml+"\n---\n"), file.Path, source.FrontmatterOptions{})
		if header == nil {
			return
		}
		skill, found := SkillMD(header, file)
		if skill == nil {
			if len(found) == 0 {
				t.Error("left out without a word")
			}
			return
		}
		if skill.ID == "" || skill.Name == "" || skill.Description == "" {
			t.Errorf("incomplete: %+v", skill.Skill)
		}
		if d := skill.Description; d != strings.TrimSpace(d) || strings.Contains(d, "\r") || !utf8.ValidString(d) {
			t.Errorf("description %q is not tidy", d)
		}
		seen := map[string]bool{}
		for _, tag := range skill.Tags {
			if tag == "" || tag != strings.TrimSpace(tag) || seen[files.Fold(tag)] {
				t.Errorf("bad tag in %q", skill.Tags)
			}
			seen[files.Fold(tag)] = true
		}
	})
}

// The JSON Schema of the header has every key that is read, and no other.
func TestSkillSchema(t *testing.T) {
	text, _ := schema.Document("skill")
	var doc struct {
		Properties struct {
			Metadata struct {
				Properties map[string]struct{ Properties map[string]any }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	metadata := doc.Properties.Metadata.Properties
	want := []string{"a2a"}
	for _, key := range ownKeys() {
		want = append(want, "a2a-"+key)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(maps.Keys(metadata))); diff != "" {
		t.Errorf("keys of metadata (-read +schema):\n%s", diff)
	}
	nested := slices.Sorted(maps.Keys(metadata["a2a"].Properties))
	if diff := cmp.Diff(slices.Sorted(slices.Values(ownKeys())), nested); diff != "" {
		t.Errorf("keys of metadata.a2a (-read +schema):\n%s", diff)
	}
	const head = "name: pdf\ndescription: Fills forms.\n"
	for yaml, faults := range map[string]int{
		head: 0,
		head + "license: MIT\nmetadata: {author: me, a2a-tags: \"a, b\", a2a-visibility: hidden}": 0,
		head + "metadata: {a2a: {tags: [a, b], examples: \"Fill this form\"}}":                    0,
		head + "metadata: {a2a: {tag: [a]}}":                                                      1,
		head + "metadata: {a2a-visibility: secret}":                                               1,
		head + "metadata: {a2a-tags: [a, b]}":                                                     1,
		"name: pdf":                                                                               1,
	} {
		if found := schema.Validate("skill", parse(t, yaml)); len(found) != faults {
			t.Errorf("%s\n%d faults, want %d: %v", yaml, len(found), faults, found)
		}
	}
}
