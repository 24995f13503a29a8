package mapping

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/diag"
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

// brief writes a skill in one line: id, name, description, tags, examples and modes.
func brief(s schema.Skill) string {
	parts := []string{
		s.ID, s.Name, s.Description, strings.Join(s.Tags, ","), strings.Join(s.Examples, ";"),
		strings.Join(s.InputModes, ","), strings.Join(s.OutputModes, ","),
	}
	return strings.TrimRight(strings.Join(parts, "|"), "|")
}

// ruled returns the findings, comma-separated, as place, severity and rule.
func ruled(found diag.List) string {
	var all []string
	for _, d := range found.Sorted() {
		all = append(all, fmt.Sprintf("%d:%d %s %s", d.Span.Line, d.Span.Column, d.Severity, d.Rule))
	}
	return strings.Join(all, ", ")
}

func TestSkillMD(t *testing.T) {
	const reads = "name: pdf\ndescription: Reads.\n"
	for _, tt := range []struct{ header, want, found string }{
		{reads, "pdf|pdf|Reads.", ""},
		{
			reads + `title: PDF Tools
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
			`acme-pdf|PDF|Fills in forms.|Forms,pdf,two words|Merge a.pdf, b.pdf;Fill in "this" form|` +
				"application/pdf,text/plain|application/pdf,text/plain", "",
		},
		{
			reads + `metadata:
  a2a: {tags: [forms, 1.10], inputModes: [application/pdf], examples: ["Merge a, b"], id: nested}
  a2a-id: flat
`, "flat|pdf|Reads.|forms,1.10|Merge a, b|application/pdf", "",
		},
		{reads + `metadata: '{"category": "office", "a2a": {"id": "acme-pdf"}}'`, "acme-pdf|pdf|Reads.|office", ""},
		{reads + "metadata:", "pdf|pdf|Reads.", ""},
		{reads + "metadata: none of it", "pdf|pdf|Reads.", "4:11 info source-key-unknown"},
		{reads + "metadata: [a]", "pdf|pdf|Reads.", "4:11 info source-key-unknown"},
		{
			reads + `tags: [Forms, pdf, {not: text}, "", 2024-01-01]
keywords: PDF, print
category: Office
metadata:
  clawdbot: {tags: [bot]}
  tags: "[scan, 'ocr']"
  domain: documents
  category: office
`, "pdf|pdf|Reads.|Office,Forms,pdf,2024-01-01,print,documents,scan,ocr,bot", "4:20 info source-key-unknown",
		},
		{
			reads + "domain: [office]\nmetadata:\n  keywords: print, scan\n  acme: {category: documents, domain: paper}",
			"pdf|pdf|Reads.|office,print,scan,documents,paper", "",
		},
		{
			reads + "tags: forms c++ node.js\nkeywords: Portable documents\ncategory: scan and print",
			"pdf|pdf|Reads.|scan and print,forms,c++,node.js,Portable documents", "",
		},
		{reads + "tags: forms print", "pdf|pdf|Reads.|forms,print", ""},
		{reads + "metadata: {a2a-tags: 'paper forms, print'}", "pdf|pdf|Reads.|paper forms,print", ""},
		{
			reads + "tags: [{name: forms}, print]\nexamples: [[nested]]", "pdf|pdf|Reads.|print",
			"4:8 info source-key-unknown, 5:12 info source-key-unknown",
		},
		{reads + "examples: {first: Fill in this form.}", "pdf|pdf|Reads.", "4:11 info source-key-unknown"},
		{"name: [TODO: name it]\ndescription: Reads.", "pdf|pdf|Reads.", "2:7 warning source-name-missing"},
		{reads + "title: ''\nmetadata: {a2a-name: ' ', a2a-tags: '', a2a-id: null}\ntags: []", "pdf|pdf|Reads.", ""},
		{
			"name: no\ndescription: 1.10\ntags: [yes, 0x1F, 1_000]", "no|no|1.10|yes,0x1F,1_000",
			"2:7 warning source-name-directory",
		},
		{
			"name: pdf\ndescription: \"\\n  One  two\\r\\n   <three> \\t\\n\\nfour & é \\n\"",
			"pdf|pdf|One  two\n   <three>\n\nfour & é", "",
		},
		{reads + "title: Last\ndisplay_name: Second\ndisplayName: First", "pdf|First|Reads.", ""},
		{
			"name: Invoice Automation\ndescription: Reads.", "invoice-automation|Invoice Automation|Reads.",
			"2:7 warning source-name-directory, 2:7 warning source-name-format",
		},
		{"name: PDF\ndescription: Reads.", "pdf|PDF|Reads.", "2:7 warning source-name-format"},
		{
			"name: '!!!'\ndescription: Reads.", "pdf|!!!|Reads.",
			"2:7 warning source-name-directory, 2:7 warning source-name-format",
		},
		{"description: Reads.", "pdf|pdf|Reads.", "2:1 warning source-name-missing"},
		{
			"name: pdf\ndescription: " + strings.Repeat("ä", 1025), "pdf|pdf|" + strings.Repeat("ä", 1025),
			"3:14 warning source-description-long",
		},
		{"name: pdf\ndescription: " + strings.Repeat("ä", 1024), "pdf|pdf|" + strings.Repeat("ä", 1024), ""},
		{
			"name: pdf # of Acme\ndescription: Closes issue #12 and #13.", "pdf|pdf|Closes issue",
			"3:14 warning source-comment-cut",
		},
		{
			reads + "metadata: {a2a-tag: x, a2a: {colour: red}, a2amazing: x}", "pdf|pdf|Reads.",
			"4:12 warning source-key-unknown, 4:30 warning source-key-unknown",
		},
		{reads + "a2a-id: acme-pdf", "acme-pdf|pdf|Reads.", "4:1 warning source-key-unknown"},
		{
			reads + "disable-model-invocation: true\nuser-invocable: false", "pdf|pdf|Reads.",
			"4:27 info source-invocation, 5:17 info source-invocation",
		},
		{reads + "disable-model-invocation: false\nuser-invocable: true", "pdf|pdf|Reads.", ""},

		{"name: pdf", "", "2:1 warning source-description-missing"},
		{"name: pdf\ndescription: '  '", "", "3:14 warning source-description-missing"},
		{"name: pdf\ndescription:", "", "3:13 warning source-description-missing"},
		{
			"name: pdf\ndescription: <example>user asks</example>", "",
			"3:14 warning source-description-missing, 3:14 info source-text-cut",
		},
		{"name: pdf\ndescription: # Title", "", "3:13 warning source-description-missing"},
		{"description: [a, b]", "", "2:14 warning source-description-missing"},
		{"name: pdf\nDescription: Reads.", "", "3:1 warning source-description-missing"},
	} {
		skill, found := agentSkill(parse(t, tt.header), file)
		got := ""
		if skill != nil {
			got = brief(skill.Skill)
			if skill.Fallback != (len(skill.Tags) == 0) {
				t.Errorf("Fallback = %t with tags %q", skill.Fallback, skill.Tags)
			}
		}
		if got != tt.want || ruled(found) != tt.found {
			t.Errorf("%s\n got %q, %s\nwant %q, %s", tt.header, got, ruled(found), tt.want, tt.found)
		}
	}
}

// A skill without a name is called as its directory, which need not be a name for one.
func TestSkillMDDirectory(t *testing.T) {
	for _, tt := range []struct {
		header string
		file   Match
		want   string
	}{
		{"description: R", Match{AnyName: true}, "skill|skill|R"},
		{"description: R", Match{Dir: "Web Tools", AnyName: true}, "web-tools|Web Tools|R"},
		{"name: '?'\ndescription: R", Match{Dir: "!"}, "skill|?|R"},
		{"name: y\ndescription: R", Match{Dir: "x", AnyName: true}, "y|y|R"},
	} {
		skill, found := agentSkill(parse(t, tt.header), tt.file)
		differs := strings.Contains(ruled(found), "source-name-directory")
		if got := brief(skill.Skill); got != tt.want || differs && tt.file.AnyName {
			t.Errorf("got %s, want %s: %s", got, tt.want, ruled(found))
		}
	}
}

func TestSkillMDPlaces(t *testing.T) {
	skill, _ := agentSkill(parse(t,
		"name: pdf\ndescription: Reads.\ntags:\n  - forms\n  - print\nmetadata:\n  a2a-examples: Fill in this form"), file)
	got := []string{skill.Origin.String()}
	for _, p := range skill.Places {
		got = append(got, p.Pointer+" "+strings.TrimPrefix(p.Span.String(), file.Path+":"))
	}
	const want = "skills/pdf/SKILL.md:2:7, /description 3:14, /id 2:7, /name 2:7, /tags/0 5:5, /tags/1 6:5, /tags 5:5, " +
		"/examples/0 8:17, /examples 8:17"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
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
	keys := slices.Sorted(slices.Values(ownKeys()))
	want := []string{"a2a"}
	for _, key := range keys {
		want = append(want, "a2a-"+key)
	}
	got := [][]string{slices.Sorted(maps.Keys(metadata)), slices.Sorted(maps.Keys(metadata["a2a"].Properties))}
	if diff := cmp.Diff([][]string{want, keys}, got); diff != "" {
		t.Errorf("keys of metadata and metadata.a2a (-read +schema):\n%s", diff)
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
