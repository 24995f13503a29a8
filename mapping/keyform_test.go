package mapping

import (
	"slices"
	"strings"
	"testing"

	yamlv3 "gopkg.in/yaml.v3"

	"cardwright/internal/diag"
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
// skill. Each finding about visibility has the hint of its source.
func TestHintsSuitTheSource(t *testing.T) {
	const header = "name: pods\ndescription: Lists the pods of a cluster.\n"
	for kind, want := range map[SourceType]string{
		TypeSkills:    "metadata: {a2a-visibility: hidden}",
		TypeForge:     "metadata: {a2a: {visibility: hidden}}",
		TypeFastAgent: "",
		"packs":       "metadata: {a2a-visibility: hidden}",
	} {
		form := FormatOf(Source{Type: kind}).keys.write("visibility", "hidden")
		if err := peers[kind](header + form + "\n"); form != want || err != nil {
			t.Errorf("%s: got %q, want %q: %v", kind, form, want, err)
		}
		skill, found := readAs(t, kind, header+form+"\n")
		if form != "" && (skill == nil || skill.Visibility != Hidden || len(found) > 0) {
			t.Errorf("%s: %q gives %+v: %s", kind, form, skill, ruled(found))
		}
		hint := "write " + want + ", or extended, or public"
		if want == "" {
			hint = "delete the key, and name the skill in skills.exclude or skills.extended"
		}
		skill, found = readAs(t, kind, header+"a2a-hidden: true\n")
		if skill == nil || skill.Visibility != Hidden || !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return d.Rule == diag.SourceVisibility && d.Hint == hint
		}) {
			t.Errorf("%s: got %v of %+v, want %q", kind, found, skill, hint)
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
	case TypeForge:
		return forgeSkill(parse(t, header), file, "", false)
	}
	return agentSkill(parse(t, header), Match{AnyName: true})
}
