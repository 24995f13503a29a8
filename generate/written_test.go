package generate

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"gopkg.in/yaml.v3"

	"cardwright/internal/diag"
)

// headers are headers of skills with descriptions of every form of YAML, by directory.
var headers = map[string]string{
	"plain":     "description: Use when asked. Draws charts from tables.",
	"typical":   "description: Draws charts. Typical triggers include \"plot this\". See \"When to use\" in the body.",
	"folded":    "description: >\n  Plans releases.\n  Do NOT use for hotfixes.\n\n  Do NOT use to roll back.",
	"literal":   "description: |\n  First line.  \n\n  - Second line\n    deeper\n",
	"stripped":  "description: >-\n  Pairs with release notes.\n  Reads tags.\n",
	"kept":      "description: |+\n  Sorts letters.\n\n",
	"continued": "description: Reads scans\n  and photos, then\n  writes text.",
	"single":    "description: 'It''s a literal \\n that stays'",
	"double":    "description: \"Two\\nlines  \\nand \\\"quotes\\\"  \"",
	"wrapped":   "description: \"Wraps\n  over lines\"",
	"break":     `description: Plans releases.\nThen writes notes.   \nThen stops.`,
	"dialog":    "description: \"Answers mail. <example>user: hello</example> Use it often.\"",
	"both":      `description: Answers letters.\n\n<example>\nuser: hello`,
	"example":   `description: Plans. <Example id="1">user asks</Example>`,
	"examples":  "description: Plans <examples> of <example.com> things.",
	"asked":     `description: Use when: asked\nfor more`,
	"colon":     "description: Use when: somebody asks\nlicense: MIT",
	"quoted":    "description: Refuses 'this is simple': asks again\nlicense: MIT",
	"control":   "description: Reads \x07 tables\nlicense: MIT",
	"unicode":   "description: \"  Schreibt Übersetzungen – 日本語も。\u00a0\"",
	"number":    "description: 1.10",
	"word":      "description: no",
	"date":      "description: 2026-11-28",
	"html":      "description: Escapes <b> & </b> in pages.",
	"own":       "description: Not this one.\nmetadata:\n  a2a-description: This one. Then that.",
	"nested":    "description: Not this one.\nmetadata: {a2a: {description: That one. Then this.}}",
	"dos":       "description: |\r\n  One line.\r\n  Another.\r\nlicense: MIT",
	"order":     "version: 1\ndescription: Comes second.\nname: order",
}

// What a card says is what its author wrote: each description is compared with what an
// independent reader finds in its file.
func TestDescriptionsEqualTheirSources(t *testing.T) {
	p := project{}
	for dir, header := range headers {
		file := "---\nname: " + dir + "\n" + header + "\n---\n# Title\n"
		if strings.Contains(header, "name:") {
			file = "\ufeff---\n" + header + "\n---\n"
		}
		p["skills/"+dir+"/SKILL.md"] = file
	}
	card, found := p.run(t, endpoint+"skills: {from: [{type: skills, path: skills}]}\n")
	cut := map[string]bool{}
	for _, d := range found {
		if d.Rule == diag.SourceTextCut {
			cut[d.Span.File] = true
		}
	}
	skills := card.Get("skills").Items
	for _, s := range skills {
		file := "skills/" + s.Get("id").Word() + "/SKILL.md"
		written, excepted := author([]byte(p[file]))
		if got := s.Get("description").Word(); written != got || excepted != cut[file] {
			t.Errorf("%s (exception %t, reported %t):\ncard   %q\nsource %q", file, excepted, cut[file], got, written)
		}
	}
	if len(skills) != len(headers) || len(cut) != 5 {
		t.Errorf("%d of %d skills are on the card, %d with a reported exception", len(skills), len(headers), len(cut))
	}
}

var (
	fences   = regexp.MustCompile(`(?s)\A\s*---[ \t]*\n(.*?\n)---[ \t]*(\n|\z)`)
	oneLine  = regexp.MustCompile(`(?m)^description:[ \t]+([^"'>|&*\s].*)$`)
	dialog   = regexp.MustCompile(`<[eE][xX][aA][mM][pP][lL][eE](\s[^<>]*)?>`)
	trailing = regexp.MustCompile(`(?m)[\t\f\v\p{Z}]+$`)
)

// author reads the description of a skill in the simplest way: with nothing of this
// project. It reports whether it makes one of the two exceptions.
func author(file []byte) (description string, excepted bool) {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(bytes.TrimPrefix(file, []byte("\ufeff"))))
	block := fences.FindStringSubmatch(text)
	if block == nil {
		return "", false
	}
	line := oneLine.FindStringSubmatch(block[1])
	if err := yaml.Unmarshal([]byte(block[1]), new(yaml.Node)); err != nil && line != nil {
		description = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return -1
			}
			return r
		}, line[1])
	} else {
		var spelled struct {
			Description string
			Metadata    struct {
				Flat   string                       `yaml:"a2a-description"`
				Nested struct{ Description string } `yaml:"a2a"`
			}
		}
		_ = yaml.Unmarshal([]byte(block[1]), &spelled) // other members of any type
		description = spelled.Description
		for _, own := range []string{spelled.Metadata.Nested.Description, spelled.Metadata.Flat} {
			if own != "" {
				description, line = own, nil
			}
		}
	}
	if line != nil && strings.Contains(description, `\n`) {
		description, excepted = strings.ReplaceAll(description, `\n`, "\n"), true
	}
	if at := dialog.FindStringIndex(description); at != nil {
		description, excepted = description[:at[0]], true
	}
	return strings.TrimSpace(trailing.ReplaceAllString(description, "")), excepted
}
