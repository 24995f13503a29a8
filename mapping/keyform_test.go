package mapping

import (
	"slices"
	"testing"

	"cardwright/internal/diag"
)

// A header that follows a hint hides the skill, and has the form that the reader of its
// own system accepts: Agent Skills wants a map of texts, Forge a map of maps; fast-agent
// refuses keys that it does not know, and Helmdeck ignores them. Each finding about visibility has the
// hint of its source.
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
