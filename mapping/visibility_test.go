package mapping

import (
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// read makes a skill of a whole file, nil when it has none.
func read(text string) *Skill {
	header, _ := source.ReadFrontmatter(strings.NewReader(text), file.Path, source.FrontmatterOptions{})
	if header == nil {
		return nil
	}
	skill, _ := agentSkill(header, file)
	return skill
}

// What is plainly none of the three visibilities hides the skill, with a finding at its
// place.
func TestVisibilityInDoubt(t *testing.T) {
	for header, tt := range map[string]struct {
		want  Visibility
		place string // of the finding, "" for none
	}{
		"metadata: {a2a-visibility: hidden}":                            {Hidden, ""},
		"metadata: {a2a-visibility: extended}":                          {Extended, ""},
		"metadata: {a2a-visibility: public}":                            {Public, ""},
		"metadata: {a2a: {visibility: extended}}":                       {Extended, ""},
		"a2a-visibility: hidden":                                        {Hidden, ""},
		"metadata: '{\"a2a-visibility\": \"extended\"}'":                {Extended, ""},
		"metadata: {a2a-visibility: public, a2a: {visibility: hidden}}": {Hidden, ""},
		"metadata: {a2a-visibility: extended, a2a-hidden: true}":        {Hidden, "4:38"},
		"metadata: {a2a-visibility: extended}\na2a-visibility: public":  {Extended, ""},
		"metadata: {a2a-visibility: Public}":                            {Hidden, "4:28"},
		"metadata: {a2a-visibility: private}":                           {Hidden, "4:28"},
		"metadata: {a2a-visibility: [public]}":                          {Hidden, "4:28"},
		"metadata: {a2a-visibility: {public: true}}":                    {Hidden, "4:28"},
		"metadata: {a2a-visibility: }":                                  {Hidden, "4:28"},
		"metadata: {a2a-visibility: ''}":                                {Hidden, "4:28"},
		"metadata: {a2a-visibility: true}":                              {Hidden, "4:28"},
		"metadata: {A2A-Visibility: public}":                            {Hidden, "4:12"},
		"metadata: {a2aVisibility: public}":                             {Hidden, "4:12"},
		"metadata: {a2a_visibility: public}":                            {Hidden, "4:12"},
		"metadata: {a2avisibility: public}":                             {Hidden, "4:12"},
		"metadata: {a2a-visibilty: hidden}":                             {Hidden, "4:12"},
		"metadata: {a2a-visiblty: hidden}":                              {Hidden, "4:12"},
		"metadata: {a2-visibility: hidden}":                             {Hidden, "4:12"},
		"metadata: {ａ２ａ-ｖisibility: hidden}":                            {Hidden, "4:12"},
		"metadata: {\"\u00a0\u00a0a2a-visibility\": hidden}":            {Hidden, "4:12"},
		"metadata: {A2A: {visibility: hidden}}":                         {Hidden, "4:12"},
		"metadata: {A2A: {tags: [a]}}":                                  {Public, ""},
		"metadata: {a2a: hidden}":                                       {Hidden, "4:12"},
		"a2a: {visibility: hidden}":                                     {Hidden, "4:1"},
		"a2a: {hidden: true}":                                           {Hidden, "4:1"},
		"a2a: {hidden: false}":                                          {Public, ""},
		"metadata: {a2a: {visiblity: public}}":                          {Hidden, "4:18"},
		"metadata: {a2a: {Visibility: public}}":                         {Hidden, "4:18"},
		"metadata: {a2a: {a2a-visibility: hidden}}":                     {Hidden, "4:18"},
		"metadata: [{a2a-visibility: hidden}]":                          {Hidden, ""},
		"a2aVisibility: public":                                         {Hidden, "4:1"},
		"metadata: {a2a-hidden: true}":                                  {Hidden, "4:12"},
		"metadata: {a2a-private: yes}":                                  {Hidden, "4:12"},
		"metadata: {a2a-internal: team}":                                {Hidden, "4:12"},
		"metadata: {a2a-exclude: }":                                     {Hidden, "4:12"},
		"metadata: {a2a: {skip: true}}":                                 {Hidden, "4:18"},
		"a2a-hidden: true":                                              {Hidden, "4:1"},
		"metadata: {a2a-hidden: false}":                                 {Public, ""},
		"metadata: {visibility: hidden}":                                {Public, ""}, // of another system
		"metadata: {hidden: true}":                                      {Public, ""},
		"visibility: private":                                           {Public, ""},
		"metadata: {acme: {a2a-visibility: hidden}}":                    {Public, ""},
		"metadata: {a2a-tags: internal}":                                {Public, ""},
		"tags: [a2a-visibility, hidden]":                                {Public, ""},
	} {
		text := "---\nname: pdf\ndescription: Reads files.\n" + header + "\n---\n"
		tree, _ := source.ReadFrontmatter(strings.NewReader(text), file.Path, source.FrontmatterOptions{})
		skill, found := agentSkill(tree, file)
		if skill == nil || skill.Visibility != tt.want {
			t.Errorf("%s: the skill is %+v, want %s", header, skill, tt.want)
			continue
		}
		place := ""
		for _, d := range found {
			if d.Rule == diag.SourceVisibility {
				place = strings.TrimPrefix(d.Span.String(), file.Path+":")
			}
		}
		if place != tt.place {
			t.Errorf("%s: found at %q, want %q: %v", header, place, tt.place, found)
		}
	}
}

// However headers are broken around it, a line that hides a skill hides it.
func TestRepairsKeepPrivate(t *testing.T) {
	const hides = "metadata:\n  a2a-visibility: hidden\n"
	parts := []string{
		"description: Runs plans. Trigger: execute plan.", "summary: >", "  and more", "description: 'It's late'",
		"license: MIT", "title: \"open", "argument-hint: [a] [b]", "author: jane@acme.example", "  note: a: b",
		"tags: - a - b", "<<<<<<< HEAD", "", "# comment", "\tname: y", "  - item", "version: 1.0\x01", "x: {a: [b}",
		"description: , y", "plain text", "metadata: {", "}", "key: |", "  text: more", "when: \"a\" and \"b\"",
		"description:", "  a: b # c", "'quoted key': @v",
	}
	for _, a := range parts {
		for _, b := range parts {
			text := "---\nname: x\ndescription: Reads files.\n" + a + "\n" + hides + b + "\n---\n# Title\n"
			skill := read(text)
			if skill != nil && skill.Visibility != Hidden && !inText(text) {
				t.Errorf("%q: the skill is %s", text, skill.Visibility)
			}
			for _, lineBreak := range []string{"\r\n", "\r"} {
				if other := read(strings.ReplaceAll(text, "\n", lineBreak)); fmt.Sprint(other) != fmt.Sprint(skill) {
					t.Errorf("%q: %v with %q, %v with LF", text, other, lineBreak, skill)
				}
			}
		}
	}
}

// inText reports whether a header is YAML as it stands, in which a line that
// looks like a key can be a part of a text.
func inText(text string) bool {
	_, found := source.ReadFrontmatter(strings.NewReader(text), file.Path, source.FrontmatterOptions{NoRepair: true})
	return found == nil
}
