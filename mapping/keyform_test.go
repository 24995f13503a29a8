package mapping

import (
	"strings"
	"testing"

	yamlv3 "gopkg.in/yaml.v3"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// peers read a header as the systems do that the files belong to: they fail, or take the
// file. Agent Skills wants a map of texts, Forge a map of maps; fast-agent refuses keys
// that it does not know, and Helmdeck ignores them.
var peers = map[SourceType]func(header string) error{
	TypeSkills: func(header string) error {
		return yamlv3.Unmarshal([]byte(header), &struct{ Metadata map[string]string }{})
	},
	TypeForge: func(header string) error {
		return yamlv3.Unmarshal([]byte(header), &struct{ Metadata map[string]map[string]any }{})
	},
	TypeFastAgent: func(header string) error {
		decoder := yamlv3.NewDecoder(strings.NewReader(header))
		decoder.KnownFields(true)
		return decoder.Decode(&struct{ Type, Name, Description string }{})
	},
	"packs": func(header string) error {
		return yamlv3.Unmarshal([]byte(header), &struct{ Name, Description string }{})
	},
}

// A header that follows a hint is accepted by the system that it belongs to, and hides the
// skill.
func TestHintsSuitTheSource(t *testing.T) {
	const header = "name: pods\ndescription: Lists the pods of a cluster.\n"
	for kind, want := range map[SourceType]string{
		TypeSkills:    "metadata: {a2a-visibility: hidden}",
		TypeForge:     "metadata: {a2a: {visibility: hidden}}",
		TypeFastAgent: "",
		"packs":       "metadata: {a2a-visibility: hidden}",
	} {
		form := FormatOf(Source{Type: kind}).keys.write("visibility", "hidden")
		if form != want {
			t.Errorf("%s: got %q, want %q", kind, form, want)
		}
		if err := peers[kind](header + form + "\n"); err != nil {
			t.Errorf("%s does not accept %q: %v", kind, form, err)
		}
		if form == "" {
			continue
		}
		skill, found := readAs(t, kind, header+form+"\n")
		if skill == nil || skill.Visibility != Hidden || len(found) > 0 {
			t.Errorf("%s: %q gives %+v: %s", kind, form, skill, shown(found))
		}
	}
	for _, broken := range []struct {
		kind SourceType
		form keyForm
	}{{TypeForge, flatKeys}, {TypeFastAgent, flatKeys}, {TypeFastAgent, nestedKeys}, {TypeSkills, nestedKeys}} {
		if peers[broken.kind](header+broken.form.write("visibility", "hidden")) == nil {
			t.Errorf("%s accepts form %d", broken.kind, broken.form)
		}
	}
}

// Each finding about visibility has the hint of its source.
func TestVisibilityHints(t *testing.T) {
	const header = "name: pods\ndescription: Lists the pods of a cluster.\na2a-hidden: true\n"
	for kind, want := range map[SourceType]string{
		TypeSkills:    "write metadata: {a2a-visibility: hidden}, or extended, or public",
		TypeForge:     "write metadata: {a2a: {visibility: hidden}}, or extended, or public",
		TypeFastAgent: "delete the key, and name the skill in skills.exclude or skills.extended",
		"packs":       "write metadata: {a2a-visibility: hidden}, or extended, or public",
	} {
		skill, found := readAs(t, kind, header)
		var hints []string
		for _, d := range found {
			if d.Rule == diag.SourceVisibility {
				hints = append(hints, d.Hint)
			}
		}
		if skill == nil || skill.Visibility != Hidden || len(hints) != 1 || hints[0] != want {
			t.Errorf("%s: got %q of %+v, want %q", kind, hints, skill, want)
		}
	}
}

// readAs makes a skill of a header, as sources of a type do.
func readAs(t *testing.T, kind SourceType, header string) (*Skill, diag.List) {
	t.Helper()
	switch kind {
	case TypeFastAgent:
		return fastAgent(yaml(t, header), "pods")
	case "packs":
		p, found := packManifest(yaml(t, header), "pods/helmdeck-pack.yaml")
		return &p.Skill, found
	}
	match := Match{Path: "pods/SKILL.md", Name: "pods/SKILL.md", Dir: "pods"}
	text := strings.NewReader("---\n" + header + "---\n")
	tree, _ := source.ReadFrontmatter(text, match.Path, source.FrontmatterOptions{})
	if kind == TypeForge {
		return forgeSkill(tree, match, "", false)
	}
	return agentSkill(tree, match)
}
